/** `trendScores`: which events are on the rise this week. Pure; the formula is explained in docs/scoring.md. */

import type { Category } from '../catalog/index.ts';
import type { TrendFacts } from './model.ts';
import { BASELINE_DAYS, FLOORS, type Momentum, momentumOf, NEW_DAYS, TRACKS, type Track, WINDOW_DAYS } from './momentum.ts';
import { median, spread } from './series.ts';

/**
 * The trend of each event at `now` (milliseconds since 1970 UTC), by id: 0 for none, below 100, two decimals. Does not depend on the
 * order of the events.
 */
export function trendScores(facts: readonly TrendFacts[], now: number): Map<string, number> {
  const momenta = facts.map((event) => momentumOf(event, now));
  const peers = createPeers();
  for (const momentum of momenta) peers.add(momentum);
  return settleTrends(momenta, peers.read());
}

/** What is usual in a category, for one track; `usual coverage` is that of events which are not new. */
interface Usual {
  middle: number;
  spread: number;
}
type Measure = Track | 'usual coverage';
export type Peers = ReadonlyMap<string, Usual>;

/** Learns what is usual in each category. A measure of which fewer than `TREND_RULES.leastPeers` events are known says nothing. */
export function createPeers() {
  const measured = new Map<string, number[]>();
  const note = (category: Category, measure: Measure, value: number): void => {
    const key = peerKey(category, measure);
    const values = measured.get(key);
    if (values) values.push(value);
    else measured.set(key, [value]);
  };
  return {
    add({ category, rises, coverage }: Momentum): void {
      for (const track of TRACKS) {
        const rise = rises[track];
        if (rise) note(category, track, rise.gain);
      }
      if (coverage && !coverage.isNew) note(category, 'usual coverage', coverage.level);
    },
    read(): Peers {
      const known = [...measured].filter(([, values]) => values.length >= TREND_RULES.leastPeers);
      return new Map(known.map(([key, values]) => [key, { middle: median(values), spread: spread(values) }]));
    },
  };
}

/**
 * The trends of events whose momentum is known, by id. Of each venue all events that have one must be among them: only its best
 * `TREND_RULES.perVenue` keep a trend, and of one run only the best.
 */
export function settleTrends(momenta: readonly Momentum[], peers: Peers): Map<string, number> {
  const trends = new Map(momenta.map((momentum) => [momentum.id, trendOf(momentum, peers)]));
  for (const rivals of Map.groupBy(momenta, ({ venueId }) => venueId).values()) {
    const ranked = rivals
      .map(({ id, run }) => ({ id, run, trend: trends.get(id) ?? 0 }))
      .filter(({ trend }) => trend > 0)
      .sort((a, b) => b.trend - a.trend || (a.id < b.id ? -1 : 1));
    const runs = new Set<string>();
    for (const { id, run } of ranked) {
      if (runs.has(run) || runs.size >= TREND_RULES.perVenue) trends.set(id, 0);
      runs.add(run);
    }
  }
  return trends;
}

/** The strongest series counts whole only as far as the others bear it out; the momentum of what is not worth showing is worth less. */
function trendOf(momentum: Momentum, peers: Peers): number {
  const { weights } = TREND_RULES;
  const deviations = Object.fromEntries(TRACKS.map((track) => [track, deviationsOf(track, momentum, peers)]));
  const read = (track: Track): number => deviations[track] ?? 0;
  const series = [
    weights.sources * saturate(Math.max(read('sources'), newness(momentum, peers))),
    weights.tickets * saturate(Math.max(read('tickets'), read('pace'))),
    weights.social * saturate(read('social')),
    weights.views * saturate(read('views')),
  ];
  const strongest = Math.max(...series);
  const others = series.reduce((sum, each) => sum + each, 0) - strongest;
  const points = others + Math.min(strongest, strongest * ALONE + others);
  return Math.round(points * momentum.discoveryScore) / 100;
}

/** Above its own baseline and above what its category does, whichever is less; what is too small to be news is none. */
function deviationsOf(track: Track, { category, rises }: Momentum, peers: Peers): number {
  const rise = rises[track];
  if (!rise || rise.gain < FLOORS[track] * MINIMUM_SUPPORT) return 0;
  const usual = peers.get(peerKey(category, track));
  return usual ? Math.max(0, Math.min(rise.deviations, above(usual, rise.gain, track))) : rise.deviations;
}

/** An event that has no days of its own to be compared with is compared with its category's usual coverage. */
function newness({ category, coverage }: Momentum, peers: Peers): number {
  const usual = peers.get(peerKey(category, 'usual coverage'));
  if (!coverage?.isNew || !usual || coverage.level - usual.middle < FLOORS.sources * MINIMUM_SUPPORT) return 0;
  return above(usual, coverage.level, 'sources');
}

const above = ({ middle, spread }: Usual, value: number, track: Track): number => (value - middle) / (spread + FLOORS[track]);
const saturate = (deviations: number): number => deviations / (deviations + HALF_WAY);
const peerKey = (category: Category, measure: Measure): string => `${category} ${measure}`;

/** Listed in docs/scoring.md. `weights` sum to 100, the highest trend there can be. */
export const TREND_RULES = {
  weights: { sources: 30, tickets: 40, social: 20, views: 10 },
  windowDays: WINDOW_DAYS,
  baselineDays: BASELINE_DAYS,
  newDays: NEW_DAYS,
  leastPeers: 20,
  perVenue: 3,
} as const;

/** Share of a floor below which a rise is noise. */
const MINIMUM_SUPPORT = 0.5;
/** Deviations that give half of a weight. */
const HALF_WAY = 2;
/** What a series counts that no other bears out. */
const ALONE = 0.5;
