/** The fingerprint of a rendered record. */

import { hash } from 'node:crypto';

/** 64 bits of SHA-1: equal bytes, equal tag, in every process. */
export function contentTag(bytes: Uint8Array): [high: number, low: number] {
  const digest = hash('sha1', bytes, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
