/**
 * What PostgreSQL's background processes do elsewhere. The embedded engine has none: unasked, its log would grow until it is
 * closed, a start after kill -9 would replay all of it, dead rows would stay and the planner would know nothing of the tables.
 */

import type { PGlite } from '@electric-sql/pglite';
import type { Multiplexer } from './multiplexer.ts';

export interface EngineMaintenanceOptions {
  db: PGlite;
  multiplexer: Multiplexer;
  onError: (error: unknown) => void;
  lookEveryMs?: number;
  /** How much log may be written before it is made superfluous. */
  checkpointBytes?: number;
}

/** Works only after something was run, one small piece at a time. Gives the function that ends it. */
export function runMaintenance(options: EngineMaintenanceOptions): () => Promise<void> {
  const { db, multiplexer, onError, lookEveryMs = LOOK_EVERY_MS, checkpointBytes = CHECKPOINT_BYTES } = options;
  let seenUnits = -1;
  let checkpointAt = Date.now();
  let checkpointWal = 0;
  let sweptAt = 0;
  let lastTable: string | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (multiplexer.unitsRun() === seenUnits) return;
    seenUnits = multiplexer.unitsRun();
    const wal = await multiplexer.acquire(() => walPosition(db));
    const written = wal - checkpointWal;
    if (written > checkpointBytes || (written > 0 && Date.now() - checkpointAt > CHECKPOINT_EVERY_MS)) {
      await multiplexer.acquire(() => db.exec('checkpoint'));
      checkpointWal = await multiplexer.acquire(() => walPosition(db));
      checkpointAt = Date.now();
    }
    const rests = Date.now() - sweptAt < SWEEP_EVERY_MS;
    const table = await multiplexer.acquire(() => tableToVacuum(db, rests ? MANY_ROWS : SOME_ROWS));
    if (table) await multiplexer.acquire(() => db.exec(`vacuum (analyze) ${table}`));
    // Where nothing is left, or only what changes all the time.
    if (!rests && (!table || table === lastTable)) sweptAt = Date.now();
    lastTable = table;
  }

  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError);
  }, lookEveryMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

async function walPosition(db: PGlite): Promise<number> {
  const { rows } = await db.query<{ bytes: string }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as bytes`);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * On top of `rows` PostgreSQL's own threshold of autovacuum (documentation, "The Autovacuum Daemon") for dead rows, and a higher one for
 * new ones: an import lets tables grow for half a minute, and nobody else works while they are looked at. The most changed table first.
 */
async function tableToVacuum(db: PGlite, rows: number): Promise<string | undefined> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
     where n_dead_tup > $1 + 0.2 * n_live_tup or n_mod_since_analyze > $1 + 0.5 * n_live_tup
     order by n_mod_since_analyze + n_dead_tup desc limit 1`,
    [rows],
  );
  return tables[0]?.name;
}

const LOOK_EVERY_MS = 5000;
const CHECKPOINT_EVERY_MS = 300_000;
/** A start after kill -9 replays so much at most, in a few seconds; after each checkpoint every page that is touched is logged whole. */
const CHECKPOINT_BYTES = 128 * 1024 * 1024;
/** As autovacuum_naptime: a few changed rows can wait so long. Many cannot: an import plans its statements by what it has just written. */
const SWEEP_EVERY_MS = 60_000;
const SOME_ROWS = 50;
const MANY_ROWS = 1_000;
