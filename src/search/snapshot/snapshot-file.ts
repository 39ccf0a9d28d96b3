/**
 * The builder's directory in a file, so that a restart reads bytes instead of the database. Facts only: what depends on the moment
 * is computed anew. A file that is torn, of other code or of another database is left aside.
 *
 *     magic | header length (u32) | header (JSON) | sections, in the header's order | CRC-32 of all before (u32)
 */

import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { City } from '../../records/index.ts';
import { codeVersion } from '../../values/code-version.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import type { NeighborhoodRow } from '../rows.ts';
import { Arena } from '../structures/arena.ts';
import type { DictionaryParts } from '../text/dictionary.ts';

/** What tells one database from another: the last change that is in the file, as the list has it. */
export interface Origin {
  seq: number;
  history: string;
  /** Milliseconds. */
  at: number;
  kind: string;
  entity: string;
  entityId: string | null;
}

interface Header {
  code: string;
  origin: Origin;
  publicUrl: string;
  /** As of when the trends in the columns were computed, milliseconds. */
  trendsAt: number;
  city: City | null;
  neighborhoods: readonly NeighborhoodRow[];
  neighborhoodSlugs: readonly string[];
  events: number;
  venues: number;
  garbage: { json: number; sequences: number };
  sections: { name: string; bytes: number }[];
}

export interface SavedDirectory {
  directory: Directory;
  origin: Origin;
  /** What the addresses of records began with in the file; in the directory they are the new ones. */
  publicUrl: string;
  trendsAt: number;
}

/**
 * Takes a copy of the directory as it is now and gives a function that writes it: everything large is shared with the directory,
 * for what was appended never changes. The file appears whole or not at all.
 */
