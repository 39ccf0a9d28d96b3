/** Another public address: where it stands in rendered records it is replaced, and nowhere else. */

import { Arena } from '../structures/arena.ts';
import { contentTag } from './content-tag.ts';

interface Rendered {
  chunk: Uint32Array;
  offset: Uint32Array;
  tagHigh: Uint32Array;
  tagLow: Uint32Array;
}
type EventColumns = Rendered &
  Record<'compactBytes' | 'listBytes' | 'detailBytes' | 'extrasBytes', Uint32Array> & { ownImage: Uint8Array };
type VenueColumns = Rendered & Record<'baseBytes' | 'metadataBytes' | 'otherNamesBytes', Uint32Array>;

/**
 * Writes all records anew, to a fresh arena. A quote inside a JSON string is escaped (RFC 8259 §7), so `,"url":"` can only be the
 * member itself, whatever the texts say. Throws an `Error` when an address is not where it should be.
 */
export function rewriteUrls(
  json: Arena,
  events: { at: EventColumns; count: number },
  venues: { at: VenueColumns; count: number },
  from: string,
  to: string,
): Arena {
  const fresh = new Arena();
  /** `unseen`: bytes at the end that are not shown. */
  const move = (at: Rendered, slot: number, bytes: number, unseen: number, change: (record: string) => string): void => {
    const record = Buffer.from(json.chunks[at.chunk[slot]!]!, at.offset[slot]!, bytes);
    const changed = Buffer.from(change(record.toString('latin1')), 'latin1');
    const place = fresh.appendBytes(changed);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
    [at.tagHigh[slot], at.tagLow[slot]] = contentTag(`${changed.toString('utf8', 0, changed.length - unseen)}}`);
  };
  const [before, after] = [quoted(from), quoted(to)];
  const grown = after.length - before.length;
  const replace = (record: string, start: number, member: string, path: string): string => {
    const at = record.indexOf(`,"${member}":"${before}${path}`, start);
    if (at < 0) throw new Error(`a record lacks its ${member}`);
    const address = at + member.length + 5;
    return record.slice(0, address) + after + record.slice(address + before.length);
  };

  for (let slot = 0; slot < venues.count; slot += 1) {
    const { baseBytes, metadataBytes, otherNamesBytes } = venues.at;
    if (baseBytes[slot] === 0) continue;
    const unseen = otherNamesBytes[slot]!;
    move(venues.at, slot, baseBytes[slot]! + metadataBytes[slot]! + unseen, unseen, (record) =>
      replace(record, 0, 'url', '/venues/'),
    );
    baseBytes[slot] = baseBytes[slot]! + grown;
  }
  for (let slot = 0; slot < events.count; slot += 1) {
    const { compactBytes, listBytes, detailBytes, extrasBytes, ownImage } = events.at;
    if (detailBytes[slot] === 0) continue;
    const start = compactBytes[slot]!;
    move(events.at, slot, detailBytes[slot]! + extrasBytes[slot]!, extrasBytes[slot]!, (record) => {
      const linked = replace(record, start, 'url', '/events/');
      return ownImage[slot] === 1 ? replace(linked, start, 'imageUrl', '/') : linked;
    });
    const change = grown * (1 + ownImage[slot]!);
    listBytes[slot] = listBytes[slot]! + change;
    detailBytes[slot] = detailBytes[slot]! + change;
  }
  return fresh;
}

/** As it stands between quotes in JSON, each byte a character. */
const quoted = (address: string): string => Buffer.from(JSON.stringify(address).slice(1, -1)).toString('latin1');
