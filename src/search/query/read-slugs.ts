/** The slug of a record from where it stands in the rendered bytes: nothing is parsed. Slugs are ASCII and need no escape in JSON. */

import type { SearchedKind } from '../query.ts';
import { RECORD, type SnapshotData, VENUE_RECORD } from '../snapshot-data.ts';

/** See `renderEvent` and `renderVenue`: a slug begins the list layer of an event, and ends the base of a venue, whose last member is its URL. */
export function createSlugs(
  { events, venues }: SnapshotData,
  json: readonly Buffer[],
): (kind: SearchedKind, item: number) => string {
  function ofEvent(rank: number): string {
    const record = rank * RECORD.words;
    const bytes = json[events.records[record + RECORD.chunk]!]!;
    const from = events.records[record + RECORD.offset]! + events.records[record + RECORD.compactBytes]! + BEFORE_SLUG.length;
    return bytes.toString('latin1', from, bytes.indexOf(QUOTE, from));
  }

  function ofVenue(slot: number): string {
    const record = slot * VENUE_RECORD.words;
    const bytes = json[venues.records[record + VENUE_RECORD.chunk]!]!;
    const end = venues.records[record + VENUE_RECORD.offset]! + venues.records[record + VENUE_RECORD.baseBytes]! - 1;
    return bytes.toString('latin1', bytes.lastIndexOf(SLASH, end) + 1, end);
  }

  return (kind, item) => (kind === 'event' ? ofEvent(item) : ofVenue(item));
}

const BEFORE_SLUG = ',"slug":"';
const QUOTE = 0x22;
const SLASH = 0x2f;
