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

  async function look(): Promise<string | null> {
    if (databaseFolder === null) return limitQueries(QUERY_MS, () => readServerSign(db));
    const { damaged } = await checkPages(databaseFolder, { rest: () => pause(restMs), signal });
    return damaged.length === 0 ? null : `damaged pages in ${(await namePages(db, damaged)).join(', ')}`;
  }

  async function watch(): Promise<void> {
    while (!signal.aborted) {
      try {
        await pause(pauseMs);
        const reason = await look();
        if (reason !== null) damage.note(reason);
      } catch (err) {
        // Whoever needs the database says that it is away.
        if (!signal.aborted) log.debug({ err }, 'cannot look for damage in the database');
      }
    }
  }

  const watching = watch();
  return async () => {
    closing.abort();
    await watching;
  };
}

/** Null: it has seen none lately, or keeps no checksums. */
async function readServerSign(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{ failures: string }>`
    select checksum_failures as failures from pg_stat_database
    where datname = current_database() and checksum_last_failure > now() - interval '1 day'`.execute(db);
  const failures = rows[0]?.failures;
  return failures === undefined ? null : `the server counts ${failures} pages that failed their checksum`;
}

/** With pieces of 256 kB, a megabyte a second: some thousandths of a core. */
const REST_MS = 250;
const PAUSE_MS = 15_000;
const QUERY_MS = 2_500;
