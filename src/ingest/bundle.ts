/** A city bundle, read piece by piece from a folder or given in memory. Everything in it is untrusted. */

import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IngestError } from './ingest-error.ts';
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
    totalBytes: 0,
  };
}

/** Rejects with an `IngestError` when the folder is none, or a file in it that must be read as a whole cannot be. */
export async function openBundleFolder(folder: string): Promise<OpenBundle> {
  const found = await stat(folder).catch(() => null);
  if (!found?.isDirectory()) throw new IngestError('bundle_unreadable', `${folder} is not a folder`);
  const files = {
    city: await readWhole(folder, BUNDLE_FILES.city),
    neighborhoods: await readWhole(folder, BUNDLE_FILES.neighborhoods),
    venues: await sizeOf(join(folder, BUNDLE_FILES.venues)),
    events: await sizeOf(join(folder, BUNDLE_FILES.events)),
  };
  if (Object.values(files).every((file) => file === null)) {
    throw new IngestError('bundle_unreadable', `${folder} holds none of ${Object.values(BUNDLE_FILES).join(', ')}`);
  }
  return {
    city: files.city?.value,
    neighborhoods: files.neighborhoods?.value,
    featureLines: files.neighborhoods ? linesOfFeatures(files.neighborhoods.text) : [],
    venues: files.venues === null ? null : readNdjson(createReadStream(join(folder, BUNDLE_FILES.venues))),
    events: files.events === null ? null : readNdjson(createReadStream(join(folder, BUNDLE_FILES.events))),
    totalBytes: (files.venues ?? 0) + (files.events ?? 0),
  };
}

async function* numbered(values: Iterable<unknown> | AsyncIterable<unknown>): AsyncGenerator<ReadLine> {
  let line = 0;
  for await (const value of values) yield { line: ++line, bytes: TYPICAL_LINE_BYTES, ok: true, value };
}

async function readWhole(folder: string, name: string): Promise<{ text: string; value: unknown } | null> {
  const path = join(folder, name);
  const size = await sizeOf(path);
  if (size === null) return null;
  if (size > MOST_WHOLE_BYTES) throw new IngestError('bundle_unreadable', `${name} is larger than ${MOST_WHOLE_BYTES} bytes`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw new IngestError('bundle_unreadable', `${name} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}

/** Where the elements of the top-level `features` list begin, in lines from 1. The text is known to be JSON. */
function linesOfFeatures(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let key = '';
  let inFeatures = false;
  const tokens = /"(?:[^"\\]+|\\.)*"|[[\]{}\n]/g;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '\n') line++;
    if (token === '{' && inFeatures && depth === 2) lines.push(line);
    if (token === '[' && depth === 1) inFeatures = key === '"features"';
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (token.startsWith('"') && depth === 1) key = token;
  }
  return lines;
}

export const BUNDLE_FILES = {
  city: 'city.json',
  neighborhoods: 'neighborhoods.geojson',
  venues: 'venues.ndjson',
  events: 'events.ndjson',
} as const;
/** Files that are not read line by line. A large city's polygons take 5 MB. */
const MOST_WHOLE_BYTES = 128 * 1024 * 1024;
const TYPICAL_LINE_BYTES = 500;
