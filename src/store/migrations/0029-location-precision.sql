-- How well the point of a venue is known: exactly, approximately, or only as a point of its area.

alter table venue add column location_precision text not null default 'exact' check (location_precision in ('exact', 'approximate', 'area'));
