/** The venues of a directory with everything a query asks of them. */

import { LOCATION_PRECISIONS } from '../../records/index.ts';
import type { Directory } from '../directory/directory.ts';
import { STATES } from '../directory/record-columns.ts';
import { VENUE_RECORD, type VenuesData } from '../snapshot-data.ts';
import { type GroupedRanks, openGroups } from '../structures/grouped-ranks.ts';
import { sharedFloat64, sharedUint8, sharedUint32 } from '../structures/shared-memory.ts';
import { indexSlugs } from '../structures/slug-index.ts';
import { createPhraseIndex, type PhraseIndex } from '../text/phrase-index.ts';
import { streetPhrases, venuePhrases } from '../text/place-phrases.ts';
import { indexIds } from './index-ids.ts';
import { createNameOrder } from './name-order.ts';

const AREA = LOCATION_PRECISIONS.indexOf('area');

/** `slotsById`: all venue slots in the order of their ids; `byName`: see `sortByName`. */
export function buildVenues(directory: Directory, slotsById: Uint32Array, byName: Uint32Array): VenuesData {
  const at = directory.venues.at;
  const slots = directory.venues.count;
  const records = sharedUint32(slots * VENUE_RECORD.words);
  for (let slot = 0; slot < slots; slot += 1) {
    const record = slot * VENUE_RECORD.words;
    records[record + VENUE_RECORD.chunk] = at.chunk[slot]!;
    records[record + VENUE_RECORD.offset] = at.offset[slot]!;
    records[record + VENUE_RECORD.baseBytes] = at.baseBytes[slot]!;
    records[record + VENUE_RECORD.metadataBytes] = at.metadataBytes[slot]!;
    records[record + VENUE_RECORD.tagHigh] = at.tagHigh[slot]!;
    records[record + VENUE_RECORD.tagLow] = at.tagLow[slot]!;
    records[record + VENUE_RECORD.sequenceChunk] = at.sequenceChunk[slot]!;
    records[record + VENUE_RECORD.sequenceOffset] = at.sequenceOffset[slot]!;
    records[record + VENUE_RECORD.sequenceTerms] = at.sequenceTerms[slot]!;
  }
  const published = byName.toSorted();
  // What is only known to be in an area is near nothing: neither circles nor boxes find it.
  const placed = Uint32Array.from({ length: slots }, (_, slot) => slot).filter((slot) => at.precision[slot] !== AREA);
  const byLatitude = copied(sharedUint32(placed.length), placed);
  byLatitude.sort((a, b) => at.latitude[a]! - at.latitude[b]! || a - b);
  return {
    slots,
    published: published.length,
    records,
    type: copied(sharedUint8(slots), at.type),
    capacity: copied(sharedUint8(slots), at.capacity),
    verified: copied(sharedUint8(slots), at.verified),
    precision: copied(sharedUint8(slots), at.precision),
    neighborhood: copied(sharedUint32(slots), at.neighborhood),
    latitude: copied(sharedFloat64(slots), at.latitude),
    longitude: copied(sharedFloat64(slots), at.longitude),
    byLatitude,
    byName,
    byTerm: groupByTerm(directory, published),
    names: indexPhrases(published, (slot) => [directory.venueNames[slot]!, ...directory.venueAliases(slot)], venuePhrases),
    streets: indexPhrases(published, (slot) => [directory.venueAddress(slot), directory.venueNames[slot]!], streetPhrases),
    bySlug: indexSlugs(published, (slot) => at.slug[slot]!),
    lookup: indexIds(directory.venueIds.words, slotsById, at, (slot) => slot),
  };
}

/** `phrasesOf`: of one text of a venue. */
function indexPhrases(
  slots: Uint32Array,
  textsOf: (slot: number) => readonly string[],
  phrasesOf: (text: string) => Iterable<string>,
): PhraseIndex {
  const phrases = new Map<string, Set<number>>();
  for (const slot of slots)
    for (const text of textsOf(slot))
      for (const phrase of phrasesOf(text)) {
        const known = phrases.get(phrase);
        if (known) known.add(slot);
        else phrases.set(phrase, new Set([slot]));
      }
  return createPhraseIndex(phrases);
}

function groupByTerm({ dictionary, venues, venueTerms }: Directory, published: Uint32Array): GroupedRanks {
  const sizes = sharedUint32(dictionary.termCount());
  const eachTerm = (visit: (term: number, slot: number) => void): void => {
    for (const slot of published) for (const term of new Set(venueTerms[slot])) visit(term, slot);
  };
  eachTerm((term) => {
    sizes[term] = sizes[term]! + 1;
  });
  const { add, groups } = openGroups(venues.count, sizes);
  eachTerm(add);
  return groups;
}

/** Published venue slots by name in the collation of the city's locale, then by code points, then by id. */
export function sortByName(directory: Directory, slotsById: Uint32Array): Uint32Array {
  const names = directory.venueNames;
  const compareNames = createNameOrder(directory.city?.locale ?? 'und');
  const published = slotsById.filter((slot) => directory.venues.at.state[slot] === STATES.published);
  const sorted = Array.from(published).sort((a, b) => compareNames(names[a]!, names[b]!));
  return copied(sharedUint32(sorted.length), sorted);
}

function copied<T extends { set(source: ArrayLike<number>): void; length: number; subarray(start: number, end: number): T }>(
  into: T,
  column: ArrayLike<number>,
): T {
  for (let i = 0; i < into.length; i += 1) (into as unknown as number[])[i] = column[i]!;
  return into;
}
