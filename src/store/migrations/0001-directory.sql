-- The directory: one city, its neighborhoods, venues and events, where each fact came from, and the numbered list of changes.

create table city (
  only_row   boolean primary key default true check (only_row),
  slug       text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name       text not null check (char_length(name) between 1 and 200),
  timezone   text not null,
  currency   text not null check (currency ~ '^[A-Z]{3}$'),
  locale     text not null,
  latitude   double precision not null check (latitude between -90 and 90),
  longitude  double precision not null check (longitude between -180 and 180)
);

create table neighborhood (
  id          uuid primary key,
  slug        text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name        text not null check (char_length(name) between 1 and 200),
  description text,
  latitude    double precision not null check (latitude between -90 and 90),
  longitude   double precision not null check (longitude between -180 and 180),
  geometry    jsonb not null check (geometry ->> 'type' in ('Polygon','MultiPolygon')),
  updated_at  timestamptz not null
);

create table venue (
  id              uuid primary key,
  slug            text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name            text not null check (char_length(name) between 1 and 300),
  type            text not null check (type in ('bar','restaurant','arena','park','theater','gallery','club','stadium','brewery','museum')),
  address         text,
  latitude        double precision not null check (latitude between -90 and 90),
  longitude       double precision not null check (longitude between -180 and 180),
  capacity_tier   text check (capacity_tier in ('intimate','small','medium','large')),
  is_verified     boolean not null,
  neighborhood    text references neighborhood (slug) on update cascade,
  website         text,
  parking         text,
  transit_nearby  text[] not null default '{}' check (array_position(transit_nearby, null) is null),
  opening_hours   jsonb check (jsonb_typeof(opening_hours) = 'object'),
  state           text not null default 'published' check (state in ('published','merged','removed')),
  merged_into     uuid references venue (id),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check ((state = 'merged') = (merged_into is not null)),
  check (merged_into <> id)
);
create index venue_neighborhood on venue (neighborhood);
create index venue_merged_into on venue (merged_into) where merged_into is not null;

create table event (
  id              uuid primary key,
  slug            text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title           text not null check (char_length(title) between 1 and 300),
  category        text not null check (category in ('concert','sports','comedy','theater','festival','food','art','community','nightlife','family','outdoor')),
  starts_at       timestamptz not null check (isfinite(starts_at)),
  ends_at         timestamptz check (isfinite(ends_at)),
  description     text check (char_length(description) <= 20000),
  image_url       text,
  is_free         boolean not null,
  price_min       numeric(14,4) check (price_min >= 0 and price_min < 'NaN'),
  price_max       numeric(14,4) check (price_max >= 0 and price_max < 'NaN'),
  venue_id        uuid not null references venue (id),
  status          text not null default 'scheduled' check (status in ('scheduled','cancelled','postponed','rescheduled','sold_out')),
  performers      text[] not null default '{}' check (array_position(performers, null) is null),
  tags            text[] not null default '{}' check (array_position(tags, null) is null),
  sources         text[] not null default '{}' check (array_position(sources, null) is null),
  discovery_score smallint not null check (discovery_score between 0 and 100),
  scored_at       timestamptz not null,
  state           text not null default 'published' check (state in ('published','merged','removed')),
  merged_into     uuid references event (id),
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  check (ends_at >= starts_at),
  check (price_max >= price_min),
  -- A comparison with null would pass.
  check (not is_free or (coalesce(price_min, -1) = 0 and coalesce(price_max, -1) = 0)),
  check ((state = 'merged') = (merged_into is not null)),
  check (merged_into <> id)
);
create index event_venue on event (venue_id);
create index event_starts_at on event (starts_at);
create index event_merged_into on event (merged_into) where merged_into is not null;

-- Slugs that once led to a record and still redirect.
create table old_slug (
  kind       text not null check (kind in ('event','venue')),
  slug       text not null,
  event_id   uuid references event (id) on delete cascade,
  venue_id   uuid references venue (id) on delete cascade,
  primary key (kind, slug),
  check ((kind = 'event') = (event_id is not null)),
  check ((kind = 'venue') = (venue_id is not null))
);
create index old_slug_event on old_slug (event_id);
create index old_slug_venue on old_slug (venue_id);

create table source (
  id            uuid primary key,
  name          text not null unique check (char_length(name) between 1 and 100),
  kind          text not null,
  location      text,
  mapping       jsonb check (jsonb_typeof(mapping) = 'object'),
  every_seconds integer check (every_seconds > 0),
  trust         real not null default 0.5 check (trust between 0 and 1),
  last_run_at   timestamptz,
  last_error    text,
  created_at    timestamptz not null
);

-- One listing of one source, as last seen.
create table record (
  id            uuid primary key,
  source_id     uuid not null references source (id) on delete cascade,
  kind          text not null check (kind in ('event','venue')),
  external_id   text not null check (char_length(external_id) between 1 and 500),
  event_id      uuid references event (id) on delete cascade,
  venue_id      uuid references venue (id) on delete cascade,
  content_hash  text not null,
  listing       jsonb not null check (jsonb_typeof(listing) = 'object'),
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  gone_at       timestamptz,
  unique (source_id, kind, external_id),
  check ((kind = 'event') = (event_id is not null)),
  check ((kind = 'venue') = (venue_id is not null))
);
create index record_event on record (event_id);
create index record_venue on record (venue_id);

-- Which fields of its event or venue a record supplies. A field has one supplier.
create table provenance (
  record_id  uuid primary key references record (id) on delete cascade,
  fields     text[] not null check (array_position(fields, null) is null),
  decided_at timestamptz not null
);

-- What a person decided of two records of the directory.
create table decision (
  id         uuid primary key,
  kind       text not null check (kind in ('event','venue')),
  left_id    uuid not null,
  right_id   uuid not null,
  verdict    text not null check (verdict in ('same','different')),
  decided_by text not null,
  decided_at timestamptz not null,
  revoked_at timestamptz,
  note       text,
  check (left_id < right_id)
);
create unique index decision_pair on decision (kind, left_id, right_id) where revoked_at is null;

create table signal (
  event_id    uuid not null references event (id) on delete cascade,
  kind        text not null check (kind in ('tickets_sold','tickets_available','social_mentions','page_views')),
  observed_at timestamptz not null,
  value       double precision not null check (value >= 0 and value < 'Infinity'),
  primary key (event_id, kind, observed_at)
);
create index signal_observed_at on signal (observed_at);

create table score_history (
  event_id        uuid not null references event (id) on delete cascade,
  day             date not null,
  discovery_score smallint not null check (discovery_score between 0 and 100),
  primary key (event_id, day)
);
create index score_history_day on score_history (day);

-- The heads of the numbered lists. A writer takes the head's row lock as the last thing of its transaction,
-- so numbers are given in commit order, without gaps: a reader that has seen n has seen all up to n.
create table list_head (
  list text primary key check (list in ('change','access_change')),
  seq  bigint not null check (seq >= 0)
);
insert into list_head (list, seq) values ('change', 0), ('access_change', 0);

create table change (
  seq       bigint primary key,
  at        timestamptz not null,
  kind      text not null check (kind in ('created','updated','cancelled','rescheduled','merged','removed','scored')),
  entity    text not null check (entity in ('city','neighborhood','venue','event')),
  entity_id uuid,
  check ((entity = 'city') = (entity_id is null))
);
create index change_entity on change (entity_id);
