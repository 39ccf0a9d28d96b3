/** The records of one answer into listings, one after the other. A bad one stops nothing. */

import type { EventListing, Listing, ReadListing } from './listing.ts';

/** What became of a record: listings, a reason why there is none, or `null` where it is not to be listed. */
export type RecordReading = readonly Listing[] | RecordRejection | null;

export interface RecordRejection {
  field: string;
  reason: string;
  externalId: string | null;
  /** What could be read of it: a mapping may know the rest. */
  draft?: Listing;
}

/** `index` counts records from 1; several listings of one record share it. `asRecord`: the record as a mapping finds it. */
export function readRecords(
  records: readonly unknown[],
  bytes: number,
  read: (record: unknown) => RecordReading,
  asRecord: (record: unknown) => unknown = (record) => record,
): ReadListing[] {
  const share = bytes / Math.max(1, records.length);
  return records.flatMap((record, position): ReadListing[] => {
    const [index, reading] = [position + 1, read(record)];
    const found = { index, bytes: share, record: () => asRecord(record) };
    if (reading === null) return [{ ok: 'dropped', index, bytes: share }];
    if ('reason' in reading) return [{ ok: false, ...found, ...reading }];
    return reading.map((listing) => ({ ok: true, ...found, bytes: share / reading.length, listing }));
  });
}

/** A record without a listing, and what a mapping may make of it. */
export function rejectedReading(
  at: { index: number; bytes: number; record: () => unknown },
  read: { id: string | null; field: string | null; reason: string; draft?: EventListing },
): ReadListing {
  const { id: externalId, field, reason, draft } = read;
  return { ok: false, ...at, field, reason, externalId, ...(draft ? { draft: { target: 'events', event: draft } } : {}) };
}

/** The listing of an event, unless it says neither what it is nor when. */
export function eventReading(event: EventListing): RecordReading {
  for (const field of ['externalId', 'title', 'start'] as const) {
    if (event[field] !== null) continue;
    const draft = { target: 'events', event } as const;
    return { field, reason: `wanted ${WANTED[field]}, got nothing`, externalId: event.externalId, draft };
  }
  return [{ target: 'events', event }];
}

const WANTED = { externalId: 'an id', title: 'a title', start: 'a date or date-time' } as const;
