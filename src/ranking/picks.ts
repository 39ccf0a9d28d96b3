/** The best events of each day: of each category, and the small ones, so that they stay findable beside the stars. */

import type { Category } from '../records/index.ts';
import { compareText } from '../values/compare-text.ts';

export interface PickCandidate {
  id: string;
  title: string;
  venueId: string;
  program: string;
  category: Category;
  isFree: boolean;
  /** The local day. */
  day: string;
  startsAt: number;
  /** How often it comes within a month. */
  nights: number;
  /** Venue and fame, 0–1. */
  size: number;
  /** What neither the clock nor the audience moves. */
  points: number;
}

/**
 * Of each day at most `PICKS_PER_DAY`: the best free one, the best with tickets, and the best of the rest. Each has another category,
 * venue and program. Does not depend on the order of the candidates.
 */
export function pickSmallEvents(candidates: readonly PickCandidate[]): string[] {
  const small = candidates.filter(({ size, nights }) => size < SMALL_BELOW && nights <= MAX_PICK_NIGHTS);
  return [...Map.groupBy(small, ({ day }) => day).values()].flatMap(pickOfDay);
}

/** Which of its category and day each event is, from 1, at most `MAX_RANK`. */
export function rankOfDay(candidates: readonly PickCandidate[]): Map<string, number> {
  const groups = Map.groupBy(candidates, ({ day, category }) => `${day} ${category}`);
  return new Map(
    [...groups.values()].flatMap((group) =>
      [...group].sort(byPoints).map(({ id }, index) => [id, Math.min(MAX_RANK, index + 1)] as const),
    ),
  );
}

const byPoints = (a: PickCandidate, b: PickCandidate): number =>
  b.points - a.points ||
  a.startsAt - b.startsAt ||
  compareText(a.title, b.title) ||
  compareText(a.venueId, b.venueId) ||
  compareText(a.id, b.id);

function pickOfDay(events: readonly PickCandidate[]): string[] {
  const ranked = [...events].sort(byPoints);
  const picks: PickCandidate[] = [];
  for (const suits of TURNS) {
    const next = ranked.find((event) => suits(event) && picks.every((pick) => differs(pick, event)));
    if (next) picks.push(next);
  }
  return picks.map(({ id }) => id);
}

const differs = (a: PickCandidate, b: PickCandidate): boolean =>
  a.category !== b.category && a.venueId !== b.venueId && a.program !== b.program;

const TURNS: readonly ((event: PickCandidate) => boolean)[] = [({ isFree }) => isFree, ({ isFree }) => !isFree, () => true];
export const PICKS_PER_DAY = TURNS.length;
/** Share of the points of venue and fame. */
export const SMALL_BELOW = 0.3;
/** What comes more often within a month is found on another day. */
const MAX_PICK_NIGHTS = 2;
/** Further ones are no worse. */
export const MAX_RANK = 10;
