/** `runDueSources`: the sources whose time has come, one after another. */

import type { Kysely } from 'kysely';
import type { Log } from '../log.ts';
import type { Database } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { runSource } from './run-source.ts';
import { listSources } from './sources.ts';

/** A source that fails keeps its error, is logged, and does not hold up the others. Returns the names of those that ran. */
export async function runDueSources(options: {
  store: { db: Kysely<Database> };
  now: () => number;
  log: Log;
}): Promise<string[]> {
  const { store, now, log } = options;
  const ran: string[] = [];
  for (const { name, everySeconds, lastRunAt } of await listSources({ store })) {
    const due = everySeconds !== null && (lastRunAt === null || lastRunAt + everySeconds * 1000 <= now());
    if (!due) continue;
    ran.push(name);
    try {
      const { venues, events, dropped, rejectedCount } = await runSource({ store, name, now });
      log.info({ source: name, venues, events, dropped, rejectedCount }, 'source run');
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      log.warn({ source: name, reason: error.message }, 'source failed');
    }
  }
  return ran;
}
