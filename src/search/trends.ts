/** Trends of the events that are still to come: computed in the builder, venue by venue, so that any of it can wait. */

import { CATEGORIES, EVENT_STATUSES, LISTED_STATUSES } from '../catalog/index.ts';
import { type TrendFacts, trendScores } from '../ranking/index.ts';
import { type Directory, STATES } from './directory.ts';
import { createOrdering } from './ordering.ts';
import { createSorter } from './radix.ts';
import { parseHistory } from './render-event.ts';
import { sharedFloat64, sharedUint32 } from './shared-memory.ts';
import type { IdIndex, TrendData } from './snapshot-data.ts';

/**
 * Sets the trend of every event, or of those at some venues (slots), as of `now`. Yields after each venue: what is done so far is
 * whole, for ranking compares an event with none but those of its venue. Only listed events from `now` on have a trend.
 */
export function* refreshTrends(directory: Directory, now: number, venues?: ReadonlySet<number>): Generator<void> {
  const at = directory.events.at;
  const candidates: number[] = [];
  for (let slot = 0; slot < directory.events.count; slot += 1) {
    if (at.state[slot] !== STATES.published || (venues && !venues.has(at.venue[slot]!))) continue;
    if (at.hasHistory[slot] === 1 && IS_LISTED[at.status[slot]!] && at.start[slot]! >= now) candidates.push(slot);
    else at.trend[slot] = 0;
  }
  const sorter = createSorter(Uint32Array.from(candidates));
  sorter.byNumber((slot) => at.venue[slot]!);
  const slots = sorter.items;
  let next = 0;
  while (next < slots.length) {
    const first = next;
    const venue = at.venue[slots[first]!];
    while (next < slots.length && at.venue[slots[next]!] === venue) next += 1;
    const facts = Array.from(slots.subarray(first, next), (slot) => trendFacts(directory, slot));
    const trends = trendScores(facts, now);
    for (let i = first; i < next; i += 1) at.trend[slots[i]!] = trends.get(facts[i - first]!.id) ?? 0;
    yield;
  }
}

/** The trends as they stand, by rank. */
export function buildTrends(directory: Directory, slotOfRank: Uint32Array, lookup: IdIndex, generatedAt: number): TrendData {
  const scores = sharedFloat64(slotOfRank.length);
  for (let rank = 0; rank < scores.length; rank += 1) scores[rank] = directory.events.at.trend[slotOfRank[rank]!]!;
  const byId = lookup.leads.filter((rank) => rank >= 0);
  const rising = Array.from(byId.filter((rank) => scores[rank]! > 0)).sort((a, b) => scores[b]! - scores[a]!);
  const order = sharedUint32(scores.length);
  order.set(rising);
  order.set(
    byId.filter((rank) => scores[rank] === 0),
    rising.length,
  );
  return { generatedAt, scores, ordering: createOrdering(order), positive: rising.length };
}

function trendFacts({ events, eventIds, venueIds, json }: Directory, slot: number): TrendFacts {
  const at = events.at;
  const extras = Buffer.from(json.chunks[at.chunk[slot]!]!, at.offset[slot]! + at.detailBytes[slot]!, at.extrasBytes[slot]!);
  const { signals, scores } = parseHistory(extras.toString());
  return {
    id: eventIds.print(slot),
    category: CATEGORIES[at.category[slot]!]!,
    venueId: venueIds.print(at.venue[slot]!),
    signals,
    scores,
  };
}

const IS_LISTED = EVENT_STATUSES.map((status) => (LISTED_STATUSES as readonly string[]).includes(status));
