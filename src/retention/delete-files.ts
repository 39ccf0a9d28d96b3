/** Files of the data folder by their age. */

import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Batch, type DeletionStep, daysBefore } from './model.ts';

/** The plain files of one folder; the folder may be missing, and files may go meanwhile. */
export async function deleteFiles({ dataDir, moments, rows }: Batch, folder: string, days: number): Promise<DeletionStep> {
  const cutoff = daysBefore(moments.machine, days).getTime();
  let deleted = 0;
  const entries = await opendir(join(dataDir, folder)).catch(ignoreMissing);
  for await (const entry of entries ?? []) {
    if (!entry.isFile()) continue;
    const file = join(dataDir, folder, entry.name);
    const found = await stat(file).catch(ignoreMissing);
    if (!found || found.mtimeMs >= cutoff) continue;
    await rm(file, { force: true });
    deleted += 1;
    if (deleted === rows) return { deleted, done: false };
  }
  return { deleted, done: true };
}

function ignoreMissing(error: unknown): null {
  if ((error as { code?: string }).code !== 'ENOENT') throw error;
  return null;
}
