/** A pool of connections that outlives moves of the embedded engine, networks that go silent, and failovers of a server. */

import type { Duplex } from 'node:stream';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { ALL_IN_USE, isConnectionLost, NO_ANSWER, notLet, type StoreAddress, unreachable } from './connection-error.ts';
import { longQueryMs, poolWait, queryTimeLeft, waitLimit } from './deadline.ts';
import type { Primary } from './servers/primary.ts';
import { ClosingClient, createPrimaryClient, isReadOnlySession, PrimaryLostError } from './servers/server-client.ts';
import { StoreError } from './store-error.ts';

/** The pool whose connections `patientPool` hands out. `primary`: where there are several servers. */
export function createPool(settings: pg.PoolConfig, primary: Primary | null): pg.Pool {
  const pool = new pg.Pool({ ...settings, Client: primary ? createPrimaryClient(primary) : ClosingClient });
  // A connection that breaks says so by an event too, in the pool or in somebody's hands. Who uses it learns by its query.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * While the embedded engine moves from one process to another there is nobody to connect to: then connecting is tried again for
 * a while. A connection whose query timed out still waits for the answer of it: it is not used again.
 */
export function patientPool(
  pool: pg.Pool,
  address: StoreAddress,
  { primary, onDamage }: { primary: Primary | null; onDamage?: ((reason: string) => void) | undefined },
): PostgresPool {
  const isServer = address.kind === 'postgres';
  const idle = trackIdle(pool);
  /** When a connection was given back, or heard of its query. */
  let heardAt = performance.now();
  const noteLife = () => {
    heardAt = performance.now();
  };
  pool.on('release', noteLife);

  const run: RunQuery = isServer ? createServerQuery(address, idle, { noteLife, noteSilence: () => primary?.doubt() }) : send;

  const connect = createConnect(pool, address, () => heardAt);

  /** What the operator is told. */
  function tell(error: unknown): unknown {
    const told = notLet(address, error);
    if (told instanceof StoreError && told.code === 'database_damaged') onDamage?.((error as Error).message);
    return told;
  }

  function isUnusableAfter(error: unknown): boolean {
    if (!isServer || !isReadOnly(error)) return !(error instanceof pg.DatabaseError);
    leaveReadOnly();
    return true;
  }

  /** After a failover the old primary may answer as a standby: what connects again finds the new one. */
  function leaveReadOnly(): void {
    primary?.doubt();
    for (const old of idle) destroy(old);
  }

  /**
   * A first statement that was not run: the engine left while the connection lay idle, the server ended the idle session, or it has
   * become read-only and another server is the primary.
   */
  function mayMove(error: unknown, untouched: boolean): boolean {
    if (!untouched) return false;
    if (!isServer) return wasNeverRun(error);
    return wasIdleTooLong(error) || (primary !== null && isReadOnly(error));
  }

  async function lend(): Promise<Lent> {
    let client: pg.PoolClient | undefined = await connect();
    let unusable = false;
    let untouched = true;

    return {
      async query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
        for (let move = 1; ; move++) {
          client ??= await connect();
          try {
            const result = await run(client, text, values);
            untouched = false;
            return result;
          } catch (error) {
            unusable = isUnusableAfter(error) || unusable;
            if (!mayMove(error, untouched) || move === MAX_MOVES) throw tell(error);
            client.release(true);
            client = undefined;
            unusable = false;
          }
        }
      },
      release() {
        if (!client) return;
        const isOfStandby = isReadOnlySession(client);
        if (isOfStandby) leaveReadOnly();
        client.release(unusable || isOfStandby);
      },
    };
  }

  return {
    async connect() {
      const { query, release } = await lendInTime(lend);
      return { query: query as unknown as PostgresPoolClient['query'], release };
    },
    end: () => pool.end(),
  };
}

/** A connection that is somebody's until it is released. */
interface Lent {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult>;
  release(): void;
}

/** A connection whose statements may be given up while they run; see `limitWaits`. */
async function lendInTime(lend: () => Promise<Lent>): Promise<Lent> {
  const lending = lend();
  const lent = await (waitLimit()?.(lending, true) ?? lending).catch((error: unknown) => {
    lending.then(
      ({ release }) => release(),
      () => undefined,
    );
    throw error;
  });
  /** The statement nobody waits for any more. */
  let givenUp: { running: Promise<unknown>; error: unknown } | null = null;

  return {
    async query(text, values) {
      if (givenUp) throw givenUp.error;
      const inTime = waitLimit();
      if (!inTime) return lent.query(text, values);
      let isRunning = true;
      const running = lent.query(text, values).finally(() => {
        isRunning = false;
      });
      try {
        return await inTime(running, false);
      } catch (error) {
        if (isRunning) givenUp = { running, error };
        throw error;
      }
    },
    release() {
      if (!givenUp) return lent.release();
      const undo = () => lent.query('rollback', []);
      void givenUp.running
        .then(undo, undo)
        .catch(() => undefined)
        .finally(lent.release);
    },
  };
}

