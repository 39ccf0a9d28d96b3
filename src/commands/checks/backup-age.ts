/** How old the newest scheduled backup is, and what went wrong since. */

import { type BackupState, backupDelay, loadBackupState } from '../../backup/index.ts';
import type { BackupPlan } from '../../backup-plan.ts';
import type { Store } from '../../store/index.ts';
import { HOUR_MS, MINUTE_MS } from '../../values/duration.ts';

export async function describeBackups(plan: BackupPlan, db: Store['db'], now: number): Promise<string> {
  const state = await loadBackupState(db, plan.placeName, now);
  const isLate = backupDelay(state, plan.everyMs, now) > HOUR_MS;
  const newest = state.newestAt === null ? 'NONE YET' : describeNewest(state, now);
  return `${newest}${isLate ? ', LATE' : ''}, every ${formatPeriod(plan.everyMs)} to ${plan.placeName}${describeFailure(state)}`;
}

/** In the largest unit that needs no fraction. */
function formatPeriod(ms: number): string {
  if (ms % HOUR_MS === 0) return `${ms / HOUR_MS} h`;
  return ms % MINUTE_MS === 0 ? `${ms / MINUTE_MS} min` : `${ms / 1000} s`;
}

const describeNewest = ({ newestAt, bytes }: BackupState, now: number): string =>
  `newest ${((now - (newestAt ?? 0)) / HOUR_MS).toFixed(1)} h old, ${((bytes ?? 0) / 1e6).toFixed(1)} MB`;

function describeFailure({ failures, lastFailure }: BackupState): string {
  if (!lastFailure) return '';
  const times = failures === 1 ? 'once' : `${failures} times`;
  return `; FAILED ${times} since, last at ${new Date(lastFailure.at).toISOString()}: ${lastFailure.reason}`;
}
