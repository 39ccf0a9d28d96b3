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

function isElement(value: unknown): value is ExtractElement {
  const { type, id } = (value ?? {}) as Partial<ExtractElement>;
  return (type === 'node' || type === 'way' || type === 'relation') && typeof id === 'number';
}

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
