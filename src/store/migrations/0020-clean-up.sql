-- How far the clean-up of each table has come, so that the next run continues there. `position`: a number of a list or an id, as text.
-- For `change` and `access_change` it is also the number up to which entries may be missing; see `src/store/lists.ts`.
create table clean_up (
  name        text primary key,
  position    text not null,
  -- When the last pass over the whole table ended; null: never.
  finished_at timestamptz
);

-- Entries of one record in the order of their numbers: an entry goes when its record has a later one.
create index change_entity_seq on change (entity_id, seq);
drop index change_entity;

-- What the clean-up looks for, so that it never reads a whole table.
create index usage_day_day on usage_day (day);
create index usage_detail_day on usage_detail (day);
create index usage_summary_at on usage_summary (at);
create index usage_summary_hour on usage_summary (at) where kind = 'hour';
create index usage_key_hour_hour on usage_key_hour (hour);
create index session_expires on session (expires_at);
create index account_unconfirmed on account (created_at) where not email_verified;
create index trial_network_day on trial_network (day);
