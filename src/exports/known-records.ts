/**
 * Which records an export held, and a tag of each: what the next increment is compared with. 24 bytes a record, in the order of ids:
 * four words of the id, two of the tag. A million events take 24 MB, and comparing is one pass over two sorted lists.
 */

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { EVENT_STATUSES, START_PRECISIONS } from '../records/index.ts';
import type { RecordList, SearchedKind, Snapshot } from '../search/index.ts';
import { FACT_COLUMNS } from './columns.ts';
import type { ExportContent } from './model.ts';

export interface ItemDifference {
  /** Items that are new or differ, in the order of their ids. */
  changed: number[];
  /** Ids of records that are gone. */
  deleted: string[];
}

export interface CurrentRecords {
  list: RecordList;
  /** Whether the n-th record of the list is in the export. */
  has(n: number): boolean;
  tag(n: number): readonly [high: number, low: number];
}

/** What of a snapshot an export holds. `chosen`: items of events; null for all. */
export function currentRecords(
  snapshot: Snapshot,
  kind: SearchedKind,
  { columns }: Pick<ExportContent, 'columns'>,
  chosen: readonly number[] | null,
): CurrentRecords {
  const list = snapshot.records(kind);
  const showsFacts = kind === 'event' && FACT_COLUMNS.some((name) => columns?.includes(name));
  const marks = chosen === null ? null : markItems(chosen);
  return {
    list,
    has: (n) => marks === null || marks.has(list.item(n)),
    tag: showsFacts ? (n) => mixFacts(snapshot, list.item(n), list.tag(n)) : (n) => list.tag(n),
  };
}

function markItems(items: readonly number[]): { has(item: number): boolean } {
  const most = items.reduce((highest, item) => Math.max(highest, item), 0);
  const marks = new Uint8Array(most + 1);
  for (const item of items) marks[item] = 1;
  return { has: (item) => marks[item] === 1 };
}

/** Facts are no part of the record's own tag. Other facts give another tag: they are told apart by the bits that they change. */
function mixFacts(snapshot: Snapshot, item: number, [high, low]: readonly [number, number]): readonly [number, number] {
  const { status, startPrecision, updatedAt } = snapshot.facts(item);
  const facts =
    Math.floor(updatedAt / 2 ** 32) | (EVENT_STATUSES.indexOf(status) << 16) | (START_PRECISIONS.indexOf(startPrecision) << 24);
  return [(high ^ facts) >>> 0, (low ^ (updatedAt % 2 ** 32)) >>> 0];
}

export interface KnownRecords {
  event: Uint32Array;
  venue: Uint32Array;
}

/** Piece by piece: all words of a million records at once would be as much memory again as the export takes. */
export function writeKnownRecords(path: string, records: { event: CurrentRecords; venue: CurrentRecords | null }): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    const head = Uint32Array.of(MAGIC, 0, 0);
    writeWords(file, head);
    head[1] = appendRecords(file, records.event);
    head[2] = records.venue ? appendRecords(file, records.venue) : 0;
    writeWords(file, head, 0);
  } finally {
    closeSync(file);
  }
}

/** How many words were written. */
function appendRecords(file: number, { list, has, tag }: CurrentRecords): number {
  const piece = new Uint32Array(PIECE_RECORDS * WORDS);
  let total = 0;
  let at = 0;
  const flush = () => {
    writeWords(file, piece.subarray(0, at));
    total += at;
    at = 0;
  };
  for (let n = 0; n < list.count; n += 1) {
    if (!has(n)) continue;
    for (const word of [0, 1, 2, 3] as const) piece[at + word] = list.idWord(n, word);
    const [high, low] = tag(n);
    piece[at + 4] = high;
    piece[at + 5] = low;
    at += WORDS;
    if (at === piece.length) flush();
  }
  flush();
  return total;
}

function writeWords(file: number, words: Uint32Array, position: number | null = null): void {
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  for (let at = 0; at < bytes.length; )
    at += writeSync(file, bytes, at, bytes.length - at, position === null ? null : position + at);
}

/** Null where the file is missing or none of ours: then nothing can be compared. */
export function readKnownRecords(path: string): KnownRecords | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (bytes.length < HEAD_WORDS * 4 || bytes.length % 4 !== 0) return null;
  const words = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const [magic, events = 0, venues = 0] = words;
  if (magic !== MAGIC || words.length !== HEAD_WORDS + events + venues) return null;
  return { event: words.subarray(HEAD_WORDS, HEAD_WORDS + events), venue: words.subarray(HEAD_WORDS + events) };
}

/** Both are in the order of ids. */
export function compareRecords(known: Uint32Array, { list, has, tag }: CurrentRecords): ItemDifference {
  const changed: number[] = [];
  const deleted: string[] = [];
  let at = 0;
  for (let n = 0; n < list.count; n += 1) {
    if (!has(n)) continue;
    let order = compareIds(known, at, list, n);
    for (; order < 0; order = compareIds(known, at, list, n)) {
      deleted.push(formatId(known, at));
      at += WORDS;
    }
    const [high, low] = tag(n);
    if (order > 0 || known[at + 4] !== high || known[at + 5] !== low) changed.push(list.item(n));
    if (order === 0) at += WORDS;
  }
  for (; at < known.length; at += WORDS) deleted.push(formatId(known, at));
  return { changed, deleted };
}

/** Positive at the end of the known ones. */
function compareIds(known: Uint32Array, at: number, list: RecordList, n: number): number {
  if (at >= known.length) return 1;
  for (const word of [0, 1, 2, 3] as const) {
    const difference = (known[at + word] ?? 0) - list.idWord(n, word);
    if (difference !== 0) return difference;
  }
  return 0;
}

function formatId(words: Uint32Array, at: number): string {
  const hex = [...words.subarray(at, at + 4)].map((word) => word.toString(16).padStart(8, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** `MQR1`, as the machine orders bytes: files stay on the kind of machine that wrote them. */
const MAGIC = 0x3152514d;
const HEAD_WORDS = 3;
const WORDS = 6;
const PIECE_RECORDS = 20_000;
