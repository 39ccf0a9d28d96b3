// The read model: the whole directory in memory, behind immutable snapshots that a worker thread builds.
// The catalog's rows and numbered changes enter (read by the worker); pages, lookups, counts and ready bytes of JSON leave.
// `openSearch` follows a store; `buildSnapshot` makes one snapshot of plain rows. The contract is in query.ts.
export { openSearch, type SearchOptions } from './open-search.ts';
export * from './query.ts';
export type { DirectoryRows, EventRow, NeighborhoodRow, SourceTrust, VenueRow } from './rows.ts';
export { buildSnapshot } from './snapshot-builder.ts';
