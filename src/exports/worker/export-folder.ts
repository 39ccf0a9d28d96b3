/** An export into a folder of the operator's: the same files and the same manifest as a customer gets. */

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { readCity, readLogState, readNeighborhoods } from '../../catalog/index.ts';
import { isOfLog, type Snapshot } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import { createManifest, formatManifest } from '../manifest.ts';
import { type ExportContent, MANIFEST_FILE, type Manifest } from '../model.ts';
import type { SigningKey } from '../signing-key.ts';
import { KNOWN_RECORDS_FILE, writeExport } from '../write-export.ts';

export interface FolderExportOptions {
  db: Kysely<Database>;
  snapshot: Snapshot;
  content: ExportContent;
  /** What `content.filter` was read from. */
  query: string | null;
  folder: string;
  /** Directory time, milliseconds. */
  now: number;
  key: SigningKey;
  maxPartBytes?: number;
  onProgress?(rows: number): void;
}

/** The folder is made, or is there and empty. The message is one sentence to print. */
export class ExportFolderError extends Error {
  readonly code = 'export_folder';
}

export async function exportToFolder(options: FolderExportOptions): Promise<Manifest> {
  const { db, snapshot, content, query, folder, now, key, maxPartBytes, onProgress } = options;
  await makeEmptyFolder(folder);
  const surroundings = await readSurroundings(db, snapshot, content);
  if (!surroundings) throw new Error('the read model is being loaded again');
  const { position, city, neighborhoods } = surroundings;
  const written = writeExport({
    snapshot,
    content,
    now,
    folder,
    neighborhoods,
    previous: null,
    ...(maxPartBytes !== undefined && { maxPartBytes }),
    ...(onProgress && { onProgress }),
  });
  await rm(join(folder, KNOWN_RECORDS_FILE));
  const manifest = createManifest({ position, now, query, content, city, written, previous: null }, key);
  await writeFile(join(folder, MANIFEST_FILE), formatManifest(manifest), { flag: 'wx' });
  return manifest;
}

/** What an export says beside the records of its snapshot. Null: the snapshot is of another history than the log, and the next one will do. */
export async function readSurroundings(
  db: Kysely<Database>,
  snapshot: Pick<Snapshot, 'seq' | 'history'>,
  content: ExportContent,
) {
  const city = await readCity(db);
  const neighborhoods = content.filter === null ? await readNeighborhoods(db) : [];
  // Last: had the city changed before, the snapshot is found out.
  const state = await readLogState(db);
  return isOfLog(snapshot, state) ? { position: { epoch: state.epoch, sequence: snapshot.seq }, city, neighborhoods } : null;
}

async function makeEmptyFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    throw new ExportFolderError(`${folder} cannot be written to (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  }
  throw new ExportFolderError(`${folder} holds files already: name a folder that is new or empty.`);
}
