-- Events that were merged lately, for calendars that still show them.
create index event_merged on event (updated_at) where state = 'merged';
