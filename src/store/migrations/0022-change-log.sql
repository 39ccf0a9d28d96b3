-- The change log for readers outside: what a change changed, and which history its numbers belong to.

-- Previous values of the public fields that a change changed, by field; null where nothing is compared (created, removed, merged).
alter table change add column previous jsonb check (jsonb_typeof(previous) = 'object');

-- Numbers are only comparable within one epoch. `public_url`: the address that is part of every record; null: not known yet.
create table change_log (
  only_row   boolean primary key default true check (only_row),
  epoch      uuid not null,
  public_url text
);
insert into change_log (epoch) values (gen_random_uuid());

-- How often the time, the place or the status of an event has changed: SEQUENCE of RFC 5545.
alter table event add column revision integer not null default 0 check (revision >= 0);
