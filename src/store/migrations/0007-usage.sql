-- What was used in detail: by key, endpoint and status. Hours are kept for some days and then added up to days; `usage_day` stays the
-- exact count of each lineage. Status 429 is what was refused and never counted as used.

create table usage_hour (
  key_id   text not null references api_key (id) on delete cascade,
  hour     timestamptz not null,
  -- The template of the endpoint; empty for what was refused before anybody looked where it went.
  endpoint text not null,
  status   smallint not null,
  requests bigint not null check (requests > 0),
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

-- The last batch that each process has written, so that none is written twice when nobody knows whether it was.
create table usage_writer (
  id    uuid primary key,
  batch bigint not null,
  at    timestamptz not null
);

-- The form that asked for a key, as a digest of account and token: a form sent twice makes one key.
alter table api_key add column form text unique;
