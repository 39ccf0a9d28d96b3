/** The events of a directory in rank order, with everything a query asks of them. */

import { CATEGORIES, EVENT_STATUSES } from '../../records/index.ts';
import type { Directory } from '../directory/directory.ts';
import { STATES } from '../directory/record-columns.ts';
import { type EventsData, RECORD } from '../snapshot-data.ts';
import { createAxis } from '../structures/axis.ts';
import { groupByValue } from '../structures/grouped-ranks.ts';
import { createOrdering } from '../structures/ordering.ts';
import { createSorter, type WholeColumn } from '../structures/radix.ts';
import { sharedInt32, sharedUint8, sharedUint32, sharedWholes } from '../structures/shared-memory.ts';
import { indexSlugs } from '../structures/slug-index.ts';
import { createWholes } from '../structures/whole.ts';
import { indexIds } from './index-ids.ts';
import { indexTerms } from './index-terms.ts';

export interface BuiltEvents {
  data: EventsData;
  slotOfRank: Uint32Array;
}

/** `slotsById`: all event slots in the order of their ids. */
export function buildEvents(directory: Directory, slotsById: Uint32Array): BuiltEvents {
  const at = directory.events.at;
  const published = slotsById.filter((slot) => at.state[slot] === STATES.published);
  // Stable sorts, the last first: by id, then start, is the order of time; by score on top of it, the order of rank.
  const sorter = createSorter(published);
  sorter.byColumn(at.start);
  const slotsByStart = sorter.items.slice();
  sorter.byDigit((slot) => HIGHEST_SCORE - at.score[slot]!);
  const slotOfRank = sorter.items;
  const n = slotOfRank.length;
  const rankOf = new Uint32Array(directory.events.count);
  for (let rank = 0; rank < n; rank += 1) rankOf[slotOfRank[rank]!] = rank;
  const byUpdated = createSorter(published);
  byUpdated.byColumn(at.updated, 'descending');

  const starts = gather(sharedWholes(n), slotOfRank, at.start);
  const latests = gather(sharedWholes(n), slotOfRank, at.latest);
  const ends = gather(createWholes(n), slotOfRank, at.end);
  const venue = gather(sharedUint32(n), slotOfRank, at.venue);
  const neighborhood = gather(sharedUint32(n), venue, directory.venues.at.neighborhood);
  const category = gather(sharedUint8(n), slotOfRank, at.category);
  const free = gather(sharedUint8(n), slotOfRank, at.free);
  const prices = gather(createWholes(n), slotOfRank, at.price);
  const updates = gather(createWholes(n), slotOfRank, at.updated);
  const byUpdatedRank = toRanks(byUpdated.items, rankOf);
  const records = eventRecords(at, slotOfRank);
  const byStart = createOrdering(toRanks(slotsByStart, rankOf));
  const byLatest = createSorter(byStart.order.slice());
  byLatest.byColumn(latests);
  const withoutHour = byStart.order.filter((rank) => latests[rank]! > starts[rank]!);
  const withEnd = createSorter(byStart.order.filter((rank) => !Number.isNaN(ends[rank]!)));
  withEnd.byColumn(ends);
  const withPrice = createSorter(byStart.order.filter((rank) => !Number.isNaN(prices[rank]!)));
  withPrice.byColumn(prices);

  const data: EventsData = {
    n,
    records,
    starts,
    latests,
    venue,
    neighborhood,
    category,
    free,
    ...localDays(gather(new Int32Array(n), slotOfRank, at.day)),
    latestAxis: createAxis(share(byLatest.items), latests, n),
    dayAxis: createAxis(share(withoutHour), starts, n),
    endAxis: createAxis(share(withEnd.items), ends, n),
    priceAxis: createAxis(share(withPrice.items), prices, n),
    updatedAxis: createAxis(share(byUpdatedRank.toReversed()), updates, n),
    byStart,
    byUpdated: createOrdering(byUpdatedRank),
    byCategory: groupByValue(category, n, CATEGORIES.length),
    byStatus: groupByValue(gather(new Uint8Array(n), slotOfRank, at.status), n, EVENT_STATUSES.length + 1),
    byFree: groupByValue(free, n, 2),
    byNeighborhood: groupByValue(neighborhood, n, directory.neighborhoodSlugs.length),
    byVenue: groupByValue(venue, n, directory.venues.count),
    ...indexTerms({
      records,
      columns: at,
      slots: directory.events.count,
      terms: directory.dictionary.termCount(),
      sequences: directory.sequences,
    }),
    bySlug: indexSlugs(
      Uint32Array.from(slotOfRank, (_, rank) => rank),
      (rank) => at.slug[slotOfRank[rank]!]!,
    ),
    lookup: indexIds(directory.eventIds.words, slotsById, at, (slot) => rankOf[slot]!),
  };
  return { data, slotOfRank: share(slotOfRank) };
}

/** Column by column: one fits into the processor's cache, all of them do not. */
function eventRecords(at: Directory['events']['at'], slotOfRank: Uint32Array): Uint32Array {
  const records = sharedUint32(slotOfRank.length * RECORD.words);
  const { words, ...places } = RECORD;
  for (const [name, place] of Object.entries(places) as [keyof typeof places, number][]) {
    const column = at[name];
    for (let rank = 0, word = place; rank < slotOfRank.length; rank += 1, word += words)
      records[word] = column[slotOfRank[rank]!]!;
  }
  return records;
}

function localDays(dayOfRank: Int32Array): { day: Uint32Array; days: Int32Array } {
  const distinct = Int32Array.from(new Set(dayOfRank)).sort();
  const numberOf = new Map(Array.from(distinct, (day, number) => [day, number]));
  const day = sharedUint32(dayOfRank.length);
  for (let rank = 0; rank < day.length; rank += 1) day[rank] = numberOf.get(dayOfRank[rank]!)!;
  const days = sharedInt32(distinct.length);
  days.set(distinct);
  return { day, days };
}

/** Both columns hold the same kind of number. */
function gather<T extends WholeColumn>(into: T, slots: Uint32Array, column: NoInfer<T>): T {
  for (let i = 0; i < slots.length; i += 1) into[i] = column[slots[i]!]!;
  return into;
}

function toRanks(slots: Uint32Array, rankOf: Uint32Array): Uint32Array {
  return gather(sharedUint32(slots.length), slots, rankOf);
}

function share(numbers: Uint32Array): Uint32Array {
  const shared = sharedUint32(numbers.length);
  shared.set(numbers);
  return shared;
}

/** `discovery_score` is 0–100. */
const HIGHEST_SCORE = 100;
