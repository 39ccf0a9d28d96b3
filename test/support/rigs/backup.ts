/** Places of a service on either engine, for tests of backups: empty ones, and one with the demo city. */

import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { readSecret } from '../../../src/accounts/index.ts';
import type { BackupManifest } from '../../../src/backup/index.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { copyDemoFolder } from '../database/demo-folder.ts';
import { createDatabase, type Engine, temporaryFolder } from '../database/store.ts';
import { type Ended, marquee, marqueeHere } from './service.ts';

export interface Place {
  engine: Engine;
  folder: string;
  /** The settings that say where it is. */
  env: Record<string, string>;
  /** One command to its end. */
  type(...words: string[]): Promise<Ended>;
  /** Beside whatever runs there. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  remove(): Promise<void>;
}

/** Nothing was ever there. */
export async function emptyPlace(engine: Engine): Promise<Place> {
  if (engine === 'embedded') {
    const { folder, remove } = temporaryFolder();
    return placeOf(engine, folder, {}, async () => remove());
  }
  const { options, remove } = await createDatabase();
  return placeOf(engine, options.dataDir, { DATABASE_URL: options.databaseUrl ?? '' }, remove);
}

export async function demoPlace(engine: Engine): Promise<Place> {
  if (engine === 'embedded') {
    const { folder, remove } = await copyDemoFolder();
    return placeOf(engine, folder, {}, async () => remove());
  }
  const place = await emptyPlace(engine);
  const { status, stderr } = await place.type('demo', 'load');
  if (status !== 0) throw new Error(stderr);
  // As if a service had run there. Beside a server, a backup makes no secret by itself.
  readSecret(place.folder, null);
  return place;
}

function placeOf(engine: Engine, folder: string, database: Record<string, string>, remove: () => Promise<void>): Place {
  const env = { MARQUEE_DATA_DIR: folder, ...database };
  return {
    engine,
    folder,
    env,
    // A backup lowers the priority of its process, so it has one of its own. With `--now`, it says nothing of other work.
    type: (...words) => (words[0] === 'backup' ? marquee([...words, '--now'], env) : marqueeHere(words, env)),
    async withStore(work) {
      const store = await openStore({ dataDir: folder, databaseUrl: database.DATABASE_URL });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
    remove,
  };
}

/** A backup as its lines. */
export function linesOf(file: string): string[] {
  return zstdDecompressSync(readFileSync(file)).toString().trimEnd().split('\n');
}

export const manifestOf = (file: string): BackupManifest => JSON.parse(linesOf(file).at(-1) ?? '').manifest;

/** The rows of one table, as lines. */
export function rowsOf(lines: readonly string[], table: string): string[] {
  const begin = lines.findIndex((line) => line.startsWith(`{"table":"${table}"`));
  const end = lines.findIndex((line) => line.startsWith(`{"end":"${table}"`));
  return lines.slice(begin + 1, end);
}
