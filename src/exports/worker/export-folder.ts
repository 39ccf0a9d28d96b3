/** An export into a folder of the operator's: the same files and the same manifest as a customer gets. */

import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { loadCredits } from '../../ingest/index.ts';
import { readCity, readLogState, readNeighborhoods } from '../../records/index.ts';
import { isOfLog, type Snapshot } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import { describeFileTrouble, isFileTrouble } from '../../values/file-trouble.ts';
import { createManifest, formatManifest } from '../manifest.ts';
import { type ExportContent, MANIFEST_FILE, type Manifest } from '../model.ts';
import type { SigningKey } from '../signing-key.ts';
import { type WriteOptions, writeExport } from '../write-export.ts';

export interface FolderExportOptions
  extends Pick<WriteOptions, 'snapshot' | 'content' | 'folder' | 'now' | 'maxPartBytes' | 'onProgress'> {
  db: Kysely<Database>;
  /** What `content.filter` was read from. */
  query: string | null;
  key: SigningKey;
}

/** The folder is made, or is there and empty. The message is one sentence to print. */
export class ExportFolderError extends Error {
  readonly code = 'export_folder';
}

/** Rejects with an `ExportFolderError` if the folder cannot be written; what was begun is gone then. */
export async function exportToFolder(options: FolderExportOptions): Promise<Manifest> {
  const { db, snapshot, content, folder } = options;
  const wasThere = await makeEmptyFolder(folder);
  const surroundings = await readSurroundings(db, snapshot, content);
  if (!surroundings) throw new Error('the read model is being loaded again');
  const unfinished = join(folder, UNFINISHED);
  const named: string[] = [];
  try {
    await mkdir(unfinished, { mode: PRIVATE_FOLDER });
    const manifest = await writeFiles(options, unfinished, surroundings);
    // The manifest comes last: beside it, every file is there.
    for (const name of [...manifest.files.map((file) => file.name), MANIFEST_FILE]) {
      await rename(join(unfinished, name), join(folder, name));
      named.push(name);
    }
    await rm(unfinished, { recursive: true });
    return manifest;
  } catch (error) {
    await discard(folder, [UNFINISHED, ...named], wasThere).catch(() => undefined);
    throw isFileTrouble(error) ? cannotWrite(folder, error) : error;
  }
}

async function writeFiles(
  { snapshot, content, query, now, key, maxPartBytes, onProgress }: FolderExportOptions,
  folder: string,
  { position, city, credits, neighborhoods }: NonNullable<Awaited<ReturnType<typeof readSurroundings>>>,
): Promise<Manifest> {
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
  const manifest = createManifest({ position, now, query, content, city, credits, written, previous: null }, key);
  await writeFile(join(folder, MANIFEST_FILE), formatManifest(manifest), { flag: 'wx', flush: true, mode: PRIVATE_FILE });
  return manifest;
}

/** What an export says beside the records of its snapshot. Null: the snapshot is of another history than the log, and the next one will do. */
export async function readSurroundings(
  db: Kysely<Database>,
  snapshot: Pick<Snapshot, 'seq' | 'history'>,
  content: ExportContent,
) {
  const city = await readCity(db);
  const credits = await loadCredits(db);
  const neighborhoods = content.filter === null ? await readNeighborhoods(db) : [];
  // Last: had the city changed before, the snapshot is found out.
  const state = await readLogState(db);
  return isOfLog(snapshot, state)
    ? { position: { epoch: state.epoch, sequence: snapshot.seq }, city, credits, neighborhoods }
    : null;
}

/** Whether it was there. */
async function makeEmptyFolder(folder: string): Promise<boolean> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
    if ((await readdir(folder)).length === 0) return made === undefined;
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  throw new ExportFolderError(`${folder} holds files already: name a folder that is new or empty.`);
}

/** What others have put there meanwhile stays. */
async function discard(folder: string, names: readonly string[], wasThere: boolean): Promise<void> {
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
  if (!wasThere) await rmdir(folder);
}

const cannotWrite = (folder: string, error: unknown): ExportFolderError =>
  new ExportFolderError(`Cannot write to ${folder}: ${describeFileTrouble(error)}.`, { cause: error });

/** A folder in the folder, where files are until all of them are whole. */
const UNFINISHED = '.unfinished';
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
