// Where listings come from: the registry of sources, what each has listed so far, its runs and its health.
// Web addresses and mappings of operators enter; fetched listings, stored records and reports leave.
// What a source lists is untrusted until `normalize` has read it; keys of providers are never shown.
export { addSource, type NewSource } from './add-source.ts';
export { FetchError, type Fetched, fetchListings, type ReadAnswer } from './fetch-listings.ts';
export { IngestError, type IngestErrorCode } from './ingest-error.ts';
export {
  digestOf,
  digestOfKnown,
  digestOfUnderstanding,
  findReading,
  keepReading,
  type UnchangedOutcome,
} from './last-reading.ts';
export { CONDITIONS, type Condition, type OverseenSource, overseeSources, redactKeys } from './oversee-sources.ts';
export { type KnownClock, loadClocks, writeClocks } from './provider-clocks.ts';
export {
  type ListedChange,
  loadListedChanges,
  loadListedTitles,
  loadListingsOfEvents,
  loadListingsOfVenue,
  loadPlaces,
  loadRecordKinds,
  loadTargetsByExternalId,
  loadTitlesByProvider,
} from './records/load-listings.ts';
export {
  loadEventRecordsAt,
  loadEventsAtVenues,
  loadMembers,
  loadNeighborhoodsInUse,
  loadOtherRecords,
  loadSharedEventRecords,
  loadStillNeeded,
  loadVenuesByExternalId,
} from './records/load-others.ts';
export {
  type HeldRecord,
  loadEventRecords,
  readEventRecords,
  readHeld,
  readListingsOf,
  readVenueRecords,
} from './records/read-records.ts';
export { readBundleRecords, readOverRecords } from './records/read-spoken-of.ts';
export {
  contentHash,
  heldRecords,
  lockRecords,
  markGone,
  presentRecords,
  type RecordHistory,
  type RecordKind,
  type SourceValues,
  sharedRecords,
  toSourceValues,
  writeRecords,
} from './records/records.ts';
export {
  companionsOf,
  externalIdAt,
  isListedBy,
  isPlacedBySource,
  LISTED_RECORDS,
  PRESENT_RECORDS,
  RECORD_EVENTS,
  RECORD_IDS,
  RECORD_TITLES,
  recordsOf,
  titlesOf,
} from './records/relations.ts';
export { markGoneInRun, moveToSurvivors, writeRunRecords } from './records/write-run-records.ts';
export type { RunSummary } from './runs/kept-report.ts';
export { type RunLine, readRun, readRunLines, type WholeRun } from './runs/read-runs.ts';
export type { Counts, EventDifference, RunDifference, SourceReport, VenueDifference } from './runs/run-report.ts';
export { beginRun, endRun, listRuns, loadUnfinishedRecords, type Run, type RunKind } from './runs/runs.ts';
export { findLaterRun, loadRecordsBefore, loadRunToUndo, markUndone, pauseForUndo } from './runs/undo.ts';
export { isFence, putOnHold, raiseFence, rememberFailure, rememberSuccess } from './source-state.ts';
export {
  BUNDLE_SOURCE,
  bundleSource,
  deleteSource,
  findSource,
  listSources,
  loadSourceId,
  loadTrustedSources,
  markFetched,
  releaseSource,
  type Source,
  setSourceState,
  type TrustedSource,
  wantRun,
} from './sources.ts';
