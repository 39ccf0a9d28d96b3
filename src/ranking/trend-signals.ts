/** What a trend is made of: the rise of each series, above the event's own baseline and above its category. */

import type { Category } from '../records/index.ts';
import type { ScoreSignal } from './model.ts';
import { FLOORS, type Momentum, TRACKS, type Track } from './momentum.ts';
import { median, spread } from './series.ts';

/** Listed in docs/scoring.md; they sum to 100, the highest trend there can be. */
export const TREND_WEIGHTS = { appeal: 30, tickets: 40, social: 20, views: 10 } as const;

type Series = keyof typeof TREND_WEIGHTS;

interface Reading extends Omit<ScoreSignal, 'sentence'> {
  signal: Series;
  /** The track that says most. */
  track: Track | 'new';
}

/**
 * The points of each series; they sum to the trend. The strongest counts whole only as far as the others bear it out, and the momentum
 * of what is little worth showing is worth little.
 */
export function readTrend(momentum: Momentum, peers: Peers): Reading[] {
  const readings = SERIES.map((signal): Reading => {
    const rises = TRACKS_OF[signal].map((track) => ({ track, deviations: READERS[track](momentum, peers) }));
    const most = rises.reduce((one, other) => (other.deviations > one.deviations ? other : one));
    const value = most.deviations / (most.deviations + HALF_WAY);
    const weight = TREND_WEIGHTS[signal];
    return { signal, track: most.track, value, weight, points: value * weight };
  });
  const strongest = readings.reduce((one, other) => (other.points > one.points ? other : one));
  const others = readings.reduce((sum, { points }) => sum + points, 0) - strongest.points;
  const worth = momentum.discoveryScore / 100;
  return readings.map((reading) => {
    const counted = reading === strongest ? Math.min(reading.points, reading.points * ALONE + others) : reading.points;
    return { ...reading, points: counted * worth };
  });
}

/**
 * The same in words. `trendScore` is what the event has in the end: 0 where others of its venue have the trend, which a signal of no
 * weight then says, so that the points sum to it.
 */
export function explainTrend(momentum: Momentum, peers: Peers, trendScore: number): ScoreSignal[] {
  const readings = readTrend(momentum, peers);
  const sum = readings.reduce((total, { points }) => total + points, 0);
  const signals = readings.map((reading): ScoreSignal => {
    const { track, ...signal } = reading;
    return { ...signal, sentence: reading.value > 0 ? SENTENCES[track](momentum) : quiet(reading.signal, momentum) };
  });
  if (trendScore > 0 || sum < SHOWN_AS_NONE) return signals;
  const sentence = 'Another occurrence, or other events at its venue, have the stronger trend.';
  return [...signals, { signal: 'cap', value: 0, weight: 0, points: -sum, sentence }];
}

/** Deviations above its own baseline and above what its category does, whichever is less; what is too small to be news is none. */
function deviationsOf(track: Track, { category, rises }: Momentum, peers: Peers): number {
  const rise = rises[track];
  if (!rise || rise.gain < FLOORS[track] * MINIMUM_SUPPORT) return 0;
  const usual = usualOf(peers, category, track);
  return Math.max(0, usual ? Math.min(rise.deviations, above(usual, rise.gain, track)) : rise.deviations);
}

/** An event that has no days of its own to be compared with is compared with its category's usual appeal. */
function newness({ category, appeal }: Momentum, peers: Peers): number {
  const usual = usualOf(peers, category, 'level');
  if (!appeal?.isNew || !usual || appeal.level - usual.middle < FLOORS.appeal * MINIMUM_SUPPORT) return 0;
  return above(usual, appeal.level, 'appeal');
}

const above = ({ middle, spread }: Usual, value: number, track: Track): number => (value - middle) / (spread + FLOORS[track]);

