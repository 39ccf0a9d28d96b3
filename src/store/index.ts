/**
 * The store: one PostgreSQL dialect, embedded in the data folder or served elsewhere.
 * In: where the database is. Out: typed tables (Kysely), transactions, numbered lists to append to and to follow.
 * It knows nothing of what the rows mean.
 */

export { lockCleanUp, saveCleanUp } from './clean-up-place.ts';
export { ALWAYS_LOOK, type CommitWatcher } from './commit-watcher.ts';
export { type Connection, connectStore } from './connection.ts';
export {
  causeOf,
  describe as describeDatabase,
  describeFailure,
  isConnectionLost,
  isUnavailable,
  isUnreachable,
  type StoreAddress,
} from './connection-error.ts';
export { checkRelations, type RelationCheck } from './damage/check-relations.ts';
export type { DamageNotes, DamageSign } from './damage/inspection.ts';
export { namePages } from './damage/name-relation.ts';
export { checkPages, type PageCheck } from './damage/page-files.ts';
export { watchDamage } from './damage/watch-damage.ts';
export { allowLongQueries, createDeadline, type InTime, limitQueries, limitWaits, type Patience } from './deadline.ts';
export { NO_LIST_MARK } from './engine/commit-count.ts';
export { takeLock } from './engine/data-folder.ts';
export { giveToOwner } from './engine/owner.ts';
export { type Break, type Follower, type FollowOptions, type FollowStatus, followList } from './follow-list.ts';
export { forgetLease, type Lease, tryLease } from './lease.ts';
export {
  appendToList,
  headOf,
  historyOf,
  type ListEntry,
  type ListName,
  type ListPosition,
  type ListRow,
  listEnd,
  listHead,
  prunedUpTo,
  readList,
  renewHistory,
} from './lists.ts';
export {
  appliedMigrations,
  applyMigrations,
  describeMigration,
  describePending,
  isOlder,
  lockMigrations,
  type Migration,
  pendingMigrations,
  readMigrations,
} from './migrate.ts';
export { hasEmbedded, joinStore, openStore, type Store, type StoreOptions } from './open-store.ts';
export type { Database } from './schema.ts';
export { probeServer, readTimeline } from './servers/probe-server.ts';
export { readServerFacts, readStandbys, type ServerFacts, type StandbyFacts } from './servers/server-facts.ts';
export { StoreError, type StoreErrorCode } from './store-error.ts';
export { inPieces, transact } from './transact.ts';
export { type RunQuery, removeLeftCopies, replaceEmbedded, withStoreCopy } from './work-folder.ts';
