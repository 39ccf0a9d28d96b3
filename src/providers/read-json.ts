/** Records of a JSON document. It is held as a whole, so its size and depth are limited before it is parsed. */

import type { RawRecord } from './listing.ts';
import type { Mapping } from './mapping.ts';
import { ProviderError } from './provider-error.ts';

export async function* readJson(chunks: AsyncIterable<Uint8Array>, mapping: Mapping): AsyncGenerator<RawRecord> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_JSON_BYTES) throw new ProviderError('too_large', `the document is larger than ${MOST_JSON_BYTES} bytes`);
    parts.push(chunk);
  }
  const records = findRecords(parse(Buffer.concat(parts)), mapping.records);
  const share = bytes / Math.max(1, records.length);
  for (const [index, value] of records.entries()) yield { index: index + 1, bytes: share, ok: true, value };
}

function parse(bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (depthOf(bytes) > MOST_DEPTH)
      throw new ProviderError('too_deep', `the document is nested deeper than ${MOST_DEPTH} levels`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const reason = (error as Error).message.replace(/\p{Cc}/gu, ' ').slice(0, MOST_REASON_CHARS);
    throw new ProviderError('not_of_the_kind', `the document is not JSON: ${reason}`);
  }
}

/** How deep lists and objects are nested, without parsing. */
function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inText && byte === BACKSLASH) i++;
    else if (byte === QUOTE) inText = !inText;
    else if (!inText && (byte === OPEN_LIST || byte === OPEN_OBJECT)) deepest = Math.max(deepest, ++depth);
    else if (!inText && (byte === CLOSE_LIST || byte === CLOSE_OBJECT)) depth--;
  }
  return deepest;
}

function findRecords(document: unknown, path: string): unknown[] {
  const steps = path === '' ? [] : path.split('.');
  let value = document;
  for (const step of steps) {
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined;
  }
  if (Array.isArray(value)) return value;
  throw new ProviderError('not_of_the_kind', `the document has no list at ${path === '' ? 'its top' : JSON.stringify(path)}`);
}

const MOST_JSON_BYTES = 128 * 1024 * 1024;
const MOST_DEPTH = 64;
const MOST_REASON_CHARS = 200;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
