/** Trends of the events that are still to come: computed in the builder, venue by venue, so that any of it can wait. */

import { createPeers, isQuiet, type Momentum, momentumOf, outdone, steadyMomentum, trendOf } from '../../ranking/index.ts';
import { CATEGORIES, EVENT_STATUSES, LISTED_STATUSES } from '../../records/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Directory } from '../directory/directory.ts';
import { STATES } from '../directory/record-columns.ts';
import { parseHistory } from '../directory/render-event.ts';
import type { IdIndex, TrendData } from '../snapshot-data.ts';
import { createOrdering } from '../structures/ordering.ts';
import { createSorter } from '../structures/radix.ts';
import { sharedFloat64, sharedUint32 } from '../structures/shared-memory.ts';

/**
 * Sets the trend of every event, or of those at some venues (slots), as of `now`. Only listed events from `now` on have a trend.
 * Yields after each venue, and what is done so far is whole: ranking compares an event with those of its venue and with what is usual
 * in its category, which is learnt in a first round over all of them; some venues alone are compared with what was learnt last.
 */
export function* refreshTrends(directory: Directory, now: number, venues?: ReadonlySet<number>): Generator<void> {
  const { at } = directory.events;
  const sorter = createSorter(takeCandidates(directory, now, venues));
  sorter.byColumn(at.venue);
  const byVenue = [...groupsOf(sorter.items, (slot) => at.venue[slot]!)];
  const readings = createReadings(directory, now);
  if (!venues) yield* learnPeers(directory, byVenue, readings);
  for (const slots of byVenue) {
    setTrends(directory, slots, readings);
    yield;
  }
}

/** The events that can have a trend; all others lose theirs. */
function takeCandidates({ events: { at, count } }: Directory, now: number, venues?: ReadonlySet<number>): Uint32Array {
  const candidates: number[] = [];
  for (let slot = 0; slot < count; slot += 1) {
    if (at.state[slot] !== STATES.published || (venues && !venues.has(at.venue[slot]!))) continue;
    if (IS_LISTED[at.status[slot]!] && at.latest[slot]! >= now) candidates.push(slot);
    else at.trend[slot] = 0;
  }
  return Uint32Array.from(candidates);
}

/** What is usual in each category. */
function* learnPeers(directory: Directory, byVenue: readonly Uint32Array[], readings: Readings): Generator<void> {
  const peers = createPeers();
  for (const slots of byVenue) {
    for (const slot of slots) {
      const momentum = readings.momentum(slot);
      if (momentum) peers.add(momentum);
    }
    yield;
  }
  directory.peers = peers.read();
}

/** Of the events at one venue. */
function setTrends({ events: { at }, peers }: Directory, slots: Uint32Array, readings: Readings): void {
  for (const slot of slots) {
    const momentum = readings.momentum(slot);
    at.trend[slot] = momentum && !isQuiet(momentum) ? trendOf(momentum, peers) : 0;
  }
  const rising = Array.from(
    slots.filter((slot) => at.trend[slot]! > 0),
    (slot) => readings.rival(slot),
  );
  const losers = new Set(outdone(rising));
  for (const { id, slot } of rising) if (losers.has(id)) at.trend[slot] = 0;
}

/** Neighbours with the same key. */
function* groupsOf(slots: Uint32Array, keyOf: (slot: number) => number): Generator<Uint32Array> {
  for (let first = 0, next = 0; first < slots.length; first = next) {
    const key = keyOf(slots[first]!);
    while (next < slots.length && keyOf(slots[next]!) === key) next += 1;
    yield slots.subarray(first, next);
  }
}

type Readings = ReturnType<typeof createReadings>;

/** What is read once is remembered, until the event is put anew or its bytes move. */
function createReadings(directory: Directory, now: number) {
  const { eventIds } = directory;
  const { at } = directory.events;
  const read = new Map<number, { chunk: number; offset: number; momentum: Momentum }>();
  const history = (slot: number) => {
    const bytes = Buffer.from(
      directory.json.chunks[at.chunk[slot]!]!,
      at.offset[slot]! + at.detailBytes[slot]!,
      at.extrasBytes[slot]!,
    );
    return parseHistory(bytes.toString());
  };
  const facts = (slot: number) => ({ category: CATEGORIES[at.category[slot]!]!, discoveryScore: at.score[slot]! });

  function steady(slot: number): Momentum | null {
    if (at.isSteady[slot] === 0) return null;
    const level = Number.isNaN(at.appeal[slot]) ? null : at.appeal[slot]!;
    const [since, until] = [at.since[slot]! * DAY_MS, at.until[slot]! * DAY_MS];
    return steadyMomentum({ ...facts(slot), level, since, until }, now);
  }

  function remembered(slot: number): Momentum {
    const [chunk, offset] = [at.chunk[slot]!, at.offset[slot]!];
    const held = read.get(slot);
    if (held?.chunk === chunk && held.offset === offset) return held.momentum;
    const { signals, scores } = history(slot);
    const momentum = momentumOf({ ...facts(slot), signals, scores }, now);
    read.set(slot, { chunk, offset, momentum });
    return momentum;
  }

  return {
    /** Null for one that was taken out while others were looked at. */
    momentum: (slot: number): Momentum | null => (at.extrasBytes[slot] === 0 ? null : (steady(slot) ?? remembered(slot))),
    rival: (slot: number) => ({ slot, id: eventIds.print(slot), run: history(slot).run, trend: at.trend[slot]! }),
  };
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
  return { generatedAt, scores, ordering: createOrdering(order), positive: rising.length, peers: directory.peers };
}

const IS_LISTED = EVENT_STATUSES.map((status) => (LISTED_STATUSES as readonly string[]).includes(status));
