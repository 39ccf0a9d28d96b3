/** The records of one answer into listings, one after the other. A bad one stops nothing. */

import type { EventListing, Listing, ReadListing } from './listing.ts';

/** What became of a record: listings, a reason why there is none, or `null` where it is not to be listed. */
export type RecordReading = readonly Listing[] | RecordRefusal | null;

export interface RecordRefusal {
  field: string;
  reason: string;
  externalId: string | null;
}

/** `index` counts records from 1; several listings of one record share it. */
export function readRecords(records: readonly unknown[], bytes: number, read: (record: unknown) => RecordReading): ReadListing[] {
  const share = bytes / Math.max(1, records.length);
  return records.flatMap((record, position): ReadListing[] => {
    const [index, reading] = [position + 1, read(record)];
    if (reading === null) return [{ ok: 'dropped', index, bytes: share }];
    if ('reason' in reading) return [{ ok: false, index, bytes: share, ...reading }];
    return reading.map((listing) => ({ ok: true, index, bytes: share / reading.length, listing }));
  });
}

/** The listing of an event, unless it says neither what it is nor when. */
export function eventReading(event: EventListing): RecordReading {
  for (const field of ['externalId', 'title', 'start'] as const) {
    if (event[field] === null) return { field, reason: `wanted ${WANTED[field]}, got nothing`, externalId: event.externalId };
  }
  return [{ target: 'events', event }];
}

const WANTED = { externalId: 'an id', title: 'a title', start: 'a date or date-time' } as const;
