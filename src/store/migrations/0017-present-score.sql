-- What stands is in the event itself; the history holds what stood before. So an event that was scored once has no history.
-- `scored_day`: the local day since which the score and its coverage have stood.

-- `words`: of the title and of the slug (which has them without accents), as they are asked for. Taking them from the title is most of
-- what it costs to put them into the index, and the parser of PostgreSQL takes `AC/DC` for the name of a file.

drop index event_words;
drop index venue_words;
alter table event
  add column scored_day date,
  add column coverage real check (coverage between 0 and 100),
  add column words text not null default '';
alter table venue
  add column words text not null default '';

update event set
    scored_day = coalesce(last.day, (event.scored_at at time zone coalesce((select timezone from city), 'UTC'))::date),
    coverage = last.coverage,
    words = array_to_string(tsvector_to_array(to_tsvector('simple', event.title || ' ' || replace(event.slug, '-', ' '))), ' ')
  from event as same
    left join (select distinct on (event_id) event_id, day, coverage from score_history order by event_id, day desc) as last
      on last.event_id = same.id
  where same.id = event.id;
update venue set words = array_to_string(tsvector_to_array(to_tsvector('simple', name || ' ' || replace(slug, '-', ' '))), ' ');
delete from score_history using event where event.id = score_history.event_id and event.scored_day = score_history.day;

alter table event
  alter scored_day set not null,
  alter scored_day set statistics 0,
  alter coverage set statistics 0,
  alter words set statistics 0;
alter table venue alter words set statistics 0;
create index event_words on event using gin (array_to_tsvector(string_to_array(words, ' ')));
create index venue_words on venue using gin (array_to_tsvector(string_to_array(words, ' ')));
