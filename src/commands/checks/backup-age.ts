/** How old the newest scheduled backup is, and what went wrong since. */

import { type BackupState, backupDelay, loadBackupState } from '../../backup/index.ts';
import type { BackupPlan } from '../../backup-plan.ts';
import type { Store } from '../../store/index.ts';
import { HOUR_MS } from '../../values/duration.ts';

export async function describeBackups(plan: BackupPlan | null, { db }: Pick<Store, 'db'>, now: number): Promise<string> {
  if (!plan) return 'not scheduled; set MARQUEE_BACKUP_URL';
  const state = await loadBackupState(db, plan.placeName, now);
  const isLate = backupDelay(state, plan.everyMs, now) > HOUR_MS;
  const newest = state.newestAt === null ? 'NONE YET' : describeNewest(state, now);
  return `${newest}${isLate ? ', LATE' : ''}, every ${plan.everyMs / HOUR_MS} h to ${plan.placeName}${describeFailure(state)}`;
}

const describeNewest = ({ newestAt, bytes }: BackupState, now: number): string =>
  `newest ${((now - (newestAt ?? 0)) / HOUR_MS).toFixed(1)} h old, ${((bytes ?? 0) / 1e6).toFixed(1)} MB`;

function describeFailure({ failures, lastFailure }: BackupState): string {
  if (!lastFailure) return '';
  const times = failures === 1 ? 'once' : `${failures} times`;
  return `; FAILED ${times} since, last at ${new Date(lastFailure.at).toISOString()}: ${lastFailure.reason}`;
}
