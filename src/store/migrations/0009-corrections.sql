-- What an operator says of an event or venue, against all sources; and what was decided by hand in one act.

-- `hidden`: the operator does not want it published; its id answers "gone".
alter table event
  drop constraint event_state_check,
  add constraint event_state_check check (state in ('published','merged','removed','unlisted','hidden'));
alter table venue
  drop constraint venue_state_check,
  add constraint venue_state_check check (state in ('published','merged','removed','hidden'));

-- One word on one field. Bound to the public id: while that is merged into another, the word counts for the survivor, unless the survivor
-- has one of its own. `before`: what was shown until then. Words are taken back, never deleted.
create table correction (
  id         uuid primary key,
  entity     text not null check (entity in ('event','venue')),
  target_id  uuid not null,
  field      text not null,
  value      jsonb not null,
  before     jsonb not null,
  made_by    text not null check (char_length(made_by) between 1 and 320),
  made_at    timestamptz not null,
  note       text check (char_length(note) <= 1000),
  revoked_at timestamptz,
  revoked_by text,
  check ((revoked_at is null) = (revoked_by is null))
);
create unique index correction_standing on correction (entity, target_id, field) where revoked_at is null;
create index correction_target on correction (entity, target_id, made_at);

-- A merge or split by hand is many decisions; they are taken back together, and what they replaced stands again.
alter table decision
  add column act_id uuid,
  add column revoked_act uuid;
create index decision_left on decision (left_id);
create index decision_right on decision (right_id);
create index decision_act on decision (act_id) where act_id is not null;

-- Finding by hand: by words of the title (the slug has them without accents), by source, by state; each in the order of time.
create index event_words on event using gin (to_tsvector('simple', title || ' ' || replace(slug, '-', ' ')));
create index venue_words on venue using gin (to_tsvector('simple', name || ' ' || replace(slug, '-', ' ')));
create index event_sources on event using gin (sources);
-- Those that are published are found by their start.
create index event_state on event (state, starts_at, id) where state <> 'published';
