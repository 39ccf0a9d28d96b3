/** Scheduled backups. */

import type { InstantColumn, MaybeInstantColumn, MaybeNumeric } from './columns.ts';

interface ScheduledBackupTable {
  id: string;
  place: string;
  name: string;
  state: 'running' | 'complete' | 'failed' | 'interrupted' | 'deleted' | 'missing';
  started_at: InstantColumn;
  ended_at: MaybeInstantColumn;
  bytes: MaybeNumeric;
  row_count: MaybeNumeric;
  reason: string | null;
}

/** All tables that `backup` owns. */
export interface BackupTables {
  scheduled_backup: ScheduledBackupTable;
}
