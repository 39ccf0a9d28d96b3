/** The numbered list of changes that every follower reads. */

import type { Transaction } from 'kysely';
import { appendToList, type Database } from '../../store/index.ts';
import type { Change } from '../model.ts';

/** Numbers the changes of a transaction, at `now`. Must be its last act: the list's head is locked until the commit. */
export async function recordChanges(trx: Transaction<Database>, changes: readonly Change[], now: number): Promise<void> {
  if (changes.length === 0) return;
  await appendToList(
    trx,
    'change',
    changes.map(({ kind, entity, entityId, previous }) => ({
      kind,
      entity,
      entity_id: entityId,
      previous: previous ? JSON.stringify(previous) : null,
    })),
    new Date(now),
  );
}
