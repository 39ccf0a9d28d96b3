-- Further languages of a city's listings, and the credit line of its neighborhoods.
alter table city add column languages text[] not null default '{}';
alter table city add column credit text;
-- The licence line of a source, as its operator gives it.
alter table source add column licence text;
-- When a source last listed a venue, or an event that was still to come. Those that were read are not accused before their next run.
alter table source add column listed_at timestamptz;
update source set listed_at = last_ok_at;
