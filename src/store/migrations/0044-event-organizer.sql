-- Who puts an event on: its name and URL.
alter table event add column organizer jsonb check (jsonb_typeof(organizer) = 'object');
