/** The fingerprint of a rendered record. */

import { hash } from 'node:crypto';

/**
 * 64 bits of SHA-1: equal bytes, equal tag, in every process. `record`: as the detail endpoint answers it; of a venue without the
 * count of what is upcoming. Copies of the directory are compared by it (`Checksums`).
 */
export function contentTag(record: string): [high: number, low: number] {
  const digest = hash('sha1', record, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
