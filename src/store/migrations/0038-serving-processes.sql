-- Processes that answer requests, by their signs of life: how many share the limits when Redis does not answer.
create table serving_process (
  id            uuid primary key,
  started_at    timestamptz not null,
  seen_at       timestamptz not null,
  -- Whether it counts in Redis; otherwise it counts by itself.
  shares_limits boolean not null
);
