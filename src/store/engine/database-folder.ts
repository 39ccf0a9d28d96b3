/**
 * PostgreSQL's files in the data folder: made once, told from the files of others, and from a copy of a running database.
 *
 *   database.new/  with `marquee-database` ── a draft of ours: may be removed
 *   database/      with PG_VERSION ────────── a database; `marquee-running` is in it while a process runs it
 *   anything else                             is left as it is, and the start is refused
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dataDir as readyMadeCluster } from '@electric-sql/pglite-prepopulatedfs';
import { parseTar } from 'nanotar';
import { giveContents, makePrivateFolder } from './owner.ts';

type Fsync = (fileDescriptor: number) => void;

/** Makes the database if there is none yet. Throws where something else is in its place; then nothing was touched. */
export async function makeDatabase(directory: string, fsync: Fsync = fsyncSync): Promise<void> {
  if (isDatabase(directory)) return adopt(directory, filesIn(directory));
  const draft = `${directory}.new`;
  removeDraft(draft);
  // As PostgreSQL wants it: nobody else may look in.
  makePrivateFolder(draft);
  writeMark(join(draft, MADE_BY_US), MADE_BY_US_TEXT);
  await unpackCluster(draft);
  giveContents(draft);
  fsyncTree(draft, fsync);
  // An empty folder gives way; over any other this fails.
  renameSync(draft, directory);
  fsyncPath(dirname(directory), fsync);
}

/** Whether there is a database. Throws where something else is in its place. */
export function isDatabase(directory: string): boolean {
  const files = filesIn(directory);
  if (files.length > 0 && !files.includes('PG_VERSION')) {
    throw new Error(`${directory} holds files that are not a database: ${LEFT_AS_IT_IS}`);
  }
  return files.length > 0;
}

/** Puts a closed database in the place of the present one, which goes. Killed in between, there is none, or the present one. */
export function replaceDatabase(directory: string, draft: string): void {
  const old = `${directory}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(directory)) renameSync(directory, old);
  renameSync(draft, directory);
  fsyncPath(dirname(directory), fsyncSync);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Notes in the database that a process runs it; gives the function that takes the note away, after an orderly end. The note holds the
 * number of its own file (inode): left by kill -9 it is the same, in a copy it is another. Throws when the database is such a copy.
 */
export function markRunning(directory: string): () => void {
  const mark = join(directory, RUNNING);
  const noted = existsSync(mark) ? readFileSync(mark, 'utf8').trim() : '';
  // A power cut may leave the file empty.
  if (noted !== '' && noted !== inodeOf(mark)) {
    throw new Error(
      `${directory} was copied while it was in use. Stop the service and copy it again, or use a backup. If this is not a copy, remove ${mark}`,
    );
  }
  if (noted === '') {
    const draft = `${mark}.new`;
    rmSync(draft, { force: true });
    writeMark(draft, '');
    writeMark(draft, `${inodeOf(draft)}\n`);
    renameSync(draft, mark);
  }
  return () => {
    giveContents(directory);
    rmSync(mark, { force: true });
  };
}

/** A database of an earlier version has no mark, and files that others may read. */
function adopt(directory: string, files: readonly string[]): void {
  if (files.includes(MADE_BY_US)) return;
  narrowModes(directory);
  writeMark(join(directory, MADE_BY_US), MADE_BY_US_TEXT);
}

function narrowModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) narrowModes(path);
    else if (entry.isFile()) chmodSync(path, PRIVATE_FILE);
  }
  chmodSync(folder, PRIVATE_FOLDER);
}

function writeMark(path: string, text: string): void {
  writeFileSync(path, text, { mode: PRIVATE_FILE, flush: true });
}

function removeDraft(draft: string): void {
  const files = filesIn(draft);
  if (files.length > 0 && !files.includes(MADE_BY_US)) {
    throw new Error(`${draft} holds files that Marquee did not create: ${LEFT_AS_IT_IS}`);
  }
  rmSync(draft, { recursive: true, force: true });
}

function filesIn(folder: string): string[] {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder: ${LEFT_AS_IT_IS}`);
  return readdirSync(folder);
}

const inodeOf = (path: string): string => statSync(path, { bigint: true }).ino.toString();

/** A new cluster as initdb makes one, which would take the engine three seconds; to unpack this one it would be started once more. */
async function unpackCluster(folder: string): Promise<void> {
  const packed = await readyMadeCluster();
  for (const { name, type, data } of parseTar(gunzipSync(await packed.arrayBuffer()))) {
    const path = join(folder, name);
    mkdirSync(type === 'directory' ? path : dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    if (type === 'file') writeFileSync(path, data ?? '', { mode: PRIVATE_FILE });
  }
}

function fsyncTree(folder: string, fsync: Fsync): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) fsyncTree(path, fsync);
    else fsyncPath(path, fsync);
  }
  fsyncPath(folder, fsync);
}

function fsyncPath(path: string, fsync: Fsync): void {
  const descriptor = openSync(path, 'r');
  try {
    fsync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const MADE_BY_US = 'marquee-database';
const MADE_BY_US_TEXT = 'This folder is the database of Marquee. It belongs to the data folder around it.\n';
const RUNNING = 'marquee-running';
const LEFT_AS_IT_IS = 'nothing was changed; move it away or restore a backup, then start again';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
