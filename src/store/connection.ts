/** Pools of connections to a store that is open somewhere, and Kysely on top of them. */

import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, type LogEvent, PostgresDialect } from 'kysely';
import pg from 'pg';
import { type DatabaseUrl, parseDatabaseUrl } from '../values/database-url.ts';
import { type CommitWatcher, createCommitWatcher } from './commit-watcher.ts';
import type { StoreAddress } from './connection-error.ts';
import { SOCKET_PORT } from './engine/data-folder.ts';
import { createPool, patientPool } from './patient-pool.ts';
import type { Database } from './schema.ts';
import { createPrimary } from './servers/primary.ts';
import { StoreError } from './store-error.ts';

export interface Connection {
  readonly db: Kysely<Database>;
  /** One for each follower. */
  createCommitWatcher(): CommitWatcher;
  close(): Promise<void>;
}

/** Told of each query that is over. `text`: with placeholders for its values. */
export type OnQuery = (text: string, milliseconds: number, isError: boolean) => void;

export interface ConnectOptions {
  /** A server ends statements that take longer. */
  statementMs?: number | undefined;
  /** So long an answer is waited for, on either engine; 90 s unless told. */
  queryMs?: number | undefined;
  onQuery?: OnQuery | undefined;
  /** Told of each query that met damage. */
  onDamage?: ((reason: string) => void) | undefined;
}

/** For worker threads: a small pool of their own to a store that the main thread opened and keeps open. */
export function connectStore(
  address: StoreAddress,
  poolSize: number = WORKER_POOL_SIZE,
  { statementMs, queryMs, onQuery, onDamage }: ConnectOptions = {},
): Connection {
  const limit = address.kind === 'postgres' && statementMs !== undefined && { statement_timeout: statementMs };
  const servers = address.kind === 'postgres' ? readDatabaseUrl(address.databaseUrl) : null;
  const primary = servers?.needsPrimary ? createPrimary(servers.urls) : null;
  const wait = queryMs !== undefined && { query_timeout: queryMs };
  const pool = createPool({ ...target(address, servers), ...POOL_SETTINGS, ...limit, ...wait, max: poolSize }, primary);
  const dialect = new PostgresDialect({ pool: patientPool(pool, address, { primary, onDamage }) });
  const db = new Kysely<Database>({ dialect, ...(onQuery && { log: (event) => pass(event, onQuery) }) });
  return {
    db,
    createCommitWatcher: () => createCommitWatcher(address.kind === 'embedded' ? address.commits : undefined),
    async close() {
      // A connection that is never given back must not hold the end of the process.
      await Promise.race([db.destroy(), delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

const pass = ({ level, query, queryDurationMillis }: LogEvent, onQuery: OnQuery): void =>
  onQuery(query.sql, queryDurationMillis, level === 'error');

/** Throws a `StoreError` that repeats nothing of the address. */
export function readDatabaseUrl(text: string): DatabaseUrl {
  const servers = parseDatabaseUrl(text);
  if (typeof servers === 'string') throw new StoreError('database_url_invalid', { fault: servers });
  return servers;
}

function target(address: StoreAddress, servers: DatabaseUrl | null): pg.PoolConfig {
  // Several servers differ in host and port, which each client is given when it connects.
  if (servers) return { ...SERVER_SETTINGS, connectionString: servers.urls[0] };
  return { ...ENGINE_SETTINGS, ...(address.kind === 'embedded' && { host: address.socketFolder }) };
}

const SERVER_SETTINGS = {
  application_name: 'marquee',
  // Also the wait for a connection while all are in use.
  connectionTimeoutMillis: 5_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 60_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
/** The engine does one thing at a time, greeting included: whoever connects may have to wait for a long statement to end. */
const ENGINE_SETTINGS = {
  port: SOCKET_PORT,
  user: 'postgres',
  database: 'postgres',
  password: '',
  ssl: false,
  connectionTimeoutMillis: 30_000,
} as const;
/** A `date` is a calendar day, not a moment: it stays the text YYYY-MM-DD. All else as `pg` reads it. */
const DATE_OID = 1082;
const POOL_SETTINGS = {
  // Above every limit of the server: only a server or a network that is gone lets it come to this.
  query_timeout: 90_000,
  idleTimeoutMillis: 30_000,
  types: {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === DATE_OID ? (text: string) => text : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  },
};
/** With room for connections that a silent network left half open. */
const WORKER_POOL_SIZE = 5;
const CLOSE_PATIENCE_MS = 5000;
