-- What was used in detail: by key, endpoint and status. What is going on is kept by the hour; hours that are over move to days, and to
-- sums for each account, so that a page over many keys reads few rows. `usage_day` stays the exact count of each lineage. Status 429 is
-- what was refused and never counted as used.

create table usage_hour (
  key_id   text not null references api_key (id) on delete cascade,
  hour     timestamptz not null,
  -- The template of the endpoint; empty for what was refused before anybody looked where it went.
  endpoint text not null,
  status   smallint not null,
  requests integer not null check (requests > 0),
  primary key (key_id, hour, endpoint, status)
);

create table usage_detail (
  key_id   text not null references api_key (id) on delete cascade,
  day      date not null,
  endpoint text not null,
  status   smallint not null,
  requests bigint not null check (requests > 0),
  primary key (key_id, day, endpoint, status)
);

-- The same requests four times: `hour` (no label), and for each UTC day `endpoint`, `status` and `key`.
create table usage_summary (
  account_id uuid not null references account (id) on delete cascade,
  at         timestamptz not null,
  kind       text not null check (kind in ('hour','endpoint','status','key')),
  label      text not null,
  requests   bigint not null,
  refused    bigint not null,
  primary key (account_id, at, kind, label)
);

-- The last batch that each process has written, so that none is written twice when nobody knows whether it was.
create table usage_writer (
  id    uuid primary key,
  batch bigint not null,
  at    timestamptz not null
);

-- The form that asked for a key, as a digest of account and token: a form sent twice makes one key.
alter table api_key add column form text unique;
