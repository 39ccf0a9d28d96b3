-- What a score is explained by beyond the event itself, so that it can be replayed.

-- `run`: the title as letters alone; events of one run are showings of one thing. `showing`: which of the coming ones it was when it
-- was scored.
alter table event
  add column run text not null default '',
  add column showing integer not null default 1 check (showing >= 1);
update event set run = trim(regexp_replace(lower(title), '[^[:alpha:]]+', ' ', 'g'));
create index event_run on event (run, id) where state = 'published';

-- The points of the score that the providers of an event give: the part that neither the clock nor the audience moves.
alter table score_history
  add column coverage real check (coverage between 0 and 100);
