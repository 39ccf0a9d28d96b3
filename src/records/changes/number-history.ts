/**
 * When numbers of the change log may be used again: after a restore, after a failover that lost commits, after a point-in-time recovery.
 * Then epoch and history are renewed: every cursor outside is refused, and every follower inside starts over.
 */

import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../../log.ts';
import { type Database, limitQueries, readTimeline, renewHistory, transact } from '../../store/index.ts';
import { renewEpoch } from './change-log.ts';

/** For a store that was filled from a backup. */
export async function beginHistory(trx: Transaction<Database>): Promise<void> {
  await renewHistory(trx);
  await renewEpoch(trx);
  await trx.updateTable('change_log').set({ timeline: null }).execute();
}

/** A follower saw numbers of this history that are gone. Gives whether it was renewed; one of many followers does it. */
export const renewLostHistory = (db: Kysely<Database>, history: string): Promise<boolean> =>
  transact(db, async (trx) => {
    const isRenewed = await renewHistory(trx, history);
    if (isRenewed) await renewEpoch(trx);
    return isRenewed;
  });

/** Compares the timeline of the server with the one before. Gives whether the history was renewed for it. */
export async function checkTimeline(db: Kysely<Database>): Promise<boolean> {
  const timeline = await readTimeline(db);
  if (timeline === null || (await readNoted(db)) === timeline) return false;
  return transact(db, async (trx) => {
    const noted = await readNoted(trx, true);
    if (noted === timeline) return false;
    await trx.updateTable('change_log').set({ timeline }).execute();
    if (noted === null) return false;
    await renewHistory(trx);
    await renewEpoch(trx);
    return true;
  });
}

async function readNoted(db: Kysely<Database>, isToBeChanged = false): Promise<string | null> {
  const noted = db.selectFrom('change_log').select('timeline');
  return (await (isToBeChanged ? noted.forUpdate() : noted).executeTakeFirstOrThrow()).timeline;
}

export interface TimelineWatch {
  /** Resolves when no look is running or will come. */
  close(): Promise<void>;
}

/**
 * Looks now and then; the first look has ended when this resolves. A look that fails is no news: others say that the database is away.
 */
export async function watchTimeline({ db, log, everyMs = EVERY_MS }: WatchOptions): Promise<TimelineWatch> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = async () => {
    const isRenewed = await limitQueries(QUERY_MS, () => checkTimeline(db)).catch(() => false);
    if (isRenewed) log.warn('the database server has another timeline; the change log begins a new epoch');
    if (!isClosed) timer = setTimeout(begin, everyMs).unref();
  };
  const begin = () => {
    running = look();
  };
  begin();
  await running;
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

interface WatchOptions {
  db: Kysely<Database>;
  log: Log;
  everyMs?: number;
}

const EVERY_MS = 2_000;
/** Connections that a silent network lost hold up neither the next look nor the end of the process for longer. */
const QUERY_MS = 5_000;
