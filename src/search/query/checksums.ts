/** Sums over the records of a snapshot: `Checksums` in the contract. */

import type { ChecksumKind, Checksums } from '../query.ts';
import { type IdIndex, RECORD, type SnapshotData, VENUE_RECORD } from '../snapshot-data.ts';

/** Each is made when it is first asked for: one pass over the tags that every record has already. */
export function createChecksums({ events, venues }: SnapshotData): Record<ChecksumKind, () => Checksums> {
  return {
    event: once(() => sumTags(events.lookup, events.records, RECORD)),
    venue: once(() => sumTags(venues.lookup, venues.records, VENUE_RECORD)),
  };
}

function sumTags(
  { ids, leads }: IdIndex,
  records: Uint32Array,
  layout: { words: number; tagHigh: number; tagLow: number },
): Checksums {
  const sums = { records: 0, ranges: new BigUint64Array(RANGES) };
  for (let place = 0; place < leads.length; place += 1) {
    const item = leads[place]!;
    if (item < 0) continue;
    const range = ids[place * WORDS_OF_ID + WORDS_OF_ID - 1]! & (RANGES - 1);
    const record = item * layout.words;
    const tag = (BigInt(records[record + layout.tagHigh]!) << 32n) | BigInt(records[record + layout.tagLow]!);
    sums.ranges[range] = sums.ranges[range]! + tag;
    sums.records += 1;
  }
  return sums;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const RANGES = 256;
const WORDS_OF_ID = 4;
