/** The folders of exports, and the sweep of those that no export has any more. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { ExportStorage } from '../storage/storage.ts';

/** Each attempt has a folder of its own: one that was given up may still be written to. */
export const folderOf = ({ id, attempt }: { id: string; attempt: number }): string => `${id}-${attempt}`;

export interface SweepOptions {
  db: Kysely<Database>;
  storage: ExportStorage;
  /** Where files are while they are written. */
  workFolder: string;
}

/** Deletes files that were expired, removed, given up, or left behind by a process that was killed. Rests between two sweeps. */
export function createSweep({ db, storage, workFolder }: SweepOptions): () => Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - sweptAt < storage.sweepEveryMs) return;
    sweptAt = performance.now();
    const kept = await storage.folders();
    const begun = (await readdir(workFolder).catch(() => [])) as string[];
    if (kept.length + begun.length === 0) return;
    // Read after the folders: one that is made meanwhile is not among them.
    const inUse = await loadFoldersInUse(db);
    for (const folder of kept) if (!inUse.has(folder)) await storage.remove(folder);
    for (const folder of begun) if (!inUse.has(folder)) await rm(join(workFolder, folder), { recursive: true, force: true });
  };
}

async function loadFoldersInUse(db: Kysely<Database>): Promise<Set<string>> {
  const rows = await db.selectFrom('export').select(['id', 'attempts']).where('state', 'in', ['running', 'ready']).execute();
  return new Set(rows.map(({ id, attempts }) => folderOf({ id, attempt: attempts })));
}
