/** Events that have become a part of another one. Their ids stay with whoever has seen them. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import type { StartPrecision } from './model.ts';

/** As it was when it was merged. Instants in milliseconds. */
export interface MergedEvent {
  id: string;
  title: string;
  startsAt: number;
  endsAt: number | null;
  precision: StartPrecision;
  revision: number;
  mergedAt: number;
}

/** Those that were merged at or after `since`, the latest first, at most `limit`. */
export async function loadMergedEvents(db: Kysely<Database>, since: number, limit: number): Promise<MergedEvent[]> {
  const rows = await db
    .selectFrom('event')
    .where('state', '=', 'merged')
    .where('updated_at', '>=', new Date(since))
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .select(['id', 'title', 'starts_at', 'ends_at', 'precision', 'revision', 'updated_at'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    startsAt: row.starts_at.getTime(),
    endsAt: row.ends_at?.getTime() ?? null,
    precision: row.precision as StartPrecision,
    revision: row.revision,
    mergedAt: row.updated_at.getTime(),
  }));
}
