-- Columns that no statement searches or joins by. Looking at the values of all columns is most of what it costs to look at a table
-- that grows, and an import makes the engine do so again and again.
alter table event
  alter title set statistics 0,
  alter category set statistics 0,
  alter ends_at set statistics 0,
  alter description set statistics 0,
  alter image_url set statistics 0,
  alter is_free set statistics 0,
  alter price_min set statistics 0,
  alter price_max set statistics 0,
  alter performers set statistics 0,
  alter tags set statistics 0,
  alter sources set statistics 0,
  alter discovery_score set statistics 0,
  alter scored_at set statistics 0,
  alter showing set statistics 0,
  alter created_at set statistics 0,
  alter updated_at set statistics 0;
alter table record
  alter content_hash set statistics 0,
  alter listing set statistics 0,
  alter own_id set statistics 0,
  alter first_seen_at set statistics 0,
  alter last_seen_at set statistics 0;
alter table provenance
  alter fields set statistics 0,
  alter decided_at set statistics 0;
alter table run_record
  alter before set statistics 0;
alter table score_history
  alter discovery_score set statistics 0,
  alter coverage set statistics 0;
