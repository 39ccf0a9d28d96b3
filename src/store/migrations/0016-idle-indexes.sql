-- Nobody reads signals by moment or scores by day: both are read by event, from their keys.
drop index signal_observed_at;
drop index score_history_day;
-- Records that have gone lately are read, too, so an index without them was never used. Those of bundles have no night.
drop index record_night;
create index record_night on record (night) where night is not null;
