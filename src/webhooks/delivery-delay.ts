/** How late sending is, apart from endpoints that fail themselves. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import { isOverDayLimit } from './day-limit.ts';

/** Milliseconds since the oldest work of a healthy endpoint was due; 0: nothing waits. */
export async function loadDeliveryDelay(db: Kysely<Database>, now: number): Promise<number> {
  const moment = new Date(now);
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(work_at) as oldest from webhook_endpoint
    where state = 'active' and failures = 0 and work_at <= ${moment} and (open_until is null or open_until <= ${moment})
      and not ${isOverDayLimit(now)}`.execute(db);
  const oldest = rows[0]?.oldest;
  return oldest ? now - oldest.getTime() : 0;
}
