/**
 * Bodies that were just sent, by what decides their bytes. Callers ask the same lists again and again, and between two changes of the
 * directory the answer stays: it is neither written nor compressed twice.
 */

import type { ResponseBuffer } from '../../http/index.ts';

export interface BodyCache {
  get(key: string): ResponseBuffer | undefined;
  put(key: string, body: ResponseBuffer): void;
}

/**
 * Two generations: when the young one holds half of `maxBytes` it becomes the old one, and what is asked for again moves back.
 * So the least used half is dropped at once, without bookkeeping on every hit.
 */
export function createBodyCache(maxBytes = MAX_BYTES): BodyCache {
  let young = new Map<string, ResponseBuffer>();
  let old = new Map<string, ResponseBuffer>();
  let youngBytes = 0;

  const put = (key: string, body: ResponseBuffer) => {
    const bytes = body.size + ENTRY_BYTES;
    if (bytes * 2 > maxBytes) return;
    if ((youngBytes + bytes) * 2 > maxBytes) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, body);
    youngBytes += bytes;
  };
  return {
    get(key) {
      const body = young.get(key);
      if (body) return body;
      const aged = old.get(key);
      if (aged) {
        old.delete(key);
        put(key, aged);
      }
      return aged;
    },
    put,
  };
}

const MAX_BYTES = 32 * 2 ** 20;
/** A key and its place in a map, roughly. */
const ENTRY_BYTES = 256;
