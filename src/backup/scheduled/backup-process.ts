/** The process of a scheduled backup. Started by `backupInProcess`; is told a `BackupTask`. */

import { createLog } from '../../log.ts';
import { openStore } from '../../store/index.ts';
import { serveTask } from '../../task-process.ts';
import { standBack } from '../../values/stand-back.ts';
import { readDataFiles } from '../data-files.ts';
import { BackupError, nameFile } from '../model.ts';
import { openSource, openTarget, removeBackup } from '../places.ts';
import { checkBackup } from '../read-backup.ts';
import { writeBackup } from '../write-backup.ts';
import type { BackupTask, ScheduledReport } from './backup-in-process.ts';

async function perform({ store: { dataDir, databaseUrl }, place, secret }: BackupTask): Promise<ScheduledReport> {
  const log = createLog('warn');
  const store = await openStore({ dataDir, databaseUrl, log, onOlder: 'refuse' });
  try {
    const target = await openTarget(place);
    let isNamed = false;
    try {
      const files = readDataFiles(dataDir, secret);
      const { manifest, bytes } = await writeBackup({ store, dataDir, log, files, out: target.out, onCopied: standBack });
      // Also where the answer gets lost: nobody else has this name.
      isNamed = true;
      await target.keep();
      await checkWritten(place, manifest.sha256);
      return { bytes, rows: manifest.rows };
    } catch (error) {
      await target.discard();
      if (isNamed) await removeBackup(place).catch(() => undefined);
      throw error;
    }
  } finally {
    await store.close();
  }
}

/** What was written is read again from where it lies. */
async function checkWritten(place: BackupTask['place'], sha256: string): Promise<void> {
  const { stream } = await openSource(place);
  const read = await checkBackup(stream).catch((error: unknown) => {
    throw nameFile(error, 'What was written');
  });
  if (read.sha256 !== sha256) throw new BackupError('damaged', { file: 'What was written', what: 'it is another backup' });
}

serveTask<BackupTask>(perform, (error) => ({
  code: error instanceof BackupError ? error.code : null,
  message: (error as Error).message,
}));
