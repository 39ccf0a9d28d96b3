/** A backup in a process of its own, which stands back behind whoever serves. */

import { runTask } from '../../task-process.ts';
import type { BackupPlace } from '../places.ts';

export interface BackupTask {
  /** Where the store is: as `openStore` takes it. */
  store: { dataDir: string; databaseUrl?: string | undefined };
  /** Where the backup gets its name. */
  place: BackupPlace;
  /** Of the service. Never log it. */
  secret: string;
}

/** Of a backup that is in its place and was read again there. */
export interface ScheduledReport {
  bytes: number;
  rows: number;
}

/** Rejects with a sentence. `signal` ends it where it stands. */
export function backupInProcess(task: BackupTask, signal: AbortSignal): Promise<ScheduledReport> {
  return runTask<ScheduledReport>(new URL('./backup-process.ts', import.meta.url), task, {
    ...{ name: 'the process of the backup', maxHeapMb: MAX_HEAP_MB, signal },
    errorOf: ({ message }) => new Error(message),
  });
}

/** A backup has some batches of rows in memory, whatever the size of the database. */
const MAX_HEAP_MB = 384;
