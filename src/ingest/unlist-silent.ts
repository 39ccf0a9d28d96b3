/** Events that no source has said for long leave the lists; their ids go on answering. */

import type { Kysely } from 'kysely';
import { recordChanges, unlistUnconfirmed } from '../records/index.ts';
import { type Database, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';

/** Returns how many left. An event that a source says again is listed again. */
export async function unlistSilent(options: { store: { db: Kysely<Database> }; now?: () => number }): Promise<number> {
  const now = (options.now ?? Date.now)();
  return transact(options.store.db, async (trx) => {
    const changes = await unlistUnconfirmed(trx, now - SILENCE_MS, now);
    await recordChanges(trx, changes, now);
    return changes.length;
  });
}

/** Long enough for a feed that was broken over a weekend. docs/ingest.md states it. */
export const SILENCE_MS = 3 * DAY_MS;
