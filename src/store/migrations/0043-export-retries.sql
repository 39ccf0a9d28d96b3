-- Exports wait for a file storage that does not answer: since when, how often they were tried, and when the next try is.
alter table export
  add column storage_away_since timestamptz,
  add column storage_tries integer not null default 0,
  add column retry_at timestamptz;
create index export_retry on export (retry_at) where retry_at is not null;
