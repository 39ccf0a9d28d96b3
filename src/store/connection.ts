/** Pools of connections to a store that is open somewhere, and Kysely on top of them. */

import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { SOCKET_PORT } from './engine/data-folder.ts';
import { createLookout, type Lookout } from './lookout.ts';
import type { Database } from './schema.ts';
import { StoreError } from './store-error.ts';

/** Where an open store is reached; plain data, may be sent to a worker thread. Holds a password: never log it. */
export type StoreAddress =
  | { kind: 'embedded'; socketFolder: string /** See `engine/commit-count.ts`. */; commits: SharedArrayBuffer }
  | { kind: 'postgres'; databaseUrl: string };

export interface Connection {
  readonly db: Kysely<Database>;
  /** One for each follower. */
  createLookout(): Lookout;
  close(): Promise<void>;
}

/** For worker threads: a small pool of their own to a store that the main thread opened and keeps open. */
export function connectStore(address: StoreAddress, poolSize: number = WORKER_POOL_SIZE): Connection {
  const pool = new pg.Pool({ ...target(address), ...POOL_SETTINGS, max: poolSize, Client: ClosingClient });
  // A connection that breaks says so by an event too, in the pool or in somebody's hands. Who uses it learns by its query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: patientPool(pool, address) }) });
  return {
    db,
    createLookout: () => createLookout(address.kind === 'embedded' ? address.commits : undefined),
    async close() {
      // A connection that is never given back must not hold the end of the process.
      await Promise.race([db.destroy(), delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
    },
  };
}

/**
 * While the embedded engine moves from one process to another there is nobody to connect to: then connecting is tried again for
 * a while. A connection whose query timed out still waits for the answer of it: it is not used again.
 */
function patientPool(pool: pg.Pool, address: StoreAddress): PostgresPool {
  async function connect(): Promise<pg.PoolClient> {
    const deadline = Date.now() + (address.kind === 'embedded' ? MOVE_PATIENCE_MS : 0);
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (Date.now() > deadline || !isConnectionLost(error)) throw unreachable(address, error);
        await delay(MOVE_RETRY_MS);
      }
    }
  }
  return {
    async connect() {
      let client: pg.PoolClient | undefined = await connect();
      let unusable = false;
      let untouched = true;
      const query = async (text: string, values: readonly unknown[]) => {
        for (let move = 1; ; move++) {
          client ??= await connect();
          try {
            const result = await client.query(text, [...values]);
            untouched = false;
            return result;
          } catch (error) {
            unusable ||= !(error instanceof pg.DatabaseError);
            const moved = address.kind === 'embedded' && untouched && wasNeverRun(error);
            if (!moved || move === MOST_MOVES) throw notLet(address, error);
            // The engine left while the connection lay idle: the statement goes to its new place.
            client.release(true);
            client = undefined;
            unusable = false;
          }
        }
      };
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client?.release(unusable) };
    },
    end: () => pool.end(),
  };
}

/** A sign-in that failed on this side leaves the socket open, and with it the process, until the server loses patience (a minute). */
class ClosingClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(done: (error: Error | null) => void): void;
  override connect(done?: (error: Error | null) => void): Promise<pg.Client> | undefined {
    if (!done) return super.connect();
    super.connect((error: Error | null) => {
      if (error) void this.end();
      done(error);
    });
    return undefined;
  }
}

/** Of a first statement: whether nobody read it, or the engine had taken its leave before. */
function wasNeverRun(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return NEVER_RUN_CODES.has(code ?? '') || NEVER_SENT_MESSAGES.has(message);
}

/** Whether the other end went away, or is not there yet. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return LOST_CODES.has(code ?? '') || LOST_MESSAGES.has(message);
}

/** What a failed connection means to the person who gave the address. Other errors pass as they are. */
function unreachable(address: StoreAddress, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const database = describe(address);
  if (LOGIN_STATES.has(code)) return new StoreError('database_login_refused', { database, reason: message }, error);
  if (error instanceof pg.DatabaseError) return new StoreError('database_unreachable', { database, reason: message }, error);
  if (message.startsWith(SIGN_IN_FAULT)) {
    const reason = NO_PASSWORD.test(message) ? 'it wants a password, and none was given' : message;
    return new StoreError('database_login_refused', { database, reason }, error);
  }
  const known = REASONS[code] ?? (/timeout/.test(message) ? 'no answer in time' : message || code);
  return new StoreError('database_unreachable', { database, reason: known }, error);
}

/** What the operator can put right, as a sentence. Other errors pass as they are. */
function notLet(address: StoreAddress, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const refusal = Object.hasOwn(NOT_LET, code) ? NOT_LET[code as keyof typeof NOT_LET] : undefined;
  return refusal ? new StoreError(refusal, { database: describe(address), reason: message }, error) : error;
}

/** The database in words without user and password. */
export function describe(address: StoreAddress): string {
  if (address.kind === 'embedded') return `in ${address.socketFolder}`;
  const url = new URL(address.databaseUrl);
  return `${decodeURIComponent(url.pathname.slice(1)) || 'postgres'} at ${url.host || url.searchParams.get('host') || 'localhost'}`;
}

function target(address: StoreAddress): pg.PoolConfig {
  if (address.kind === 'postgres') {
    return { ...SERVER_SETTINGS, connectionString: address.databaseUrl };
  }
  return { ...ENGINE_SETTINGS, host: address.socketFolder };
}

const SERVER_SETTINGS = {
  application_name: 'marquee',
  connectionTimeoutMillis: 10_000,
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
const WORKER_POOL_SIZE = 2;
const MOVE_PATIENCE_MS = 15_000;
const MOVE_RETRY_MS = 25;
const CLOSE_PATIENCE_MS = 5000;
/** With admin_shutdown, crash_shutdown and cannot_connect_now. */
const LOST_CODES: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAGAIN',
  '57P01',
  '57P02',
  '57P03',
]);
const NEVER_RUN_CODES: ReadonlySet<string> = new Set(['EPIPE', '57P01']);
/** `pg` knew before it sent anything. */
const NEVER_SENT_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);
const MOST_MOVES = 5;
/** What `pg` says without a code. */
const LOST_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
]);
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'nothing listens there',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be looked up',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'no answer in time',
};
/** invalid_password, invalid_authorization_specification, invalid_catalog_name, insufficient_privilege. */
const LOGIN_STATES: ReadonlySet<string> = new Set(['28P01', '28000', '3D000', '42501']);
/** What `pg` itself finds wrong with signing in by SCRAM, without a code. */
const SIGN_IN_FAULT = 'SASL: ';
const NO_PASSWORD = /client password must be a (non-empty )?string/;
/** insufficient_privilege, read_only_sql_transaction, disk_full: of statements. */
const NOT_LET = { '42501': 'database_right_missing', '25006': 'database_read_only', '53100': 'database_full' } as const;
