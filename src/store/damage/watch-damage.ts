/**
 * Looks for damage before somebody needs what is damaged: a table that is served from memory may not be read for weeks.
 *
 *   embedded ─── its files, page by page, all the time and slowly
 *   a server ─── its own count of pages that failed their checksum
 */

import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../../log.ts';
import { limitQueries } from '../deadline.ts';
import type { Store } from '../open-store.ts';
import type { Database } from '../schema.ts';
import { namePages } from './name-relation.ts';
import { checkPages } from './page-files.ts';

export interface WatchDamageOptions {
  store: Pick<Store, 'db' | 'databaseFolder' | 'damage'>;
  log: Log;
  /** After each piece of pages, milliseconds. */
  restMs?: number;
  /** Between two looks, milliseconds. */
  pauseMs?: number;
}

/** Gives what ends it. */
export function watchDamage({ store, log, restMs = REST_MS, pauseMs = PAUSE_MS }: WatchDamageOptions): () => Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  const { db, databaseFolder, damage } = store;
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false });

  async function lookAtServer(): Promise<void> {
    const sign = await limitQueries(QUERY_MS, () => readServerSign(db));
    // The server remembers its last one for longer than a day.
    if (sign) damage.note(sign.reason, Date.now() - sign.ageMs);
  }

  async function lookAtFiles(folder: string): Promise<void> {
    const { damaged } = await checkPages(folder, { rest: () => pause(restMs), signal });
    if (damaged.length > 0) damage.note(`damaged pages in ${(await namePages(db, damaged)).join(', ')}`);
  }

  let hasFailed = false;
  /** Whoever needs a server says that it is away. Files that cannot be read are nobody else's. */
  function tellFailure(err: unknown): void {
    if (signal.aborted) return;
    log[databaseFolder === null || hasFailed ? 'debug' : 'warn']({ err }, 'cannot look for damage in the database');
    hasFailed = true;
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      try {
        await pause(pauseMs);
        await (databaseFolder === null ? lookAtServer() : lookAtFiles(databaseFolder));
        hasFailed = false;
      } catch (err) {
        tellFailure(err);
      }
    }
  }

  const watching = watch();
  return async () => {
    closing.abort();
    await watching;
  };
}

/** Null: it has seen none lately, or keeps no checksums. Database 0 is what all databases share. */
async function readServerSign(db: Kysely<Database>): Promise<{ reason: string; ageMs: number } | null> {
  const { rows } = await sql<{ failures: string | null; ageMs: number }>`
    select sum(checksum_failures) as failures,
      (extract(epoch from now() - max(checksum_last_failure)) * 1000)::float8 as "ageMs"
    from pg_stat_database
    where (datname = current_database() or datid = 0) and checksum_last_failure > now() - interval '1 day'`.execute(db);
  const [sign] = rows;
  if (!sign || sign.failures === null) return null;
  return { reason: `the server counts ${sign.failures} pages that failed their checksum`, ageMs: sign.ageMs };
}

/** With pieces of 256 kB, a megabyte a second: some thousandths of a core. */
const REST_MS = 250;
const PAUSE_MS = 15_000;
const QUERY_MS = 2_500;
