/** The pages of the embedded database, read from its files beside the running engine, which looks at a page only when it needs it. */

import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface DamagedPage {
  /** As PostgreSQL names the relation: `base/5/16483`. With `_fsm` or `_vm` it is a map of the relation. */
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
  const piece = Buffer.alloc(PIECE_PAGES * PAGE_BYTES);
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
      await checkSegment(file, segment, { found, piece, noteWork, signal });
    } finally {
      await file.close();
    }
    if (found.damaged.length >= MAX_DAMAGED) break;
  }
  return found;
}

interface Look {
  found: PageCheck;
  /** What is read at once. */
  piece: Buffer;
  noteWork(pages: number): Promise<void>;
  signal: AbortSignal | undefined;
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
  { found, piece, noteWork, signal }: Look,
): Promise<void> {
  for (let first = 0; found.damaged.length < MAX_DAMAGED; ) {
    const bytesRead = await readPages(file, piece, first);
    // Opening a file costs something, too.
    if (bytesRead === 0) return noteWork(1);
    // A disk that does not give a page gives those before it. Less than a page is what is left of one.
    const pages = Math.max(1, Math.floor((bytesRead ?? 0) / PAGE_BYTES));
    for (let page = 0; page < pages && found.damaged.length < MAX_DAMAGED; page += 1) {
      const block = firstBlock + first + page;
      const isSeenWhole = bytesRead !== null && bytesRead >= PAGE_BYTES && isPageWhole(pageOf(piece, page), block);
      if (!isSeenWhole && !(await becomesWhole(file, first + page, { block, signal }))) found.damaged.push({ relation, block });
    }
    found.pages += pages;
    first += pages;
    await noteWork(pages);
  }
}

/** A page that the engine is writing now is half old and half new. */
async function becomesWhole(
  file: FileHandle,
  page: number,
  { block, signal }: { block: number; signal: AbortSignal | undefined },
): Promise<boolean> {
  const again = Buffer.alloc(PAGE_BYTES);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await delay(AGAIN_MS, undefined, signal && { signal });
    const bytesRead = await readPages(file, again, page);
    // Cut off meanwhile.
    if (bytesRead === 0) return true;
    if (bytesRead === PAGE_BYTES && isPageWhole(again, block)) return true;
  }
  return false;
}

/** Bytes, of which there may be fewer than asked for; 0: the file ends before. Null: the disk does not give them. */
async function readPages(file: FileHandle, into: Buffer, page: number): Promise<number | null> {
  try {
    return (await file.read(into, 0, into.length, page * PAGE_BYTES)).bytesRead;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EIO') return null;
    throw error;
  }
}

const pageOf = (piece: Buffer, page: number): Buffer => piece.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);

function unlessGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Bytes of a page. */
const PAGE_BYTES = 8192;

/**
 * Whether the page says of itself what it holds; a page that was never written is all zeros. `page`: PAGE_BYTES, aligned to four
 * bytes. `block`: its number in the relation.
 */
function isPageWhole(page: Buffer, block: number): boolean {
  if (page.readUInt16LE(PD_UPPER) === 0) return page.equals(ZEROS);
  return page.readUInt16LE(PD_CHECKSUM) === checksumOf(page, block);
}

function checksumOf(page: Buffer, block: number): number {
  const words = new Int32Array(page.buffer, page.byteOffset, PAGE_BYTES / 4);
  sums.set(BASE_OFFSETS);
  for (let at = 0; at < words.length; at += SUMS) {
    for (let lane = 0; lane < SUMS; lane += 1) {
      const word = words[at + lane] as number;
      // The checksum itself counts as zero.
      sums[lane] = mix(sums[lane] as number, at + lane === CHECKSUM_WORD ? word & 0xffff0000 : word);
    }
  }
  let result = 0;
  for (const sum of sums) result ^= mix(mix(sum, 0), 0);
  return (((result ^ block) >>> 0) % 65_535) + 1;
}

function mix(sum: number, word: number): number {
  const mixed = sum ^ word;
  return Math.imul(mixed, FNV_PRIME) ^ (mixed >>> 17);
}

/** Also free space maps and visibility maps, which belong to their relation; beyond a gigabyte in several files. */
const RELATION_FILE = /^(\d+(?:_fsm|_vm)?)(?:\.(\d+))?$/;
/** Of a file: 1 GB. */
const SEGMENT_PAGES = 131_072;
const PIECE_PAGES = 32;
const MAX_DAMAGED = 100;
const ATTEMPTS = 3;
const AGAIN_MS = 50;
/** Of the header of a page (`src/include/storage/bufpage.h`): bytes from its beginning. */
const PD_CHECKSUM = 8;
const PD_UPPER = 14;
const CHECKSUM_WORD = PD_CHECKSUM / 4;
const ZEROS = Buffer.alloc(PAGE_BYTES);
const FNV_PRIME = 16_777_619;
const SUMS = 32;
const BASE_OFFSETS = new Uint32Array([
  ...[0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c],
  ...[0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb],
  ...[0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4],
  ...[0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756],
]);
/** One page is looked at at a time. */
const sums = new Int32Array(SUMS);
