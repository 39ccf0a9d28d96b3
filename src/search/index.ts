// The read model: the whole directory in memory, behind immutable snapshots that a worker thread builds.
// Rows of `records` and numbered changes enter (read by the worker); pages, lookups, counts and ready bytes of JSON leave.
// `beginSearch` follows a store, `readSearch` what another thread relays; `buildSnapshot` makes one snapshot of plain rows.
// The contract is in query.ts.
export type {
  AskInterpretation,
  AskKind,
  AskPage,
  AskPart,
  AskRelaxation,
  EventAsk,
  GivenFilter,
  Suggestion,
} from './ask/ask-query.ts';
export { ASK_KINDS, SUGGESTION_TYPES } from './ask/ask-query.ts';
export { readTimeWords } from './ask/windows.ts';
export { createFixedChanges } from './fixed-changes.ts';
export { createMergedLoader, type LoadMerged, type MergedEvents } from './merged-snapshot.ts';
export { type BegunSearch, beginSearch, type SearchOptions } from './open-search.ts';
export * from './query.ts';
export {
  type ChangePage,
  type ChangeReader,
  createChangeReader,
  isOfLog,
  type LoggedChange,
  LogUnavailableError,
} from './read-changes.ts';
export { createRecordReader, type RecordNow, type RecordReader } from './read-records.ts';
export { readSearch } from './read-search.ts';
export type { DirectoryRows, EventRow, NeighborhoodRow, VenueRow } from './rows.ts';
export { buildSearch, buildSnapshot } from './snapshot/snapshot-builder.ts';
export { TRENDING_REASONS, type TrendingReason, whyNothingTrends } from './trending-reason.ts';
