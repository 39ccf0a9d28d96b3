-- Problems that readers report about records. Reports of the same problem of a record are one row, with a count.

create table problem_report (
  id uuid primary key,
  entity text not null check (entity in ('event', 'venue')),
  record_id uuid not null,
  kind text not null check (kind in ('wrong_time', 'cancelled', 'duplicate', 'closed', 'other')),
  state text not null default 'open' check (state in ('open', 'fixed', 'kept', 'duplicate')),
  -- How many networks reported it.
  reporters integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  answered_at timestamptz,
  answered_by text,
  note text,
  check ((state = 'open') = (answered_at is null))
);
create unique index problem_report_open on problem_report (entity, record_id, kind) where state = 'open';
create index problem_report_last_at on problem_report (state, last_at);

create table problem_reporter (
  id uuid primary key,
  report_id uuid not null references problem_report (id) on delete cascade,
  -- A keyed hash of the network, so that one sender counts once.
  sender bytea not null,
  at timestamptz not null,
  words text,
  -- Null once the outcome was sent.
  email text,
  language text not null,
  unique (report_id, sender)
);
create index problem_reporter_email on problem_reporter (email) where email is not null;
create index problem_reporter_at on problem_reporter (at);
