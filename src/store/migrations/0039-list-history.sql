-- A list's numbers are comparable within one history: another one begins where numbers may be used again.
alter table list_head add column history uuid not null default gen_random_uuid();

-- The timeline of the server that the epoch belongs to; null: not known yet. A failover and a point-in-time recovery begin another one.
alter table change_log add column timeline text;
