-- A score is explained by what the rest of the directory said about the event: small integers, see `encodeContext` of `ranking`.
-- The points that trends follow are no longer those of the providers, so the old ones are compared with nothing.
alter table event add column score_context smallint[];
alter table event rename column coverage to appeal;
alter table score_history rename column coverage to appeal;
update event set appeal = null where appeal is not null;
update score_history set appeal = null where appeal is not null;
alter table event alter score_context set statistics 0;
