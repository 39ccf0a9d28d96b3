/** `removeSource`: a source and what only it has brought leave the directory. */

import type { Kysely } from 'kysely';
import { type Change, recordChanges, removeEvents, removeVenues } from '../records/index.ts';
import { type Database, forgetLease, transact } from '../store/index.ts';
import { type DirectoryLease, takeLease } from './lease.ts';
import { applyManualChanges } from './manual-changes.ts';
import { loadSharedEventRecords, loadStillNeeded } from './records/load-others.ts';
import { markGone, presentRecords, type RecordKind } from './records/records.ts';
import { leaseOf } from './source-jobs.ts';
import { deleteSource, findSource } from './sources/sources.ts';

type Store = { db: Kysely<Database> };

/**
 * Removes a source and what only it has brought: its events, and its venues where no other event is held. They answer "gone"
 * from now on. Null when there is no such source. May be stopped at any moment and run again.
 */
export async function removeSource(options: {
  store: Store;
  name: string;
  now?: () => number;
}): Promise<{ events: number; venues: number } | null> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const source = await findSource(options.store, options.name);
  if (!source) return null;
  await withoutIts(db, source.id, now);
  // A run of it that waits meanwhile finds no source.
  const lease = await takeLease(db);
  try {
    const events = await withdraw(db, lease, { sourceId: source.id, kind: 'event', now });
    const venues = await withdraw(db, lease, { sourceId: source.id, kind: 'venue', now });
    await deleteSource(db, source.id);
    await forgetLease(db, leaseOf(source));
    return { events, venues };
  } finally {
    await lease.release();
  }
}

/** Events that others list, too, are what the others say of them. */
async function withoutIts(db: Kysely<Database>, sourceId: string, now: number): Promise<void> {
  const shared = await loadSharedEventRecords(db, sourceId);
  if (shared.length === 0) return;
  const staged = { events: [], venues: [], vanished: shared };
  const revisit = new Set(shared.map(({ id }) => id));
  await applyManualChanges({ db, kind: 'decision', now }, async () => ({ staged, revisit, reachesBack: true }));
}

/** Returns how many records of the directory went with those of the source. */
async function withdraw(
  db: Kysely<Database>,
  lease: DirectoryLease,
  { sourceId, kind, now }: { sourceId: string; kind: RecordKind; now: number },
): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const page = await presentRecords(db, sourceId, kind, after);
    const last = page.at(-1);
    if (!last) return count;
    after = last.externalId;
    count += await transact(db, async (trx) => {
      await lease.check(trx);
      const ids = page.flatMap(({ targetId }) => targetId || []);
      const kept = await loadStillNeeded(trx, sourceId, kind, ids);
      const free = ids.filter((id) => !kept.has(id));
      const changes: Change[] = kind === 'event' ? await removeEvents(trx, free, now) : await removeVenues(trx, free, now);
      const records = page.map(({ recordId }) => recordId);
      await markGone(trx, records, now);
      await recordChanges(trx, changes, now);
      return changes.length;
    });
  }
}
