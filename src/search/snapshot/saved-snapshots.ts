/** When the directory is saved to its file and when what was saved is used. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { loadChange, readCity, readLogState, renewLostHistory } from '../../records/index.ts';
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
      const origin = await originOf(db, directory);
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
        if (!(await isOf(db, origin)) || !isDeepStrictEqual(await readCity(db), directory.city))
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

/** Whether what was saved is of this database. If the database says so but lacks the last change, it has lost numbers. */
async function isOf(db: Kysely<Database>, origin: Origin): Promise<boolean> {
  const { seq, history } = origin;
  const found = await originOf(db, { seq, history });
  if (isDeepStrictEqual(found, origin)) return true;
  const state = await readLogState(db);
  if (state.history === history && (found !== null || state.head < seq)) await renewLostHistory(db, history);
  return false;
}

/** Null where the change was deleted, or is of another history. */
async function originOf(db: Kysely<Database>, { seq, history }: Pick<Origin, 'seq' | 'history'>): Promise<Origin | null> {
  const state = await readLogState(db);
  const change = state.history === history ? await loadChange(db, seq) : null;
  return change && { seq, history, ...change };
}

const SAVE_MS = 30_000;
