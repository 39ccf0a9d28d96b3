/**
 * Asks one PostgreSQL server, over a connection of its own, whether it accepts writes, and any on which timeline it is. A failover and a
 * point-in-time recovery begin another timeline (PostgreSQL documentation, "Timelines"): what had been committed on the one before may be
 * lost.
 */

import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema.ts';

export interface ServerState {
  acceptsWrites: boolean;
  /** Eight hex digits, which grow with every promotion; empty for a standby, and where the server does not say. */
  timeline: string;
}

/** Rejects with the error of the connection, within the time. */
export async function probeServer(url: string, patienceMs: number = PROBE_MS): Promise<ServerState> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'marquee probe',
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string }>("select current_setting('transaction_read_only') as mode");
    const acceptsWrites = rows[0]?.mode === 'off';
    return { acceptsWrites, timeline: acceptsWrites ? await timelineOf(client) : '' };
  } finally {
    // A silent server hears no farewell.
    void client.end().catch(() => {});
    (client as unknown as { connection: { stream: { destroySoon(): void } } }).connection.stream.destroySoon();
  }
}

/** Some services do not let it be read. */
async function timelineOf(client: pg.Client): Promise<string> {
  const asked = client.query<{ timeline: string }>(`select ${TIMELINE} as timeline`).catch(() => null);
  return (await asked)?.rows[0]?.timeline ?? '';
}

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

const PROBE_MS = 1_500;
/** SQL: the file that is written to begins with the number of the timeline, eight hex digits. */
const TIMELINE = 'substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)';
/** Missing rights or functions, and a server in recovery (PostgreSQL documentation, appendix A: 0A, 42, 55). */
const UNREADABLE = /^(?:0A|42|55|database_right_missing)/;
