/** Makes backups when they are due, one at a time over all workers, and deletes old ones when newer ones are proven. */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { BackupPlan } from '../../backup-plan.ts';
import type { Log } from '../../log.ts';
import { type Database, type Lease, tryLease } from '../../store/index.ts';
import { type BackupPlace, dropPieces, findBackup, placeIn, removeBackup } from '../places.ts';
import { type BackupTask, backupInProcess, type ScheduledReport } from './backup-in-process.ts';
import { type BackupRows, createBackupRows, loadBackupState, nextBackupAt } from './backup-rows.ts';

export interface BackupScheduleOptions {
  db: Kysely<Database>;
  plan: BackupPlan;
  store: BackupTask['store'];
  /** Of the service. */
  secret: string;
  /** Milliseconds. */
  now: () => number;
  log: Log;
}

/** Makes a backup if one is due and nobody else makes one. Resolves at its end; `signal` ends it where it stands. Fails for none. */
export async function makeDueBackup(options: BackupScheduleOptions, signal: AbortSignal): Promise<void> {
  const { db, plan, now } = options;
  const isDue = async () => now() >= nextBackupAt(await loadBackupState(db, plan.placeName, now()), plan.everyMs);
  if (!(await isDue())) return;
  const lease = await tryLease(db, LEASE, LEASE_SECONDS);
  if (!lease) return;
  const rows = createBackupRows(db, plan.placeName, now);
  try {
    await endAbandoned(options, rows);
    // Another worker may have made it, or failed, a moment ago.
    if (!(await isDue())) return;
    if (await makeBackup(options, rows, lease, signal)) await deleteOld(options, rows, lease);
  } finally {
    await lease.release().catch(() => undefined);
  }
}

/** Whoever began them is gone, by a crash or in order: the lease is ours. */
async function endAbandoned({ plan, log }: BackupScheduleOptions, rows: BackupRows): Promise<void> {
  for (const { id, name } of await rows.list('running')) {
    log.warn({ backup: name }, 'a scheduled backup was interrupted; starting over');
    await rows.mark(id, 'interrupted');
    await dropPieces(placeIn(plan.place, name));
  }
}

/** Whether there is a new one. */
async function makeBackup(
  { plan, store, secret, now, log }: BackupScheduleOptions,
  rows: BackupRows,
  lease: Lease,
  signal: AbortSignal,
): Promise<boolean> {
  const id = randomUUID();
  const name = nameOf(now(), id);
  const place = placeIn(plan.place, name);
  await rows.begin(id, name);
  try {
    const work = (ending: AbortSignal) => backupInProcess({ store, place, secret }, ending);
    const facts = await holding(lease, signal, work);
    await rows.complete(id, facts);
    log.info({ backup: name, place: plan.placeName, ...facts }, 'a scheduled backup is complete');
    return true;
  } catch (error) {
    // The service stops: whoever starts next makes the backup at once.
    if (signal.aborted) return false;
    const reason = (error as Error).message;
    log.error({ backup: name, place: plan.placeName, reason }, 'a scheduled backup failed');
    // A process that was killed leaves its pieces, or a whole file that nobody proved. No list would name them from now on.
    if (await rows.fail(id, reason)) await removeAll(place).catch(() => undefined);
    return false;
  }
}

async function removeAll(place: BackupPlace): Promise<void> {
  await removeBackup(place);
  await dropPieces(place);
}

/** Prolongs the lease while it works. If the lease is lost, somebody else makes the backup. */
async function holding(
  lease: Lease,
  signal: AbortSignal,
  work: (ending: AbortSignal) => Promise<ScheduledReport>,
): Promise<ScheduledReport> {
  const losing = new AbortController();
  const timer = setInterval(() => {
    // A database that does not answer now may answer before the lease ends.
    lease.prolong().then(
      (isOurs) => isOurs || losing.abort(),
      () => undefined,
    );
  }, PROLONG_EVERY_MS);
  try {
    const report = await work(AbortSignal.any([signal, losing.signal]));
    if (!(await lease.prolong())) throw new Error('another worker took the backup over');
    return report;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Keeps the newest ones and deletes the rest. One counts only if its file is where it was written, with its size: a file that somebody took
 * away spares an older one. Only files of our own rows are looked at.
 */
async function deleteOld({ plan, log }: BackupScheduleOptions, rows: BackupRows, lease: Lease): Promise<void> {
  let kept = 0;
  // One that was interrupted may have got its name in the last moment. Nobody proved it.
  for (const { id, name } of await rows.list('interrupted')) {
    await removeBackup(placeIn(plan.place, name));
    await rows.mark(id, 'deleted');
  }
  for (const { id, name, bytes } of await rows.list('complete')) {
    if (!(await lease.prolong())) return;
    const place = placeIn(plan.place, name);
    const found = await findBackup(place);
    if (found?.bytes !== bytes) {
      log.warn({ backup: name, place: plan.placeName }, 'a scheduled backup is no longer where it was written, or was changed');
      await rows.mark(id, 'missing');
    } else if (kept < plan.keep) kept += 1;
    else {
      await removeBackup(place);
      await rows.mark(id, 'deleted');
      log.info({ backup: name, place: plan.placeName }, 'deleted an old scheduled backup');
    }
  }
}

/** `marquee-20261125T150614Z-3f2a9c1d.backup` */
const nameOf = (at: number, id: string): string =>
  `marquee-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}-${id.slice(0, 8)}.backup`;

const LEASE = 'backup';
/** Longer than a full event loop or a database that fails over keeps the holder from saying something. */
const LEASE_SECONDS = 60;
const PROLONG_EVERY_MS = 15_000;
