/** Ids that are the same whenever the same listing is met for the first time at the same moment. */

import { hash } from 'node:crypto';

/** Of a record: RFC 9562 §5.8 (version 8), made of its source and external id alone, so that it survives the removal of the source. */
export function recordIdOf(kind: 'event' | 'venue', source: string, externalId: string): string {
  return format(digest(['record', kind, source, externalId]), 8);
}

/** Of an event or venue: RFC 9562 §5.7 (version 7); the moment leads, the listing decides the rest. */
export function publicIdOf(recordId: string, firstSeenAt: number): string {
  const bytes = digest(['public', recordId, String(firstSeenAt)]);
  bytes.writeUIntBE(firstSeenAt, 0, 6);
  return format(bytes, 7);
}

function digest(parts: readonly string[]): Buffer {
  return hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, 16);
}

function format(bytes: Buffer, version: number): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const text = bytes.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
