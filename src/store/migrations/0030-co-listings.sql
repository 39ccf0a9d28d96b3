-- Nights on which two sources list one event at two venues: evidence that the two are one venue, and the reason for asking about them.

create table co_listing (
  left_id uuid not null references record (id) on delete cascade,
  right_id uuid not null references record (id) on delete cascade,
  night date not null,
  starts_at timestamptz not null,
  title text not null,
  -- What names and points say of the two.
  kinship text not null check (kinship in ('alias', 'namesake', 'near', 'different')),
  -- One source lists other events at both at the same time.
  is_contradicted boolean not null default false,
  primary key (left_id, right_id, night),
  check (left_id < right_id)
);
create index co_listing_right on co_listing (right_id);
