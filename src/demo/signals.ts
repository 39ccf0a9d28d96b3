/** What the box offices and the net have said about an event over the last weeks. */

import type { CapacityTier, Category, EventStatus, SignalKind } from '../records/index.ts';
import type { SeededRandom } from '../values/random.ts';

/** One entry of `signals` in a bundle's `events.ndjson`. */
export interface SignalLine {
  kind: SignalKind;
  value: number;
  observedAt: string;
}

export interface Attention {
  category: Category;
  capacity: CapacityTier;
  status: EventStatus;
  hasTickets: boolean;
  /** The moments of observation, oldest first, as ISO text. */
  moments: readonly string[];
}

/**
 * Series that a ranking can work with: running totals of tickets, daily levels of mentions and views. Most events amble along, a
 * few take off in the last third, some fade; many are not observed at all.
 */
export function makeSignals({ category, capacity, status, hasTickets, moments }: Attention, random: SeededRandom): SignalLine[] {
  if (moments.length < 2 || random.chance(UNOBSERVED)) return [];
  const heat = random.next() ** 2;
  const fame = FAME[category];
  const reach = REACH[capacity] * fame;
  const course = random.weighted(COURSES);
  const seats = Math.ceil(SEATS[capacity] * fame * (0.7 + random.next() * 0.6));
  const level = (peak: number) =>
    moments.map((_, index) => Math.round(peak * course(index / (moments.length - 1)) * noise(random)));
  const print = (kind: SignalKind, values: readonly number[]): SignalLine[] =>
    values.map((value, index) => ({ kind, value, observedAt: moments[index] ?? '' }));

  const lines: SignalLine[] = [];
  if (hasTickets && random.chance(TICKETED)) {
    const sold = runningTotal(level(1000), seats, status === 'sold_out' ? 1 : 0.1 + 0.8 * heat);
    const left = { kind: 'tickets_available', value: seats - (sold.at(-1) ?? 0), observedAt: moments.at(-1) ?? '' } as const;
    lines.push(...print('tickets_sold', sold), left);
  }
  if (random.chance(MENTIONED)) lines.push(...print('social_mentions', level(4 + heat * reach)));
  if (random.chance(VIEWED)) lines.push(...print('page_views', level(30 + heat * reach * VIEWS_PER_MENTION)));
  return lines;
}

/** Turns a pace into a total that ends at `share` of the seats. */
function runningTotal(pace: readonly number[], seats: number, share: number): number[] {
  const whole = pace.reduce((sum, value) => sum + value, 0) || 1;
  let sofar = 0;
  return pace.map((value) => {
    sofar += value;
    return Math.round((sofar / whole) * seats * share);
  });
}

const noise = (random: SeededRandom): number => 0.85 + random.next() * 0.3;

/** How attention runs from the first observation (0) to the last (1). */
const COURSES: readonly (readonly [(t: number) => number, weight: number])[] = [
  [() => 0.5, 55],
  [(t) => 0.25 + 0.35 * t, 22],
  [(t) => 0.9 - 0.6 * t, 14],
  // It takes off.
  [(t) => (t < 0.66 ? 0.15 : 0.5 + (t - 0.66) * 5), 9],
];
const UNOBSERVED = 0.45;
const TICKETED = 0.75;
const MENTIONED = 0.5;
const VIEWED = 0.8;
const SEATS: Record<CapacityTier, number> = { intimate: 60, small: 220, medium: 900, large: 8_000 };
/** Mentions a day when everybody talks about it. */
const REACH: Record<CapacityTier, number> = { intimate: 40, small: 70, medium: 140, large: 320 };
const VIEWS_PER_MENTION = 9;
/** A walk in a large park has room for thousands and is not meant for them. */
const FAME: Record<Category, number> = {
  concert: 1,
  sports: 1,
  festival: 1,
  comedy: 0.8,
  theater: 0.8,
  nightlife: 0.7,
  food: 0.5,
  art: 0.5,
  family: 0.4,
  community: 0.3,
  outdoor: 0.15,
};
