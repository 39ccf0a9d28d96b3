/** Events that have become a part of another one. Their ids stay with whoever has seen them. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';

/** When an event was merged, milliseconds. */
export interface MergedEventTime {
  id: string;
  mergedAt: number;
}

/** Those at or after `since`, the latest first, at most `limit`. */
export async function loadMergers(db: Kysely<Database>, since: number, limit: number): Promise<MergedEventTime[]> {
  const rows = await db
    .selectFrom('event')
    .where('state', '=', 'merged')
    .where('updated_at', '>=', new Date(since))
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .select(['id', 'updated_at'])
    .execute();
  return rows.map(({ id, updated_at }) => ({ id, mergedAt: updated_at.getTime() }));
}
