/** The folders of exports, and the sweep of those that no export has any more. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import type { ExportStorage } from '../storage.ts';

/** Each attempt has a folder of its own: one that was given up may still be written to. */
export const folderOf = ({ id, attempt }: { id: string; attempt: number }): string => `${id}-${attempt}`;

/**
 * Deletes files that were expired, removed, given up, or left behind by a process that was killed. Rests between two sweeps. `workFolder`:
 * where files are while they are written.
 */
export function createSweep(db: Kysely<Database>, storage: ExportStorage, workFolder: string, log: Log): () => Promise<void> {
  let sweptAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - sweptAt < storage.sweepEveryMs) return;
    sweptAt = performance.now();
    const kept = (await storage.folders()).filter((folder) => FOLDER.test(folder));
    const begun = (await readdir(workFolder).catch(() => [])) as string[];
    if (kept.length + begun.length === 0) return;
    // Read after the folders: one that is made meanwhile is not among them.
    const { inUse, known } = await loadFolders(db, storage.isShared ? kept.map(idOf) : []);
    const isOver = (folder: string): boolean => !inUse.has(folder) && (!storage.isShared || known.has(idOf(folder)));
    await eachApart(kept.filter(isOver), storage.remove, log);
    const isLeft = (folder: string): boolean => !inUse.has(folder);
    await eachApart(begun.filter(isLeft), (folder) => rm(join(workFolder, folder), { recursive: true, force: true }), log);
  };
}

/** One that cannot be deleted keeps no other. */
async function eachApart(folders: readonly string[], remove: (folder: string) => Promise<void>, log: Log): Promise<void> {
  for (const folder of folders) {
    await remove(folder).catch((err: unknown) => log.warn({ err, folder }, 'cannot delete the files of an export'));
  }
}

interface Folders {
  inUse: ReadonlySet<string>;
  /** Of the ids asked for, those of exports of this database: in a bucket, others may keep theirs beside them. */
  known: ReadonlySet<string>;
}

async function loadFolders(db: Kysely<Database>, ids: readonly string[]): Promise<Folders> {
  const rows = await db.selectFrom('export').select(['id', 'attempts']).where('state', 'in', ['running', 'ready']).execute();
  const isAsked = sql<boolean>`id = any(${ids}::uuid[])`;
  const known = ids.length === 0 ? [] : await db.selectFrom('export').select('id').where(isAsked).execute();
  return {
    inUse: new Set(rows.map(({ id, attempts }) => folderOf({ id, attempt: attempts }))),
    known: new Set(known.map(({ id }) => id)),
  };
}

const FOLDER = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/;
const UUID_CHARS = 36;
const idOf = (folder: string): string => folder.slice(0, UUID_CHARS);
