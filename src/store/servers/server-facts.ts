/** What an operator must know of a PostgreSQL server: its version, its clock, the settings that matter to Marquee, its standbys. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

export interface ServerFacts {
  version: string;
  /** How far its clock is ahead of this machine's, milliseconds; half of the time of the question uncertain. */
  clockAheadMs: number;
  isStandby: boolean;
  /** How old the newest replayed commit of a standby is, seconds; null for a primary. */
  replayAgeSeconds: number | null;
  fsync: boolean;
  synchronousCommit: string;
  /** Empty: commits wait for no standby. */
  synchronousStandbys: string;
  defaultReadOnly: boolean;
  /** Whether each page has a checksum, by which damage is noticed. */
  hasChecksums: boolean;
  /** Pages of this database, or of what all databases share, that failed theirs since the statistics were reset. */
  checksumFailures: number;
  /** 0: idle sessions are not ended. */
  idleSessionTimeoutMs: number;
  /** For users without special rights. */
  maxConnections: number;
  /** Of all databases of the server. */
  openConnections: number;
}

export interface StandbyFacts {
  /** As it calls itself. */
  name: string;
  /** `async`, `sync`, `quorum` or `potential`; null where the user may not see it. */
  syncState: string | null;
  lagBytes: number | null;
  lagSeconds: number | null;
}

export async function readServerFacts(db: Kysely<Database>): Promise<ServerFacts> {
  const asked = Date.now();
  const { rows } = await sql<ServerFacts & { now: number }>`
    select current_setting('server_version') as version,
      extract(epoch from clock_timestamp())::float8 * 1000 as now,
      pg_is_in_recovery() as "isStandby",
      case when pg_is_in_recovery() then extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 end
        as "replayAgeSeconds",
      current_setting('fsync')::boolean as fsync,
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbys",
      current_setting('default_transaction_read_only')::boolean as "defaultReadOnly",
      current_setting('data_checksums')::boolean as "hasChecksums",
      (select coalesce(sum(checksum_failures), 0)::int from pg_stat_database
        where datname = current_database() or datid = 0) as "checksumFailures",
      (select setting::int from pg_settings where name = 'idle_session_timeout') as "idleSessionTimeoutMs",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "openConnections"`.execute(db);
  const answered = Date.now();
  const [row] = rows;
  if (!row) throw new Error('the server says nothing of itself');
  const { now, ...facts } = row;
  return { ...facts, clockAheadMs: now - (asked + answered) / 2 };
}

/** The standbys that follow this server now; none on a standby without any. */
export async function readStandbys(db: Kysely<Database>): Promise<StandbyFacts[]> {
  const { rows } = await sql<StandbyFacts>`
    select application_name as name, sync_state as "syncState",
      pg_wal_lsn_diff(sent_lsn, replay_lsn)::float8 as "lagBytes", extract(epoch from replay_lag)::float8 as "lagSeconds"
    from pg_stat_replication order by application_name, pid`.execute(db);
  return rows;
}