export function snapshotWriter(directory: Directory, origin: Origin, trendsAt: number): (path: string) => Promise<void> {
  const sections = sectionsOf(directory);
  const header: Header = {
    code: CODE,
    origin,
    publicUrl: directory.publicUrl,
    trendsAt,
    city: directory.city,
    neighborhoods: directory.neighborhoods,
    neighborhoodSlugs: [...directory.neighborhoodSlugs],
    events: directory.events.count,
    venues: directory.venues.count,
    garbage: { json: directory.json.garbage, sequences: directory.sequences.garbage },
    sections: sections.map(({ name, bytes }) => ({ name, bytes: bytes.byteLength })),
  };
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return async (path) => {
    const draft = `${path}.${process.pid}${DRAFT}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await removeOldDrafts(path);
    try {
      const file = await open(draft, 'w', OWNER_ONLY);
      try {
        let checksum = 0;
        for (const bytes of [Buffer.from(MAGIC), length, head, ...sections.map((section) => section.bytes)]) {
          checksum = crc32(bytes, checksum);
          await writeAll(file, bytes);
        }
        const end = Buffer.alloc(CHECKSUM_BYTES);
        end.writeUInt32LE(checksum);
        await writeAll(file, end);
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };
}

/** Null when there is no file. Throws an `Error` whose message says what is wrong with it. Addresses become those of `publicUrl`. */
export async function readSnapshot(path: string, publicUrl: string): Promise<SavedDirectory | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return await readFrom(file, publicUrl);
  } finally {
    await file.close();
  }
}

async function readFrom(file: FileHandle, publicUrl: string): Promise<SavedDirectory> {
  const { size } = await file.stat();
  let left = size - CHECKSUM_BYTES;
  let checksum = 0;
  const take = async (bytes: number, shared = false): Promise<Buffer> => {
    if (bytes > left) throw new Error('it ends too early');
    left -= bytes;
    const buffer = Buffer.from(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await file.read(buffer, at, bytes - at);
      if (bytesRead === 0) throw new Error('it ends too early');
      at += bytesRead;
    }
    checksum = crc32(buffer, checksum);
    return buffer;
  };
  if ((await take(MAGIC.length)).toString() !== MAGIC) throw new Error('it is not a snapshot');
  const header = JSON.parse((await take((await take(LENGTH_BYTES)).readUInt32LE())).toString()) as Header;
  if (header.code !== CODE) throw new Error('another version of the code wrote it');
  const sections = new Map<string, Buffer[]>();
  for (const { name, bytes } of header.sections) {
    const [kind = ''] = name.split('.');
    const section = await take(bytes, SHARED_KINDS.has(kind));
    sections.set(name, [...(sections.get(name) ?? []), section]);
  }
  const expected = await file.read(Buffer.alloc(CHECKSUM_BYTES), 0, CHECKSUM_BYTES);
  if (left !== 0 || expected.buffer.readUInt32LE() !== checksum) throw new Error('its checksum is wrong');
  const { origin, trendsAt } = header;
  return { directory: restore(header, sections, publicUrl), origin, publicUrl: header.publicUrl, trendsAt };
}

function sectionsOf({
  eventIds,
  venueIds,
  events,
  venues,
  dictionary,
  json,
  sequences,
}: Directory): { name: string; bytes: Uint8Array }[] {
  const bytesOf = (words: Uint8Array | Uint16Array | Uint32Array) =>
    new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  const arena = (name: string, { chunks, used }: Arena) =>
    chunks.map((chunk, index) => ({ name, bytes: new Uint8Array(chunk, 0, used[index]) }));
  return [
    { name: 'ids.events', bytes: bytesOf(eventIds.words.slice()) },
    { name: 'ids.venues', bytes: bytesOf(venueIds.words.slice()) },
    ...events.copies().map(({ name, bytes }) => ({ name: `events.${name}`, bytes })),
    ...venues.copies().map(({ name, bytes }) => ({ name: `venues.${name}`, bytes })),
    ...Object.entries(dictionary.freeze()).map(([name, words]) => ({ name: `dictionary.${name}`, bytes: bytesOf(words) })),
    ...arena('json', json),
    ...arena('sequences', sequences),
  ];
}

function restore(header: Header, sections: ReadonlyMap<string, Buffer[]>, publicUrl: string): Directory {
  const all = (name: string): Buffer[] => sections.get(name) ?? [];
  const one = (name: string): Buffer => {
    const [bytes] = all(name);
    if (!bytes) throw new Error(`it lacks ${name}`);
    return bytes;
  };
  const columns = (kind: string): Map<string, Uint8Array> =>
    new Map(
      [...sections.keys()].filter((name) => name.startsWith(`${kind}.`)).map((name) => [name.slice(kind.length + 1), one(name)]),
    );
  const words = (bytes: Buffer) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const units = (bytes: Buffer) => new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 2);
  const arena = (name: 'json' | 'sequences') => {
    const chunks = all(name).map((bytes) => bytes.buffer as unknown as SharedArrayBuffer);
    return Arena.of(
      chunks,
      chunks.map((chunk) => chunk.byteLength),
      header.garbage[name],
    );
  };
  const dictionary: DictionaryParts = {
    formText: units(one('dictionary.formText')),
    formStart: words(one('dictionary.formStart')),
    formTerm: words(one('dictionary.formTerm')),
    stemText: units(one('dictionary.stemText')),
    stemStart: words(one('dictionary.stemStart')),
    stemTerm: words(one('dictionary.stemTerm')),
  };
  return createDirectory(header.city, publicUrl, {
    seq: header.origin.seq,
    history: header.origin.history,
    publicUrl: header.publicUrl,
    neighborhoods: [...header.neighborhoods],
    neighborhoodSlugs: [...header.neighborhoodSlugs],
    events: { ids: words(one('ids.events')), count: header.events, bytes: columns('events') },
    venues: { ids: words(one('ids.venues')), count: header.venues, bytes: columns('venues') },
    dictionary,
    json: arena('json'),
    sequences: arena('sequences'),
  });
}

/** Those of processes that were killed while they wrote. */
async function removeOldDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const drafts = (await readdir(folder)).filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(DRAFT));
  for (const draft of drafts.map((name) => join(folder, name))) {
    // Another process may sweep too.
    const found = await stat(draft).catch(() => null);
    if (found && found.mtimeMs < Date.now() - OLD_DRAFT_MS) await rm(draft, { force: true });
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at);
    at += bytesWritten;
  }
}

/** What a file holds was made by this code, to the last byte: of this room, and of those whose code decides what is in a directory. */
const CODE = codeVersion(['ranking', 'records', 'search', 'values']);
const MAGIC = 'MARQUEE1';
const DRAFT = '.draft';
const OLD_DRAFT_MS = 600_000;
const LENGTH_BYTES = 4;
const CHECKSUM_BYTES = 4;
const SHARED_KINDS: ReadonlySet<string> = new Set(['json', 'sequences', 'dictionary']);
/** The directory is public, but the data folder holds secrets too: nothing in it is for others. */
const OWNER_ONLY = 0o600;
