// The directory: cities, neighborhoods, venues, events, their slugs, the tables of their fields, and the numbered list of changes.
// Parsed, trusted values enter; rows and numbered changes leave. Others follow the changes, nobody is called.
// Every write happens inside a transaction of the caller and returns its changes, which `recordChanges` numbers last.

export { type Cell, cellsOfEventField, eventCells, listedVenueCells, printedEventRows, wholeVenueCells } from './cells.ts';
export {
  type LogQuery,
  type LogState,
  lastChangeBefore,
  loadChange,
  loadChangesOf,
  loadLastChangeTime,
  notePublicUrl,
  readLogPage,
  readLogState,
  recordChanges,
} from './changes/change-log.ts';
export { changedFields } from './changes/compare-fields.ts';
export {
  beginHistory,
  checkTimeline,
  renewLostHistory,
  watchTimeline,
} from './changes/number-history.ts';
export {
  EVENT_FIELDS,
  type Event,
  type EventDetail,
  type EventFields,
  type EventSummary,
  priceOf,
  storedEventFields,
} from './event-fields.ts';
export {
  asMilliseconds,
  type CorrectableOf,
  type CorrectionRule,
  type CorrectionRules,
  correctionRules,
  type FieldKind,
  type FieldRow,
  type FieldTable,
  formatOrganizer,
  type NamedRow,
  type RecordOf,
  reportFields,
  rowsOf,
} from './field-table.ts';
export * from './model.ts';
export { type Coverage, EVENT_FACTS, type FactCounts, loadCoverage, VENUE_FACTS } from './queries/coverage.ts';
export {
  type FindOptions,
  type FoundEvent,
  type FoundPage,
  type FoundVenue,
  findBySlug,
  findEvents,
  findVenues,
  type RecordLookups,
} from './queries/find-records.ts';
export {
  loadAreaVenues,
  loadExistingIds,
  loadIdBySlug,
  loadNextAtVenue,
  loadScoredEvent,
  loadTitle,
  loadVenueAddresses,
  loadVenueNames,
  loadVenuePlace,
  loadVenueSites,
  loadVenuesOfEvents,
  type RecordTitle,
} from './queries/load-records.ts';
export { mayStart } from './queries/may-start.ts';
export {
  type ChangeLine,
  countNamedSources,
  countOutOfLists,
  countRecords,
  type OutOfLists,
  readLastChanges,
} from './queries/read-directory.ts';
export {
  EVENT_VENUES,
  loadMergedInto,
  loadMergers,
  loadSurvivor,
  loadVenueSurvivors,
  PRESENT_EVENTS,
  redirectsOf,
  survivorsOf,
  VENUE_POINTS,
  VENUE_SCORE_FACTS,
  venuesOfNeighborhoods,
} from './queries/relations.ts';
export {
  type ListedRow,
  loadAppealDays,
  loadEventScoreFacts,
  loadNextComing,
  loadNextListed,
  loadNextScores,
  loadSignals,
  loadVenueScoreFacts,
  type ScorePlace,
  type VenueScoreFacts,
} from './queries/scored-facts.ts';
export { runKey } from './run-key.ts';
export { loadStoredEvents, loadStoredVenues, type StoredEvent, type StoredVenue } from './stored-records.ts';
export {
  storedVenueFields,
  VENUE_FIELDS,
  type Venue,
  type VenueFields,
  type VenueOfEvent,
  type VenueSummary,
} from './venue-fields.ts';
export { markUnconfirmed, mergeEvents, mergeVenues, type Redirect, unlistUnconfirmed } from './write/lifecycle.ts';
export { slugify } from './write/slug.ts';
export {
  loadNeighborhoodsVersion,
  readCity,
  readNeighborhoods,
  removeNeighborhoods,
  writeCity,
  writeNeighborhoods,
} from './write/write-city.ts';
export {
  type EventWrite,
  removeEvents,
  type Scored,
  writeEvents,
  writeScores,
  writeSignals,
} from './write/write-events.ts';
export { moveVenues, removeVenues, type VenueWrite, writeVenues } from './write/write-venues.ts';
