-- Which records are one: what matching compares, runs that can be taken back, questions for a person, and who may write.

-- `precision`: whether the start is known to the minute, to the day, or the whole day is meant. `unconfirmed_since`: no source says it
-- any longer; `unlisted`: for so long that lists leave it out, while its id still answers.
alter table event
  add column precision text not null default 'time' check (precision in ('time','date','all_day')),
  add column unconfirmed_since timestamptz,
  drop constraint event_state_check,
  add constraint event_state_check check (state in ('published','merged','removed','unlisted'));
create index event_unconfirmed on event (unconfirmed_since) where unconfirmed_since is not null;

-- `own_id`: the event or venue it is when it is alone; kept while it is merged into another, so that a split gives the old id back.
-- `facts`: what matching compares. `night`: the local day on which its event belongs. A record without an event or venue waits
-- until somebody knows where it takes place.
alter table record
  add column own_id uuid,
  add column facts jsonb check (jsonb_typeof(facts) = 'object'),
  add column night date,
  add column starts_at timestamptz,
  drop constraint record_check,
  drop constraint record_check1,
  add constraint record_target check (case kind when 'event' then venue_id is null else event_id is null end);
create index record_night on record (night) where kind = 'event' and gone_at is null;

-- `fence` counts the runs begun: a batch is written only by the latest. `release`: the operator's word for one run that was held.
alter table source
  add column state text not null default 'active' check (state in ('active','paused','held')),
  add column fence bigint not null default 0,
  add column release boolean not null default false,
  add column failures integer not null default 0 check (failures >= 0),
  add column retry_at timestamptz,
  add column last_ok_at timestamptz,
  add column etag text,
  add column last_modified text;

-- Clocks of providers that are known to be wrong: a placeholder for an unknown hour, or a whole number of hours off.
create table provider_clock (
  provider text primary key,
  clock    jsonb not null check (jsonb_typeof(clock) = 'object'),
  found_at timestamptz not null
);

-- One writer of the directory at a time, whatever process it is in. The token grows, so a holder that slept too long is refused.
create table lease (
  name  text primary key,
  token bigint not null,
  until timestamptz not null
);

create table run (
  id          uuid primary key,
  source_id   uuid references source (id) on delete cascade,
  kind        text not null check (kind in ('ingest','undo','decision')),
  state       text not null check (state in ('running','done','failed','held','undone')),
  started_at  timestamptz not null,
  finished_at timestamptz,
  report      jsonb check (jsonb_typeof(report) = 'object'),
  error       text,
  check ((state = 'running') = (finished_at is null))
);
create index run_source on run (source_id, started_at);

-- What each record said before a run changed it; null: it was not there. Noted before the record is written, so it cannot refer to it.
create table run_record (
  run_id    uuid not null references run (id) on delete cascade,
  record_id uuid not null,
  before    jsonb check (jsonb_typeof(before) = 'object'),
  primary key (run_id, record_id)
);
create index run_record_record on run_record (record_id);

-- Pairs of records about which the facts speak neither clearly for nor against. The answer is a decision.
create table question (
  id         uuid primary key,
  kind       text not null check (kind in ('event','venue')),
  left_id    uuid not null references record (id) on delete cascade,
  right_id   uuid not null references record (id) on delete cascade,
  score      real not null check (score between 0 and 1),
  evidence   jsonb not null check (jsonb_typeof(evidence) = 'array'),
  asked_at   timestamptz not null,
  settled_at timestamptz,
  check (left_id < right_id),
  unique (left_id, right_id)
);
create index question_open on question (kind, score) where settled_at is null;
create index question_right on question (right_id);
