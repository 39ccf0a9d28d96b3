/** The facts a score may know, and what a score says. Pure data: everything can be replayed. */

import type { Category, Event, Signal } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ScoreContext } from './score-context.ts';

export interface ScoreFacts {
  hasDescription: boolean;
  hasImage: boolean;
  hasEnd: boolean;
  hasPrice: boolean;
  performers: number;
  category: Category;
  isFree: boolean;
  isSoldOut: boolean;
  startsAt: number;
  /** The last moment at which it may start: later than `startsAt` where the hour is unknown, or the whole day is meant. */
  latestStart: number;
  context: ScoreContext;
  /** All recorded observations up to the moment of scoring. */
  signals: readonly Signal[];
}

export interface ScoreSignal {
  signal: string;
  /** 0–1. */
  value: number;
  weight: number;
  /** value × weight, in points of the score. */
  points: number;
  /** One plain sentence. */
  sentence: string;
}

/** `total` is the integer that is shown: the rounded sum of the points, within 0–100. */
export interface ScoreBreakdown {
  total: number;
  /** What can be news: the points of `fame`, and some for being sold out. Neither the clock nor the audience moves it. */
  appeal: number;
  signals: ScoreSignal[];
}

export interface TrendFacts {
  id: string;
  category: Category;
  venueId: string;
  /** As `runKey` gives it. */
  run: string;
  /** As it is now, 0–100. */
  discoveryScore: number;
  signals: readonly Signal[];
  /** The appeal (see `ScoreBreakdown`) of each day (`YYYY-MM-DD`) on which it was noted; it holds until it is noted anew. */
  scores: readonly { day: string; score: number }[];
}

type ScoredEvent = Pick<
  Event,
  | 'description'
  | 'imageUrl'
  | 'endsAt'
  | 'priceMin'
  | 'priceMax'
  | 'isFree'
  | 'performers'
  | 'startsAt'
  | 'precision'
  | 'category'
  | 'status'
>;

/**
 * From the directory's records to the facts a score is computed of. The number of providers is no fact of a score: being listed by more of
 * them makes an event no better.
 */
export function scoreFacts(event: ScoredEvent, context: ScoreContext, signals: readonly Signal[]): ScoreFacts {
  return {
    hasDescription: event.description !== null,
    hasImage: event.imageUrl !== null && context.picture !== 'placeholder',
    hasEnd: event.endsAt !== null,
    hasPrice: event.isFree || event.priceMin !== null || event.priceMax !== null,
    performers: event.performers.length,
    category: event.category,
    isFree: event.isFree,
    isSoldOut: event.status === 'sold_out',
    startsAt: event.startsAt,
    latestStart: event.precision === 'time' ? event.startsAt : event.startsAt + DAY_MS - 1,
    context,
    signals,
  };
}