function quiet(signal: Series, { rises, appeal }: Momentum): string {
  const isKnown = signal === 'appeal' ? appeal !== null : rises[signal] !== undefined;
  return isKnown ? `${NAMES[signal]} do not stand out.` : `Too little data about ${NAMES[signal].toLowerCase()}.`;
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

const gain = ({ rises }: Momentum, track: Track): string => round(rises[track]?.gain ?? 0);

interface Usual {
  middle: number;
  /** A robust deviation. */
  spread: number;
}

/** The gain of a track, or the appeal of events that are not new. */
type Measure = Track | 'level';

/** By category and measure. */
export type Peers = ReadonlyMap<string, Usual>;

/**
 * What is usual in a category: the middle of its events and how far they lie apart. Learns what is usual. A measure of which fewer than
 * `MIN_PEERS` events of a category are known says nothing.
 */
export function createPeers(): { add(momentum: Momentum): void; read(): Peers } {
  const measured = new Map<string, number[]>();
  const note = (category: Category, measure: Measure, value: number): void => {
    const key = peerKey(category, measure);
    const values = measured.get(key);
    if (values) values.push(value);
    else measured.set(key, [value]);
  };
  return {
    add({ category, rises, appeal }) {
      for (const track of TRACKS) {
        const rise = rises[track];
        if (rise) note(category, track, rise.gain);
      }
      if (appeal && !appeal.isNew) note(category, 'level', appeal.level);
    },
    read() {
      const known = [...measured].filter(([, values]) => values.length >= MIN_PEERS);
      return new Map(known.map(([key, values]) => [key, { middle: median(values), spread: spread(values) }]));
    },
  };
}

const usualOf = (peers: Peers, category: Category, measure: Measure): Usual | undefined => peers.get(peerKey(category, measure));

const peerKey = (category: Category, measure: Measure): string => `${category} ${measure}`;

const READERS: Readonly<Record<Track | 'new', (momentum: Momentum, peers: Peers) => number>> = {
  appeal: (momentum, peers) => deviationsOf('appeal', momentum, peers),
  new: newness,
  tickets: (momentum, peers) => deviationsOf('tickets', momentum, peers),
  pace: (momentum, peers) => deviationsOf('pace', momentum, peers),
  social: (momentum, peers) => deviationsOf('social', momentum, peers),
  views: (momentum, peers) => deviationsOf('views', momentum, peers),
};
const TRACKS_OF: Readonly<Record<Series, readonly (Track | 'new')[]>> = {
  appeal: ['appeal', 'new'],
  tickets: ['tickets', 'pace'],
  social: ['social'],
  views: ['views'],
};
const SERIES = Object.keys(TREND_WEIGHTS) as Series[];
const SENTENCES: Readonly<Record<Track | 'new', (momentum: Momentum) => string>> = {
  appeal: (momentum) =>
    `Prices, nights or better known performers give it ${gain(momentum, 'appeal')} points more than a week ago.`,
  new: () => 'It is new, and its performers are better known than is usual in its category.',
  tickets: (momentum) => `${gain(momentum, 'tickets')} tickets a day more are sold than before.`,
  pace: (momentum) => `${gain(momentum, 'pace')} tickets a day are sold steadily.`,
  social: (momentum) => `It has ${gain(momentum, 'social')} social mentions more than before.`,
  views: (momentum) => `It has ${gain(momentum, 'views')} page views more than before.`,
};
const NAMES: Readonly<Record<Series, string>> = {
  appeal: 'Its performers, nights and prices',
  tickets: 'Ticket sales',
  social: 'Social mentions',
  views: 'Page views',
};
/** Share of a floor below which a rise is noise. */
const MINIMUM_SUPPORT = 0.5;
/** Deviations that give half of a weight. */
const HALF_WAY = 2;
/** What a series counts that no other bears out. */
const ALONE = 0.5;
/** Trends have two decimals. */
const SHOWN_AS_NONE = 0.005;
export const MIN_PEERS = 20;
