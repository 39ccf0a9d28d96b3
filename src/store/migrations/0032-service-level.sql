-- What the service says in public about itself: how each minute went, and what operators wrote about incidents.

create table service_minute (
  minute timestamptz not null,
  -- The process that answered.
  writer uuid not null,
  -- Answers without failure, rejected with 4xx and failed with 5xx, then the answers by duration. Empty: nothing was requested.
  api integer[] not null,
  pages integer[] not null,
  mcp integer[] not null,
  primary key (minute, writer)
);

create table incident (
  id uuid primary key,
  title text not null,
  impact text not null check (impact in ('minor', 'major', 'maintenance')),
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index incident_opened_at on incident (opened_at);

create table incident_update (
  id uuid primary key,
  incident_id uuid not null references incident (id) on delete cascade,
  at timestamptz not null,
  state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved')),
  message text not null
);
create index incident_update_incident on incident_update (incident_id, at);
