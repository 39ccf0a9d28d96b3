-- Lists of events on other sites. The id is public: it stands in their pages.
create table embed (
  id         text primary key,
  account_id uuid not null references account (id) on delete cascade,
  name       text not null,
  -- Filters of `GET /events`, checked and in canonical form.
  query      text not null,
  layout     text not null check (layout in ('list', 'map', 'calendar')),
  -- Sites that may show it; empty: all.
  origins    text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index embed_account on embed (account_id);
