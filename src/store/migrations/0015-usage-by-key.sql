
-- Hours that are over, by key, for as long as a page shows hours; the days by key are in usage_detail.
create table usage_key_hour (
  key_id   text not null references api_key (id) on delete cascade,
  hour     timestamptz not null,
  requests bigint not null,
  refused  bigint not null,
  primary key (key_id, hour)
);
