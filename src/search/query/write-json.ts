/** Answers as bytes: what was rendered once is copied between a head and a tail. */

import { EVENT_CLOSINGS } from '../directory/render-event.ts';
import { venueCount } from '../directory/render-venue.ts';
import type { EventForm, VenueForm } from '../query.ts';
import { RECORD, VENUE_RECORD } from '../snapshot-data.ts';

export function writeEvents(
  records: Uint32Array,
  chunks: readonly Buffer[],
  items: readonly number[],
  form: EventForm,
  head: string,
  tail: string,
  { separator, allocate }: Lines = LIST,
): Buffer {
  const length = FORM_BYTES[form];
  const closing = EVENT_CLOSINGS[form];
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail) + separators(items);
  for (const item of items) size += records[item * RECORD.words + length]! + closing.length;
  const answer = allocate(size);
  let at = answer.write(head);
  for (let i = 0; i < items.length; i += 1) {
    if (i > 0) answer[at++] = separator;
    const record = items[i]! * RECORD.words;
    const offset = records[record + RECORD.offset]!;
    at += chunks[records[record + RECORD.chunk]!]!.copy(answer, at, offset, offset + records[record + length]!);
    for (let brace = 0; brace < closing.length; brace += 1) answer[at++] = CLOSING_BRACE;
  }
  answer.write(tail, at);
  return answer;
}

/** `upcoming`: how many events are still to come, by venue slot. */
export function writeVenues(
  records: Uint32Array,
  chunks: readonly Buffer[],
  items: readonly number[],
  form: VenueForm,
  upcoming: Uint32Array,
  head: string,
  tail: string,
  { separator, allocate }: Lines = LIST,
): Buffer {
  const bytesOf = (record: number): number =>
    records[record + VENUE_RECORD.baseBytes]! + (form === 'detail' ? records[record + VENUE_RECORD.metadataBytes]! : 0);
  const counts = items.map((item) => venueCount(upcoming[item]!));
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail) + separators(items);
  for (let i = 0; i < items.length; i += 1) size += bytesOf(items[i]! * VENUE_RECORD.words) + counts[i]!.length;
  const answer = allocate(size);
  let at = answer.write(head);
  for (let i = 0; i < items.length; i += 1) {
    if (i > 0) answer[at++] = separator;
    const record = items[i]! * VENUE_RECORD.words;
    const offset = records[record + VENUE_RECORD.offset]!;
    at += chunks[records[record + VENUE_RECORD.chunk]!]!.copy(answer, at, offset, offset + bytesOf(record));
    at += answer.write(counts[i]!, at, 'latin1');
  }
  answer.write(tail, at);
  return answer;
}

const separators = (items: readonly number[]): number => Math.max(0, items.length - 1);

const FORM_BYTES = { compact: RECORD.compactBytes, list: RECORD.listBytes, detail: RECORD.detailBytes } as const;
/** What stands between records, and where they are written. */
interface Lines {
  separator: number;
  allocate(bytes: number): Buffer;
}

const LIST: Lines = { separator: 0x2c, allocate: (bytes) => Buffer.allocUnsafe(bytes) };
export const NEWLINE = 0x0a;
const CLOSING_BRACE = 0x7d;
