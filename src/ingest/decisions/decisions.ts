/** What people have decided of pairs of records. All later runs respect it. */

import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';

export interface StandingDecision {
  kind: 'event' | 'venue';
  left: string;
  right: string;
  verdict: 'same' | 'different';
}

/** The decisions that were not taken back, the oldest first. */
export async function readDecisions(db: Kysely<Database> | Transaction<Database>): Promise<StandingDecision[]> {
  const rows = await db
    .selectFrom('decision')
    .select(['kind', 'left_id', 'right_id', 'verdict'])
    .where('revoked_at', 'is', null)
    .orderBy('decided_at')
    .execute();
  return rows.map((row) => ({
    kind: row.kind as 'event' | 'venue',
    left: row.left_id,
    right: row.right_id,
    verdict: row.verdict as 'same' | 'different',
  }));
}
