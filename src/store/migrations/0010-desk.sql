-- What the operators' pages ask of sources and runs.

-- An operator wants a run now; whichever worker looks next does it. Null: nobody wants one.
alter table source add column wanted_at timestamptz;

-- What a run did in figures, so that lists of runs need not read their reports, which may be long.
alter table run add column summary jsonb check (jsonb_typeof(summary) = 'object');
update run set summary = jsonb_build_object(
    'created', coalesce(jsonb_array_length(report #> '{difference,created}'), 0),
    'changed', coalesce(jsonb_array_length(report #> '{difference,changed}'), 0),
    'merged', coalesce(jsonb_array_length(report #> '{difference,merged}'), 0),
    'cancelled', coalesce(jsonb_array_length(report #> '{difference,cancelled}'), 0),
    'vanished', coalesce(jsonb_array_length(report #> '{difference,vanished}'), 0),
    'listings', (report #>> '{events,created}')::int + (report #>> '{events,updated}')::int + (report #>> '{events,unchanged}')::int,
    'rejected', coalesce((report ->> 'rejectedCount')::int, 0),
    'waiting', 0)
  where jsonb_typeof(report -> 'difference') = 'object';

-- The queue is worked through from its likeliest end.
create index question_likeliest on question (score desc, id) where settled_at is null;

-- Lists of runs are read by time; the word that may be taken back is the last of whoever gave it.
create index run_started on run (started_at, id);
create index decision_by on decision (decided_by, decided_at) where revoked_at is null;
