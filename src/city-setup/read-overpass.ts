/** The elements of a file as Overpass answers it in JSON. */

import { readFile, stat } from 'node:fs/promises';
import { ExpectedError } from '../values/expected-error.ts';
import { describeFileTrouble, isFileTrouble } from '../values/file-trouble.ts';
import type { ExtractElement } from './osm-shapes.ts';

/** Gives all elements as often as it is asked. Rejects with an `ExpectedError` if the file is none that it can read. */
export async function openExtract(file: string): Promise<() => AsyncIterable<ExtractElement>> {
  const elements = await readElements(file);
  return async function* () {
    yield* elements;
  };
}

async function readElements(file: string): Promise<ExtractElement[]> {
  const text = await readText(file);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw unreadable(file, 'it is not JSON as Overpass writes it');
  }
  const { elements } = (document ?? {}) as { elements?: unknown };
  if (!Array.isArray(elements)) throw unreadable(file, 'it has no list of elements, as Overpass writes it');
  return elements.filter(isElement);
}

/** Whether each part that is there has its type. */
function isElement(value: unknown): value is ExtractElement {
  if (!isRecord(value)) return false;
  const { type, id, tags, lat, lon, nodes, members, geometry, center } = value;
  return (
    TYPES.has(type) &&
    Number.isFinite(id) &&
    (tags === undefined || (isRecord(tags) && Object.values(tags).every((text) => typeof text === 'string'))) &&
    [lat, lon].every((degrees) => degrees === undefined || Number.isFinite(degrees)) &&
    (center === undefined || isLatLon(center)) &&
    isListOrAbsent(nodes, Number.isFinite) &&
    isListOrAbsent(members, isMember) &&
    isLine(geometry)
  );
}

function isMember(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    Number.isFinite(value.ref) &&
    typeof value.role === 'string' &&
    isLine(value.geometry)
  );
}

/** Null stands for a point outside of the extract. */
const isLine = (value: unknown): boolean => isListOrAbsent(value, (point) => point === null || isLatLon(point));
const isLatLon = (value: unknown): boolean => isRecord(value) && Number.isFinite(value.lat) && Number.isFinite(value.lon);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isListOrAbsent = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isItem));

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE_BYTES) throw unreadable(file, `it has ${size} bytes, more than ${MAX_FILE_BYTES}`);
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isFileTrouble(error)) throw unreadable(file, describeFileTrouble(error));
    throw error;
  }
}

const unreadable = (file: string, reason: string) => new ExpectedError('refused', `Cannot read the extract ${file}: ${reason}.`);

/** A string of V8 is at most half a gigabyte. */
const MAX_FILE_BYTES = 500_000_000;
const TYPES: ReadonlySet<unknown> = new Set(['node', 'way', 'relation']);
