-- How far a city reaches from its center, where its neighborhoods do not say it.
alter table city add column radius_km double precision check (radius_km > 0);

-- The middle of the city is the point of what is somewhere in it, and never of a house: what sources have put there is not exact.
update record set listing = record.listing || '{"isApproximate": true, "area": "around"}'
from city, source
where record.kind = 'venue' and record.source_id = source.id and source.kind <> 'bundle'
  and record.listing ->> 'isApproximate' is distinct from 'true'
  and abs((record.listing ->> 'latitude')::double precision - city.latitude) < 0.00014
  and abs((record.listing ->> 'longitude')::double precision - city.longitude) < 0.00014;
