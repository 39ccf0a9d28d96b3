-- Where an event can be read about or paid for at its providers, and where it started before it was moved.

alter table event add column links jsonb not null default '[]';
alter table event add column previous_starts_at timestamptz;
alter table event alter links set statistics 0;
alter table event alter previous_starts_at set statistics 0;
update event set links = found.links
from (
  select event_id, jsonb_agg(jsonb_build_object('provider', provider, 'url', url) order by provider) as links
  from (
    select distinct on (event_id, facts ->> 'provider') event_id, facts ->> 'provider' as provider, listing ->> 'url' as url
    from record
    where kind = 'event' and event_id is not null and gone_at is null and listing ->> 'url' is not null and facts ->> 'provider' is not null
    order by event_id, facts ->> 'provider', external_id
  ) as page
  group by event_id
) as found
where event.id = found.event_id;
