/** Ids that are the same on every machine and in every week, so that examples may name them. */

import { hash } from 'node:crypto';

/** A UUID of version 8 (RFC 9562 §5.8), made of a name. */
export function testId(kind: string, name: string): string {
  const bytes = Buffer.from(hash('sha256', `marquee test city\n${kind}\n${name}`, 'buffer').subarray(0, 16));
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
