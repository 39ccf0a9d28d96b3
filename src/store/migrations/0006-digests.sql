-- What each source said when it was last read whole, in digests: a source that says the same again need not be looked at again.

-- `said`: the listings and all that understanding them depends on. `known`: the records of the source, as that run left them, and the
-- places of others. While both are what they were, a run comes to the same end: `outcome`, and no difference.
create table reading (
  source_id uuid primary key references source (id) on delete cascade,
  said      text not null,
  known     text not null,
  outcome   jsonb not null check (jsonb_typeof(outcome) = 'object'),
  read_at   timestamptz not null
);

-- A record is of an event or of a venue: half of what these held was empty, and finding the few venues meant passing all events.
drop index record_event;
create index record_event on record (event_id) where event_id is not null;
drop index record_venue;
create index record_venue on record (venue_id) where venue_id is not null;
