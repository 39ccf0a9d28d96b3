/**
 * The database as pages see it: one that does not answer in time counts as one that is down. This is the only place that decides how
 * long a page waits for it, and what of its errors means "later" and not "broken".
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, type Driver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Log } from '../../../log.ts';
import { type Database, limitQueries, StoreError } from '../../../store/index.ts';

/** How the database treated one request of a page. */
export interface DatabaseTrouble {
  /** A statement failed because the database is away, full, locked or only readable. */
  isAway: boolean;
}

export interface PatientDatabaseOptions {
  db: Kysely<Database>;
  log: Log;
  /** So long nothing is heard of the database until a wait for it is given up. */
  patienceMs?: number | undefined;
}

export interface PatientDatabase {
  db: Kysely<Database>;
  /** The same limit for work that another thread does with the database. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** The same for work that the page can do without where the database takes no writes. */
  tryFor(work: Promise<unknown>): Promise<void>;
}

/** Runs `work`, whose waits for a database of `createPatientDatabase` are limited and whose trouble with it is noted. */
export const noteTrouble = <T>(trouble: DatabaseTrouble, work: () => Promise<T>): Promise<T> =>
  asking.run(trouble, () => limitQueries(CONNECTION_MS, work));

/** Waits for the database that end after `patienceMs` without a sign of it. */
function createPatience(log: Log, patienceMs: number): Patience {
  let heardAt = performance.now();
  let failing = false;

  function note(error: unknown): void {
    const trouble = asking.getStore();
    if (!trouble || !isAway(error)) return;
    trouble.isAway = true;
    if (!failing) log.warn({ error: describe(error) }, 'database unreachable for the pages');
    failing = true;
  }

  return {
    patienceMs,
    async inTime(work, isQueued) {
      const late = Promise.withResolvers<never>();
      const began = performance.now();
      const giveUp = () => {
        const quiet = performance.now() - (isQueued ? Math.max(began, heardAt) : began);
        // What came while this process stood still is read first: its own standstill is none of the database.
        if (quiet >= patienceMs) return void setImmediate(() => late.reject(new NoAnswer(patienceMs)));
        timer = setTimeout(giveUp, patienceMs - quiet + 1);
      };
      let timer = asking.getStore() ? setTimeout(giveUp, patienceMs) : undefined;
      try {
        const result = await Promise.race([work, late.promise]);
        heardAt = performance.now();
        if (failing) log.info('database reachable again for the pages');
        failing = false;
        return result;
      } catch (error) {
        note(error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

interface Patience {
  patienceMs: number;
  /** `isQueued`: the work waits in a queue, so answers to others are a sign of the database, too. */
  inTime<T>(work: Promise<T>, isQueued: boolean): Promise<T>;
}

/**
 * The same database with limited waits. A statement that was given up may run on, so its connection goes back to the pool only when
 * it has ended, and without an open transaction. Work outside of `noteTrouble` waits as long as the pool lets it.
 */
export function createPatientDatabase({ db, log, patienceMs = PATIENCE_MS }: PatientDatabaseOptions): PatientDatabase {
  const patience = createPatience(log, patienceMs);
  const driver = createDriver(db, patience);
  const patient = new Kysely<Database>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (other) => new PostgresIntrospector(other),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    db: patient,
    waitFor: (work) => patience.inTime(work, false),
    async tryFor(work) {
      try {
        await patience.inTime(work, false);
      } catch (error) {
        if (error instanceof NoAnswer || !isAway(error)) throw error;
      }
    },
  };
}

/** Connections of `db`, each lent as long as its statements run. */
function createDriver(db: Kysely<Database>, patience: Patience): Driver {
  const held = new WeakMap<object, Held>();
  const heldBy = (connection: object): Held => {
    const found = held.get(connection);
    if (!found) throw new Error('a connection of another pool');
    return found;
  };
  const command = async (connection: object, sql: string) =>
    void (await runQuery(heldBy(connection), CompiledQuery.raw(sql), patience));

  return {
    init: async () => undefined,
    async acquireConnection() {
      const taken = await acquire(db, patience);
      const connection = {
        executeQuery: <Row>(query: CompiledQuery) => runQuery(taken, query, patience) as Promise<{ rows: Row[] }>,
        streamQuery: () => {
          throw new Error('pages read no streams of rows');
        },
      };
      held.set(connection, taken);
      return connection;
    },
    beginTransaction: (connection, { isolationLevel, accessMode }) =>
      command(
        connection,
        ['start transaction', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' '),
      ),
    commitTransaction: (connection) => command(connection, 'commit'),
    rollbackTransaction: (connection) => command(connection, 'rollback'),
    async releaseConnection(connection) {
      giveBack(heldBy(connection));
    },
    destroy: async () => undefined,
  };
}

async function acquire(db: Kysely<Database>, patience: Patience): Promise<Held> {
  const acquired = Promise.withResolvers<Kysely<Database>>();
  const released = Promise.withResolvers<void>();
  const lent = db.connection().execute(async (connection) => {
    acquired.resolve(connection);
    await released.promise;
  });
  lent.catch(acquired.reject);
  try {
    const connection = await patience.inTime(acquired.promise, true);
    return { connection, release: released.resolve, givenUp: null };
  } catch (error) {
    released.resolve();
    throw error;
  }
}

async function runQuery(held: Held, query: CompiledQuery, { inTime, patienceMs }: Patience) {
  if (held.givenUp) throw new NoAnswer(patienceMs);
  const running = held.connection.executeQuery(query);
  try {
    return await inTime(running, false);
  } catch (error) {
    if (error instanceof NoAnswer) held.givenUp = running;
    throw error;
  }
}

/** A statement that was given up ends first, and its transaction with it. */
function giveBack({ connection, givenUp, release }: Held): void {
  if (!givenUp) {
    release();
    return;
  }
  const undo = () => connection.executeQuery(CompiledQuery.raw('rollback'));
  void givenUp
    .then(undo, undo)
    .catch(() => undefined)
    .finally(release);
}

interface Held {
  connection: Kysely<Database>;
  release(): void;
  /** The statement nobody waits for any more. */
  givenUp: Promise<unknown> | null;
}

class NoAnswer extends Error {
  readonly code = 'database_silent';

  constructor(patienceMs: number) {
    super(`the database did not answer within ${patienceMs} ms`);
  }
}

/** Whether it is worth asking again later: no connection, no answer, no room, a lock, or only reading allowed. */
function isAway(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return typeof code !== 'string' || !SQLSTATE.test(code) || LATER.test(code);
}

/** What may be logged: no text of a query and no parameters. */
function describe(error: unknown): { code: string; message: string } {
  const { code, message } = causeOf(error) as { code?: unknown; message?: unknown };
  return { code: String(code ?? 'none'), message: String(message ?? error) };
}

/** The store says of some errors in a sentence of its own what the operator can put right. */
const causeOf = (error: unknown): unknown => (error instanceof StoreError ? (error.cause ?? error) : error) ?? {};

const asking = new AsyncLocalStorage<DatabaseTrouble>();

/** With what a page needs to say so, within two seconds. */
const PATIENCE_MS = 1_700;
/** A server's connection that is silent for longer is left behind. */
const CONNECTION_MS = 5_000;
/** Five letters or digits with a digit among them; `EPIPE` is none (PostgreSQL documentation, appendix A). */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Connection exception, insufficient resources, operator intervention, system error, read-only transaction, lock not available. */
const LATER = /^(?:08|53|57|58)|^(?:25006|55P03)$/;
