-- Backups that workers make without anybody asking: only files that are named here are ever deleted.
create table scheduled_backup (
  id         uuid primary key,
  -- The folder, or the path in a bucket, as a person reads it; and the name of the file in it.
  place      text not null,
  name       text not null,
  state      text not null check (state in ('running', 'complete', 'failed', 'interrupted', 'deleted', 'missing')),
  started_at timestamptz not null,
  ended_at   timestamptz,
  bytes      bigint,
  row_count  bigint,
  reason     text
);
create index scheduled_backup_started on scheduled_backup (place, started_at desc);
create index scheduled_backup_age on scheduled_backup (started_at);
