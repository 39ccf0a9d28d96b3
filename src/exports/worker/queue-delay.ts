/** How long the oldest export waits that could run. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';

/** Milliseconds; 0: none waits. Exports behind running ones of their account wait for their turn. */
export async function loadExportDelay(db: Kysely<Database>, now: number): Promise<number> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(queued_at) as oldest from export as waiting
    where state = 'queued' and not exists (
      select from export as other where other.account_id = waiting.account_id and other.state = 'running')`.execute(db);
  const oldest = rows[0]?.oldest;
  return oldest ? Math.max(0, now - oldest.getTime()) : 0;
}
