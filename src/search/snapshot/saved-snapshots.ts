/** When the directory is saved to its file and when what was saved is used. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { loadChange, readCity } from '../../catalog/index.ts';
import type { Database } from '../../store/index.ts';
import type { Directory } from '../directory/directory.ts';
import type { BuilderLog, BuilderOptions } from './builder.ts';
import { type Origin, type SavedDirectory, snapshotWriter } from './snapshot-file.ts';

export interface SavedSnapshots {
  /** What was saved, if it is of this database. */
  restore(): Promise<SavedDirectory | null>;
  /** Saves in the background what is new, unless the last time was a moment ago. */
  saveNowAndThen(directory: Directory, trendsAt: number): void;
  /** Saves what is new. */
  saveLast(directory: Directory, trendsAt: number): Promise<void>;
}

export function createSavedSnapshots(options: BuilderOptions, log: BuilderLog): SavedSnapshots {
  const { db, file, publicUrl } = options;
  let lastSave: { seq: number; at: number } = { seq: 0, at: performance.now() };
  let saving: Promise<void> | null = null;

  async function save(directory: Directory, trendsAt: number): Promise<void> {
    if (file === undefined || directory.seq === lastSave.seq) return;
    try {
      const origin = await originOf(db, directory.seq);
      if (!origin) return;
      lastSave = { ...lastSave, at: performance.now() };
      await snapshotWriter(directory, origin, trendsAt)(file);
      lastSave = { ...lastSave, seq: origin.seq };
    } catch (error) {
      log('warn', { file, reason: (error as Error).message }, 'cannot save the snapshot');
    }
  }

  return {
    async restore() {
      try {
        const held = await options.readSaved();
        if (!held) return null;
        const { directory, origin } = held;
        const sameOrigin = isDeepStrictEqual(await originOf(db, origin.seq), origin);
        if (!sameOrigin || !isDeepStrictEqual(await readCity(db), directory.city))
          throw new Error('it belongs to another database');
        // If the addresses had to be changed, it is saved again: the next start finds them as they are wanted.
        lastSave = { seq: held.publicUrl === publicUrl ? directory.seq : 0, at: performance.now() };
        return held;
      } catch (error) {
        log('warn', { file, reason: (error as Error).message }, 'cannot use the saved snapshot');
        return null;
      }
    },
    saveNowAndThen(directory, trendsAt) {
      if (saving || directory.seq === lastSave.seq || performance.now() - lastSave.at < SAVE_MS) return;
      saving = save(directory, trendsAt).finally(() => {
        saving = null;
      });
    },
    async saveLast(directory, trendsAt) {
      await saving;
      await save(directory, trendsAt);
    },
  };
}

async function originOf(db: Kysely<Database>, seq: number): Promise<Origin | null> {
  const change = await loadChange(db, seq);
  return change && { seq, ...change };
}

const SAVE_MS = 30_000;
