/**
 * The timeline of a PostgreSQL server: a failover and a point-in-time recovery begin another one (PostgreSQL documentation, "Timelines").
 * What had been committed on the one before may be lost.
 */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

/** Which server it is, and on which timeline; null where that cannot be read: on a standby, and on some services. */
export async function readTimeline(db: Kysely<Database>): Promise<string | null> {
  const asked = sql<{ timeline: string }>`
    select (select system_identifier from pg_control_system())::text || '.' || ${sql.raw(TIMELINE)} as timeline`.execute(db);
  const answer = await asked.catch((error: { code?: string }) => {
    if (UNREADABLE.test(error.code ?? '')) return null;
    throw error;
  });
  return answer?.rows[0]?.timeline ?? null;
}

/** SQL: the file that is written to begins with the number of the timeline, eight hex digits. */
export const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';
/** Missing rights or functions, and a server in recovery (PostgreSQL documentation, appendix A: 0A, 42, 55). */
const UNREADABLE = /^(?:0A|42|55|database_right_missing)/;
