-- Exports: what accounts ask for, the files that were made of it, and the secret links to them.

-- `feed_id` null: everything. `columns` null: records as the detail endpoint answers them. `next_at`: when the next export is due.
create table export_request (
  id         uuid primary key,
  account_id uuid not null references account (id) on delete cascade,
  feed_id    uuid references feed (id) on delete cascade,
  format     text not null check (format in ('ndjson', 'csv', 'geojson', 'parquet')),
  columns    text[],
  repeat     text not null check (repeat in ('once', 'hourly', 'daily')),
  created_at timestamptz not null,
  next_at    timestamptz,
  removed_at timestamptz
);
create index export_request_account on export_request (account_id, id);
create index export_request_feed on export_request (feed_id) where feed_id is not null;
create index export_request_due on export_request (next_at) where next_at is not null;
create index export_request_removed on export_request (removed_at) where removed_at is not null;

-- A job in the queue, then its result. `claim` and `lease_until` belong to the process that works on it; `attempts` names its folder.
create table export (
  id          uuid primary key,
  request_id  uuid not null references export_request (id) on delete cascade,
  account_id  uuid not null references account (id) on delete cascade,
  state       text not null check (state in ('queued', 'running', 'ready', 'failed', 'cancelled', 'expired')),
  queued_at   timestamptz not null,
  started_at  timestamptz,
  finished_at timestamptz,
  expires_at  timestamptz,
  claim       uuid,
  lease_until timestamptz,
  attempts    integer not null default 0,
  is_full     boolean,
  rows        bigint,
  bytes       bigint,
  manifest    text,
  error       text
);
create index export_account on export (account_id, id);
create index export_of_request on export (request_id, id);
create index export_waiting on export (queued_at, id) where state in ('queued', 'running');
create index export_expiry on export (expires_at) where state = 'ready';
create index export_queued_at on export (queued_at);

-- A row outlives its revocation, so that the address keeps saying that it is gone.
create table export_link (
  digest     bytea primary key check (octet_length(digest) = 32),
  request_id uuid not null references export_request (id) on delete cascade,
  last4      text not null check (char_length(last4) = 4),
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index export_link_request on export_link (request_id);
create unique index export_link_live on export_link (request_id) where revoked_at is null;
