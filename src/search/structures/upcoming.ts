/**
 * What is still to come at a moment: listed events that may start from then on, counted by venue and by neighborhood, and the venues
 * in the order of those counts. As time goes on a cursor moves along the latest axis and takes away what it passes; it can go back.
 */

import { CATEGORIES, EVENT_STATUSES, LISTED_STATUSES } from '../../records/index.ts';
import type { EventsData, SnapshotData, UpcomingData } from '../snapshot-data.ts';
import { entriesBefore } from './axis.ts';
import { groupsOf } from './grouped-ranks.ts';
import { contains, type RankSet } from './rank-set.ts';
import { sharedUint32 } from './shared-memory.ts';

/** Events that lists show unasked. */
export function listedOf(events: EventsData): RankSet {
  return groupsOf(
    events.byStatus,
    LISTED_STATUSES.map((status) => EVENT_STATUSES.indexOf(status)),
  );
}

export function countUpcoming(
  events: EventsData,
  listed: RankSet,
  shape: { slots: number; neighborhoods: number },
  now: number,
): UpcomingData {
  const upcoming = {
    cursor: events.n,
    venues: sharedUint32(shape.slots),
    categories: sharedUint32(shape.neighborhoods * CATEGORIES.length),
  };
  moveCursor(upcoming, events, listed, entriesBefore(events.latestAxis, now));
  return upcoming;
}

export interface Upcoming {
  /** As many events as this have surely started at `now`: while it is the same, so is all else. */
  cursor: number;
  /** How many by venue slot. */
  venues: Uint32Array;
  /** How many by neighborhood number × `CATEGORIES`. */
  categories: Uint32Array;
  /** Published venue slots: count desc, then by name. */
  inOrder(): Uint32Array;
}

/** The answer is good until the next call. */
export function createUpcoming({ events, venues, upcoming }: SnapshotData, listed: RankSet): (now: number) => Upcoming {
  let state: Upcoming | null = null;
  let ordered: Uint32Array | null = null;
  return (now) => {
    const cursor = entriesBefore(events.latestAxis, now);
    if (state?.cursor === cursor) return state;
    // The counts that came with the snapshot are shared with other threads: these are our own to move.
    state ??= {
      cursor: upcoming.cursor,
      venues: upcoming.venues.slice(),
      categories: upcoming.categories.slice(),
      inOrder: () => {
        ordered ??= byCount(venues.byName, state?.venues ?? upcoming.venues);
        return ordered;
      },
    };
    moveCursor(state, events, listed, cursor);
    ordered = null;
    return state;
  };
}

/** Counts what lies between the old place of the cursor and the new one in or out. */
function moveCursor(counts: UpcomingData, events: EventsData, listed: RankSet, cursor: number): void {
  const step = cursor > counts.cursor ? -1 : 1;
  const end = Math.max(cursor, counts.cursor);
  for (let i = Math.min(cursor, counts.cursor); i < end; i += 1) {
    const rank = events.latestAxis.order[i]!;
    if (!contains(listed, rank)) continue;
    const venue = events.venue[rank]!;
    counts.venues[venue] = counts.venues[venue]! + step;
    const category = events.neighborhood[rank]! * CATEGORIES.length + events.category[rank]!;
    if (category < counts.categories.length) counts.categories[category] = counts.categories[category]! + step;
  }
  counts.cursor = cursor;
}

/** Counting sort: linear, and it keeps the order by name among equals. */
function byCount(byName: Uint32Array, counts: Uint32Array): Uint32Array {
  let most = 0;
  for (const slot of byName) if (counts[slot]! > most) most = counts[slot]!;
  const starts = new Uint32Array(most + 2);
  for (const slot of byName) starts[most - counts[slot]! + 1] = starts[most - counts[slot]! + 1]! + 1;
  for (let i = 1; i < starts.length; i += 1) starts[i] = starts[i]! + starts[i - 1]!;
  const order = new Uint32Array(byName.length);
  for (const slot of byName) {
    const bucket = most - counts[slot]!;
    order[starts[bucket]!] = slot;
    starts[bucket] = starts[bucket]! + 1;
  }
  return order;
}
