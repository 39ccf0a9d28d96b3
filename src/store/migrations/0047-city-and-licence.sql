-- Further languages of a city's listings, and the credit line of its neighborhoods.
alter table city add column languages text[] not null default '{}';
alter table city add column credit text;
-- The licence line of a source, as its operator gives it.
alter table source add column licence text;
