// The directory: cities, neighborhoods, venues, events, their slugs, and the numbered list of changes.
// Parsed, trusted values enter; rows and numbered changes leave. Others follow the changes, nobody is called.
// Every write happens inside a transaction of the caller and returns its changes, which `recordChanges` numbers last.
export { type LogQuery, type LogState, lastChangeBefore, notePublicUrl, readLogPage, readLogState } from './change-log.ts';
export { recordChanges } from './changes.ts';
export {
  type FindOptions,
  type Found,
  type FoundEvent,
  type FoundVenue,
  findBySlug,
  findEvents,
  findVenues,
} from './find-records.ts';
export { markUnconfirmed, mergeEvents, mergeVenues, type Redirect, unlistUnconfirmed } from './lifecycle.ts';
export { loadMergers } from './merged-events.ts';
export * from './model.ts';
export { type ChangeLine, countOutOfLists, type OutOfLists, readLastChanges } from './read-directory.ts';
export { runKey } from './run-key.ts';
export { slugify } from './slug.ts';
export { readCity, readNeighborhoods, removeNeighborhoods, writeCity, writeNeighborhoods } from './write-city.ts';
export {
  type EventWrite,
  removeEvents,
  type Scored,
  writeEvents,
  writeScores,
  writeSignals,
} from './write-events.ts';
export { moveVenues, removeVenues, type VenueWrite, writeVenues } from './write-venues.ts';
