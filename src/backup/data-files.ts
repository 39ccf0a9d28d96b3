/** Files of the data folder that a restored service needs: into the backup, and out of it. */

import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { giveToOwner } from '../store/index.ts';
import { DATA_FILES } from './left-out.ts';
import type { DataFile } from './model.ts';

/** `secret`: of the service; null: leave it out. */
export function readDataFiles(dataDir: string, secret: string | null): DataFile[] {
  return Object.keys(DATA_FILES).flatMap((file) => {
    const content = file === SECRET ? secret : readIfThere(join(dataDir, file));
    return content === null ? [] : [{ file, content }];
  });
}

export interface WrittenFiles {
  /** Their names. */
  files: readonly string[];
  /** Where another secret is now that was in the folder; null: none was. Another service may have sealed with it. */
  keptSecret: string | null;
}

/** Writes them, and removes what belongs to the history that was there before. A secret that the setting has is not written. */
export function putDataFiles(dataDir: string, files: readonly DataFile[], secretSetting: string | null): WrittenFiles {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const wanted = files.filter(({ file }) => Object.hasOwn(DATA_FILES, file) && !(file === SECRET && secretSetting !== null));
  const keptSecret = keepSecret(dataDir, wanted.find(({ file }) => file === SECRET)?.content);
  for (const { file, content } of wanted) writeWhole(join(dataDir, file), content);
  for (const name of OF_THE_OLD_HISTORY) rmSync(join(dataDir, name), { recursive: true, force: true });
  return { files: wanted.map(({ file }) => file), keptSecret };
}

function keepSecret(dataDir: string, next: string | undefined): string | null {
  const path = join(dataDir, SECRET);
  const present = readIfThere(path);
  if (present === null || next === undefined || present.trim() === next.trim()) return null;
  const kept = `${path}.before-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`;
  copyFileSync(path, kept);
  giveToOwner(kept);
  return kept;
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeWhole(path: string, content: string): void {
  const draft = `${path}.restored`;
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  writeSync(file, content.endsWith('\n') ? content : `${content}\n`);
  fsyncSync(file);
  closeSync(file);
  giveToOwner(draft);
  renameSync(draft, path);
}

const SECRET = 'secret';
/** The read model of another database, and notes about its deliveries. */
const OF_THE_OLD_HISTORY = ['search.snapshot', 'webhooks'];
