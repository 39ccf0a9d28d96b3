-- What a geocoder answered, and what it could not: asked again only after the answer has expired.
create table geocoder_answer (
  -- The kind of the service and its address.
  service    text not null,
  question   text not null,
  -- All three are null if the service knows no such place.
  latitude   double precision,
  longitude  double precision,
  precision  text,
  expires_at timestamptz not null,
  primary key (service, question)
);
-- When a geocoder may be asked next, by whatever process.
create table geocoder_turn (
  service       text primary key,
  next_at       timestamptz not null,
  -- After a failure, or as long as the service asks to be left alone.
  blocked_until timestamptz not null,
  -- In a row.
  failures      integer not null
);
