
-- The requests of the last minute, as a process that ended left them for the next one to count on.
create table request_minute (
  subscription_id uuid not null references subscription (id) on delete cascade,
  writer          uuid not null,
  written_at      timestamptz not null,
  -- Four bytes for each request, big-endian: microseconds before written_at.
  ages            bytea not null,
  primary key (subscription_id, writer)
);
