/** The facts a score may know, and what a score says. Pure data: everything can be replayed. */

import type { CapacityTier, Category, Signal } from '../catalog/index.ts';

export interface ScoreFacts {
  hasDescription: boolean;
  hasImage: boolean;
  hasEnd: boolean;
  hasPrice: boolean;
  performers: number;
  /** How far each provider that lists it is trusted, 0–1. Each provider once, however often it lists it. */
  sources: readonly number[];
  venue: { capacityTier: CapacityTier | null; isVerified: boolean };
  startsAt: number;
  /** The last moment at which it may start: later than `startsAt` where the hour is unknown, or the whole day is meant. */
  latestStart: number;
  /** Which of the coming showings of its title at its venue it is, from 1; see `showings`. */
  showing: number;
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
  /** The points of `sources`: the part that neither the clock nor the audience nor a lone provider moves. */
  coverage: number;
  signals: ScoreSignal[];
}

export interface TrendFacts {
  id: string;
  category: Category;
  venueId: string;
  /** See `runKey` of the catalog. */
  run: string;
  /** As it is now, 0–100. */
  discoveryScore: number;
  signals: readonly Signal[];
  /** The coverage (see `ScoreBreakdown`) of each day (`YYYY-MM-DD`) on which it was noted; it holds until it is noted anew. */
  scores: readonly { day: string; score: number }[];
}
