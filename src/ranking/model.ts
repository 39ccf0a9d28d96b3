/** The facts a score may know, and what a score says. Pure data: everything can be replayed. */

import type { CapacityTier, Category, Signal } from '../catalog/index.ts';

export interface ScoreFacts {
  hasDescription: boolean;
  hasImage: boolean;
  hasEnd: boolean;
  hasPrice: boolean;
  performers: number;
  /** How many providers list it, and how far each is trusted, 0–1. */
  sources: { count: number; trust: number };
  venue: { capacityTier: CapacityTier | null; isVerified: boolean };
  startsAt: number;
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
  signals: ScoreSignal[];
}

export interface TrendFacts {
  id: string;
  category: Category;
  venueId: string;
  signals: readonly Signal[];
  /** Days (`YYYY-MM-DD`) in order. */
  scores: readonly { day: string; score: number }[];
}
