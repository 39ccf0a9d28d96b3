/** Pages of venues. */

import { CAPACITY_TIERS, VENUE_TYPES } from '../../records/index.ts';
import type { ResultPage, VenueQuery } from '../query.ts';
import { type SnapshotData, VENUE_RECORD } from '../snapshot-data.ts';
import { contains } from '../structures/rank-set.ts';
import type { Upcoming } from '../structures/upcoming.ts';
import { placesInBox, placesWithin } from './geo.ts';
import { createTagMixer } from './page-tag.ts';
import type { TextMatch } from './text-search.ts';

/** Handles are slots. */
export function createVenueQueries(
  { venues, neighborhoodSlugs }: SnapshotData,
  searchText: (text: string) => TextMatch,
): (query: VenueQuery, upcoming: Upcoming) => ResultPage {
  const testsOf = (query: VenueQuery, text: TextMatch | null): ((slot: number) => boolean)[] => {
    const tests: ((slot: number) => boolean)[] = [];
    const { types, capacities, neighborhood, near, box } = query;
    if (!query.anyVerified) tests.push((slot) => venues.verified[slot] === 1);
    if (types)
      tests.push(
        isOneOf(
          venues.type,
          types.map((type) => VENUE_TYPES.indexOf(type)),
        ),
      );
    if (capacities)
      tests.push(
        isOneOf(
          venues.capacity,
          capacities.map((tier) => CAPACITY_TIERS.indexOf(tier)),
        ),
      );
    if (neighborhood !== undefined) {
      const number = neighborhoodSlugs.indexOf(neighborhood);
      tests.push((slot) => venues.neighborhood[slot] === number);
    }
    if (near) tests.push(isAmong(placesWithin(venues, near).slots));
    if (box) tests.push(isAmong(placesInBox(venues, box)));
    const named = text?.items;
    if (named) tests.push((slot) => contains(named, slot));
    return tests;
  };

  return (query, upcoming) => {
    const text = query.text === undefined ? null : searchText(query.text);
    const tests = testsOf(query, text);
    const items: number[] = [];
    let total = 0;
    for (const slot of upcoming.inOrder()) {
      if (!tests.every((passes) => passes(slot))) continue;
      if (total >= query.offset && items.length < query.limit) items.push(slot);
      total += 1;
    }
    const mixer = createTagMixer();
    mixer.add(total);
    for (const slot of items) addVenue(mixer, venues.records, slot, upcoming);
    return { total, items, interpretations: text?.interpretations ?? [], tag: mixer.print() };
  };
}

/** The tag of one venue at a moment. */
export function venueTag(records: Uint32Array, slot: number, upcoming: Upcoming): string {
  const mixer = createTagMixer();
  addVenue(mixer, records, slot, upcoming);
  return mixer.print();
}

function addVenue(mixer: { add(word: number): void }, records: Uint32Array, slot: number, upcoming: Upcoming): void {
  mixer.add(records[slot * VENUE_RECORD.words + VENUE_RECORD.tagHigh]!);
  mixer.add(records[slot * VENUE_RECORD.words + VENUE_RECORD.tagLow]!);
  mixer.add(upcoming.venues[slot]!);
}

function isOneOf(values: Uint8Array, wanted: readonly number[]): (slot: number) => boolean {
  return (slot) => wanted.includes(values[slot]!);
}

function isAmong(slots: Uint32Array): (slot: number) => boolean {
  const among = new Set(slots);
  return (slot) => among.has(slot);
}
