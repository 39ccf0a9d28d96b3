/** The pages of the embedded database, read from its files beside the running engine, which looks at a page only when it needs it. */

import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isPageWhole, PAGE_BYTES } from './page-checksum.ts';

export interface DamagedPage {
  /** As PostgreSQL names the relation: `base/5/16483`. */
  relation: string;
  block: number;
}

export interface PageCheck {
  pages: number;
  /** MAX_DAMAGED at most: then the rest was not read. */
  damaged: DamagedPage[];
}

/**
 * Reads every page of every table and index. `databaseFolder`: PostgreSQL's own. `rest`: waited for after each PIECE_PAGES, or as many files.
 * Files that are removed meanwhile are left out. Rejects when `signal` says so.
 */
export async function checkPages(
  databaseFolder: string,
  { rest = async () => {}, signal }: { rest?: () => Promise<unknown>; signal?: AbortSignal } = {},
): Promise<PageCheck> {
  const found: PageCheck = { pages: 0, damaged: [] };
  let sinceRest = 0;
  const noteWork = async (pages: number) => {
    sinceRest += pages;
    if (sinceRest < PIECE_PAGES) return;
    sinceRest = 0;
    await rest();
    signal?.throwIfAborted();
  };
  for (const segment of await listSegments(databaseFolder)) {
    const file = await open(join(databaseFolder, segment.path)).catch(unlessGone);
    if (!file) continue;
    try {
      await checkSegment(file, segment, found, noteWork);
    } finally {
      await file.close();
    }
    if (found.damaged.length >= MAX_DAMAGED) break;
  }
  return found;
}

interface Segment {
  /** Within the folder of the database. */
  path: string;
  relation: string;
  firstBlock: number;
}

async function listSegments(databaseFolder: string): Promise<Segment[]> {
  const databases = (await readdir(join(databaseFolder, 'base'))).filter((name) => /^\d+$/.test(name));
  const segments: Segment[] = [];
  for (const folder of ['global', ...databases.map((name) => `base/${name}`)]) {
    for (const name of await readdir(join(databaseFolder, folder))) {
      const [, relation, segment = '0'] = RELATION_FILE.exec(name) ?? [];
      if (relation === undefined) continue;
      segments.push({
        path: `${folder}/${name}`,
        relation: `${folder}/${relation}`,
        firstBlock: Number(segment) * SEGMENT_PAGES,
      });
    }
  }
  return segments;
}

async function checkSegment(
  file: FileHandle,
  { relation, firstBlock }: Segment,
  found: PageCheck,
  noteWork: (pages: number) => Promise<void>,
): Promise<void> {
  const piece = Buffer.alloc(PIECE_PAGES * PAGE_BYTES);
  for (let first = 0; found.damaged.length < MAX_DAMAGED; first += PIECE_PAGES) {
    const { bytesRead } = await readPages(file, piece, first);
    const pages = bytesRead === null ? 1 : Math.floor(bytesRead / PAGE_BYTES);
    for (let page = 0; page < pages && found.damaged.length < MAX_DAMAGED; page += 1) {
      const block = firstBlock + first + page;
      const isSeenWhole = bytesRead !== null && isPageWhole(pageOf(piece, page), block);
      if (!isSeenWhole && !(await becomesWhole(file, first + page, block))) found.damaged.push({ relation, block });
    }
    found.pages += pages;
    // Opening a file costs something, too.
    await noteWork(Math.max(1, pages));
    if (bytesRead === null || bytesRead < piece.length) return;
  }
}

/** A page that the engine is writing now is half old and half new. */
async function becomesWhole(file: FileHandle, page: number, block: number): Promise<boolean> {
  const again = Buffer.alloc(PAGE_BYTES);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await delay(AGAIN_MS);
    const { bytesRead } = await readPages(file, again, page);
    // Cut off meanwhile.
    if (bytesRead === 0) return true;
    if (bytesRead !== null && isPageWhole(again, block)) return true;
  }
  return false;
}

/** Null: the disk does not give them. */
async function readPages(file: FileHandle, into: Buffer, page: number): Promise<{ bytesRead: number | null }> {
  try {
    return await file.read(into, 0, into.length, page * PAGE_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return { bytesRead: null };
    throw error;
  }
}

const pageOf = (piece: Buffer, page: number): Buffer => piece.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);

function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Also free space maps and visibility maps, which belong to their relation; beyond a gigabyte in several files. */
const RELATION_FILE = /^(\d+)(?:_fsm|_vm)?(?:\.(\d+))?$/;
/** Of a file: 1 GB. */
const SEGMENT_PAGES = 131_072;
const PIECE_PAGES = 32;
const MAX_DAMAGED = 100;
const ATTEMPTS = 3;
const AGAIN_MS = 50;
