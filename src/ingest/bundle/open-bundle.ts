/** A city bundle, read piece by piece from a folder or given in memory. Everything in it is untrusted. */

import { createReadStream } from 'node:fs';
import { access, constants, lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '../../facts/index.ts';
import { IngestError } from '../ingest-error.ts';
import { type ReadLine, readNdjson } from './read-ndjson.ts';

/** In memory: what the four files would hold, already parsed. What is absent is left as it is. */
export interface Bundle {
  city?: unknown;
  /** A GeoJSON FeatureCollection. */
  neighborhoods?: unknown;
  venues?: Iterable<unknown> | AsyncIterable<unknown>;
  events?: Iterable<unknown> | AsyncIterable<unknown>;
}

export interface OpenBundle {
  city: unknown;
  neighborhoods: unknown;
  /** The line on which each feature begins. */
  featureLines: readonly number[];
  venues: AsyncIterable<ReadLine> | null;
  events: AsyncIterable<ReadLine> | null;
  /** Reads the venues once more; null where they can be read once only. */
  readVenuesAgain: (() => AsyncIterable<ReadLine>) | null;
  /** Reads the events once more; null where they can be read once only. */
  readEventsAgain: (() => AsyncIterable<ReadLine>) | null;
  /** Bytes of both line files; 0 when unknown. */
  totalBytes: number;
}

export function openBundle(bundle: Bundle): OpenBundle {
  return {
    city: bundle.city,
    neighborhoods: bundle.neighborhoods,
    featureLines: [],
    venues: bundle.venues ? numbered(bundle.venues) : null,
    events: bundle.events ? numbered(bundle.events) : null,
    readVenuesAgain: Array.isArray(bundle.venues) ? () => numbered(bundle.venues ?? []) : null,
    readEventsAgain: Array.isArray(bundle.events) ? () => numbered(bundle.events ?? []) : null,
    totalBytes: 0,
  };
}

/** Rejects with an `IngestError` when the folder is none or a file in it cannot be read; so do the lines when that shows only later. */
export async function openBundleFolder(folder: string): Promise<OpenBundle> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new IngestError('bundle_unreadable', `${folder} is not a folder`);
  const files = {
    city: await readWhole(folder, BUNDLE_FILES.city),
    neighborhoods: await readWhole(folder, BUNDLE_FILES.neighborhoods),
    venues: await sizeOf(folder, BUNDLE_FILES.venues),
    events: await sizeOf(folder, BUNDLE_FILES.events),
  };
  if (Object.values(files).every((file) => file === null)) {
    throw new IngestError('bundle_unreadable', `${folder} holds none of ${Object.values(BUNDLE_FILES).join(', ')}`);
  }
  return {
    city: files.city?.value,
    neighborhoods: files.neighborhoods?.value,
    featureLines: files.neighborhoods ? linesOfFeatures(files.neighborhoods.text) : [],
    venues: files.venues === null ? null : readNdjson(chunksOf(folder, BUNDLE_FILES.venues)),
    events: files.events === null ? null : readNdjson(chunksOf(folder, BUNDLE_FILES.events)),
    readVenuesAgain: files.venues === null ? null : () => readNdjson(chunksOf(folder, BUNDLE_FILES.venues)),
    readEventsAgain: files.events === null ? null : () => readNdjson(chunksOf(folder, BUNDLE_FILES.events)),
    totalBytes: (files.venues ?? 0) + (files.events ?? 0),
  };
}

async function* numbered(values: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const value of values) yield { line: ++line, bytes: TYPICAL_LINE_BYTES, ok: true, value };
}

async function readWhole(folder: string, name: string): Promise<{ text: string; value: unknown } | null> {
  const size = await sizeOf(folder, name);
  if (size === null) return null;
  if (size > MAX_WHOLE_BYTES) throw new IngestError('bundle_unreadable', `${name} is larger than ${MAX_WHOLE_BYTES} bytes`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(join(folder, name)));
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** Opened when its first line is asked for: a stream that fails while nobody reads it ends the process. */
async function* chunksOf(folder: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(join(folder, name));
  } catch (error) {
    throw unreadable(name, error);
  }
}

/** In bytes; null for a file that is absent. One that is there but of no use is none that the bundle lacks. */
async function sizeOf(folder: string, name: string): Promise<number | null> {
  const path = join(folder, name);
  try {
    if (!(await orAbsent(lstat(path)))) return null;
    const found = await orAbsent(stat(path));
    if (!found) throw new Error('wanted a file, got a link that leads nowhere');
    if (!found.isFile()) throw new Error(`wanted a file, got ${found.isDirectory() ? 'a folder' : 'something else'}`);
    // Known before anything of the bundle is written.
    await access(path, constants.R_OK);
    return found.size;
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function orAbsent<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function unreadable(name: string, error: unknown): IngestError {
  return new IngestError('bundle_unreadable', `${name} cannot be read: ${printable((error as Error).message)}`, { cause: error });
}

/** Where the elements of the top-level `features` list begin, in lines from 1. The text is known to be JSON. */
function linesOfFeatures(text: string): number[] {
  const features = createFeatureFinder();
  let line = 1;
  for (const token of tokensOf(text)) {
    if (token === '\n') line++;
    else features.take(token, line);
  }
  return features.lines();
}

function createFeatureFinder() {
  let lines: number[] = [];
  let depth = 0;
  let key = '';
  let inFeatures = false;
  let isNext = false;
  return {
    lines: () => lines,
    take(token: string, line: number): void {
      if (isNext && token !== ']') lines.push(line);
      isNext = inFeatures && depth === 2 && token === ',';
      if (token === '[' && depth === 1 && key === 'features') {
        // Of a key that is given twice the last one counts.
        lines = [];
        inFeatures = isNext = true;
      }
      if (token === ']' && depth === 2) inFeatures = false;
      depth += STEPS.get(token) ?? 0;
      if (token.startsWith('"') && depth === 1) key = JSON.parse(token);
    },
  };
}
/** How much deeper a token leads. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['{', 1],
  ['[', 1],
  ['}', -1],
  [']', -1],
]);

/** Marks, line ends, texts with their quotes, and numbers and words. An expression that takes a whole text overflows on long ones. */
function* tokensOf(text: string): Generator<string> {
  const tokens = new RegExp(JSON_TOKEN);
  for (let match = tokens.exec(text); match; match = tokens.exec(text)) {
    if (match[0] === '"') tokens.lastIndex = endOfText(text, match.index);
    yield match[0] === '"' ? text.slice(match.index, tokens.lastIndex) : match[0];
  }
}

/** Behind its closing quote. */
function endOfText(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

export const BUNDLE_FILES = {
  city: 'city.json',
  neighborhoods: 'neighborhoods.geojson',
  venues: 'venues.ndjson',
  events: 'events.ndjson',
} as const;
/** Files that are not read line by line. A large city's polygons take 5 MB. */
const MAX_WHOLE_BYTES = 128 * 1024 * 1024;
const TYPICAL_LINE_BYTES = 500;
const JSON_TOKEN = /["[\]{},\n]|[^\s"[\]{},:]+/g;
