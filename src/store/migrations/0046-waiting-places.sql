-- How far a city reaches from its center, where its neighborhoods do not say it.
alter table city add column radius_km double precision check (radius_km > 0);

-- The middle of the city is the point of what is somewhere in it, and never of a house: what sources have put there is not exact.
update record set listing = record.listing || '{"isApproximate": true, "area": "around"}'
from city, source
where record.kind = 'venue' and record.source_id = source.id and source.kind <> 'bundle'
  and record.listing ->> 'isApproximate' is distinct from 'true'
  and abs((record.listing ->> 'latitude')::double precision - city.latitude) < 0.00014
  and abs((record.listing ->> 'longitude')::double precision - city.longitude) < 0.00014;

-- What people have answered about names whose street nobody knew: one answer of each name counts.
create table place_answer (
  id         uuid primary key,
  name       text not null check (char_length(name) between 1 and 300),
  name_key   text not null,
  act        text not null check (act in ('same', 'here', 'ignore')),
  -- Of `same`: a venue, or one that was merged since.
  venue_id   uuid,
  -- Of `here`.
  address    text,
  latitude   double precision check (latitude between -90 and 90),
  longitude  double precision check (longitude between -180 and 180),
  is_exact   boolean not null default true,
  decided_by text not null,
  decided_at timestamptz not null,
  revoked_at timestamptz,
  check ((act = 'same') = (venue_id is not null)),
  check ((act = 'here') = (latitude is not null and longitude is not null))
);
create unique index place_answer_current on place_answer (name_key) where revoked_at is null;