/** Gives what takes a connection out of the pool. `heardAt`: see `ConnectLimits`. */
function createConnect(pool: pg.Pool, address: StoreAddress, heardAt: () => number): () => Promise<pg.PoolClient> {
  const isServer = address.kind === 'postgres';

  /** Null: it was left behind a moment ago, and the pool has not heard of it yet. */
  async function connectOnce(): Promise<pg.PoolClient | null> {
    const client = await (isServer
      ? connectInTime(pool, { left: queryTimeLeft(), silentMs: poolWait(), heardAt })
      : pool.connect());
    if (!streamOf(client).destroyed) return client;
    client.release(true);
    return null;
  }

  /** Rejects with what the operator is told, unless connecting is to be tried again. */
  async function tryAgain(error: unknown, attempt: number, deadline: number): Promise<void> {
    if (error instanceof PrimaryLostError) {
      // Who connects again asks all servers which of them is the primary now.
      if (attempt === 1) return;
      throw unreachable(address, error.cause);
    }
    if (Date.now() > deadline || !isConnectionLost(error)) throw unreachable(address, error);
    await delay(MOVE_RETRY_MS);
  }

  return async () => {
    const deadline = Date.now() + (isServer ? 0 : MOVE_PATIENCE_MS);
    for (let attempt = 1; ; attempt++) {
      try {
        const client = await connectOnce();
        if (client) return client;
      } catch (error) {
        await tryAgain(error, attempt, deadline);
      }
    }
  };
}

type RunQuery = (client: pg.PoolClient, text: string, values: readonly unknown[]) => Promise<pg.QueryResult>;

/** `pg` waits for an answer as long as the pool has it, or as the query itself says. */
const send: RunQuery = (client, text, values) => {
  const query_timeout = longQueryMs();
  return client.query({ text, values: [...values], ...(query_timeout !== undefined && { query_timeout }) } as pg.QueryConfig);
};

interface Notes {
  /** A query was answered, or failed. */
  noteLife(): void;
  /** The server did not answer in time. */
  noteSilence(): void;
}

/** Queries of a server, each within the time that is left to it. */
function createServerQuery(address: StoreAddress, idle: ReadonlySet<pg.PoolClient>, { noteLife, noteSilence }: Notes): RunQuery {
  return async (client, text, values) => {
    const left = queryTimeLeft();
    if (left === undefined) return send(client, text, values).finally(noteLife);
    if (left <= 0) throw unreachable(address, new Error(NO_ANSWER));
    let isLate = false;
    // A network that lost one connection in silence has lost the others too; those in use have deadlines of their own.
    const timer = setTimeout(() => {
      isLate = true;
      noteSilence();
      for (const silent of [client, ...idle]) destroy(silent);
    }, left);
    try {
      return await send(client, text, values);
    } catch (error) {
      throw isLate ? unreachable(address, new Error(NO_ANSWER)) : error;
    } finally {
      clearTimeout(timer);
      noteLife();
    }
  };
}

/** Connections that nobody uses at the moment. */
function trackIdle(pool: pg.Pool): ReadonlySet<pg.PoolClient> {
  const idle = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('release', (_error, client) => idle.add(client));
  pool.on('remove', (client) => idle.delete(client));
  return idle;
}

interface ConnectLimits {
  left: number | undefined;
  /** So long a pool may be in use as a whole without a sign of life. */
  silentMs: number | undefined;
  heardAt(): number;
}

/** Where time is limited, connecting is given up early and goes on for whoever asks next: a slow one is not begun again and again. */
async function connectInTime(pool: pg.Pool, { left, silentMs, heardAt }: ConnectLimits): Promise<pg.PoolClient> {
  const isInUse = pool.totalCount >= pool.options.max && pool.idleCount <= pool.waitingCount;
  const connecting = pool.connect();
  if (left === undefined) return connecting;
  const late = Promise.withResolvers<never>();
  let isSettled = false;
  let isLate = false;
  const giveUp = (reason: string) => {
    if (isSettled) return;
    isLate = true;
    late.reject(new Error(reason));
  };
  const timer = setTimeout(() => giveUp(NO_ANSWER), Math.max(0, Math.min(left, CONNECT_PATIENCE_MS)));
  if (isInUse && silentMs !== undefined) void whenSilent(heardAt, silentMs, () => isSettled).then(() => giveUp(ALL_IN_USE));
  connecting.then(
    (client) => isLate && client.release(),
    () => {},
  );
  return Promise.race([connecting, late.promise]).finally(() => {
    isSettled = true;
    clearTimeout(timer);
  });
}

/** Resolves when nothing was heard for so long, from now on, or when nobody waits any more. */
async function whenSilent(heardAt: () => number, silentMs: number, isOver: () => boolean): Promise<void> {
  const begun = performance.now();
  for (let left = silentMs; left > 0 && !isOver(); left = silentMs - (performance.now() - Math.max(begun, heardAt()))) {
    await delay(left + 1, undefined, { ref: false });
    // What came while the event loop was busy is heard first.
    await nextTurn();
  }
}

/** Closes the socket without a word: on a silent network nobody would hear one. */
function destroy(client: pg.PoolClient): void {
  streamOf(client).destroy();
}

const streamOf = (client: pg.PoolClient): Duplex => (client as unknown as { connection: { stream: Duplex } }).connection.stream;

const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === READ_ONLY;

/** Of a first statement: whether nobody read it, or the engine had taken its leave before. */
function wasNeverRun(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return NEVER_RUN_CODES.has(code ?? '') || NEVER_SENT_MESSAGES.has(message);
}

/** Of a first statement on a server: the session had ended before (`idle_session_timeout`). */
function wasIdleTooLong(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === IDLE_SESSION_TIMEOUT || NEVER_SENT_MESSAGES.has(message);
}

/** idle_session_timeout. */
const IDLE_SESSION_TIMEOUT = '57P05';
/** read_only_sql_transaction. */
const READ_ONLY = '25006';
/** A look that begins just before the network is back must not hold up the next one for long. */
const CONNECT_PATIENCE_MS = 1_500;
const MOVE_PATIENCE_MS = 15_000;
const MOVE_RETRY_MS = 25;
const NEVER_RUN_CODES: ReadonlySet<string> = new Set(['EPIPE', '57P01']);
/** `pg` knew before it sent anything. */
const NEVER_SENT_MESSAGES: ReadonlySet<string> = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);
const MAX_MOVES = 5;
