-- Decisions of people that the directory does not follow yet: made or taken back since the records were last matched.
alter table decision add column is_pending boolean not null default false;
create index decision_pending on decision (left_id, right_id) where is_pending;
