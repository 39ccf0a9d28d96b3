/** What an answer's relevance is made of. `docs/search.md` explains it; the slow twin of the tests computes it again. */

/** By the best field in which a unit stands. */
export const FIELD_POINTS = { title: 8, category: 7, names: 6, venue: 4, tags: 3, text: 2 } as const;
/** By how it is written there. */
export const QUALITY = { exact: 4, synonym: 3, beginning: 2, typo: 1 } as const;
/** Rare words count more: 1, and this for each time that the events without it double. */
const POINTS_PER_DOUBLING = 4;
/** Days from the beginning of the range, inclusive, and the points; only between answers that are otherwise equal. */
const NEARNESS: readonly (readonly [days: number, points: number])[] = [
  [0, 3],
  [1, 2],
  [7, 1],
];
/** More than all nearness. */
export const RELEVANCE_UNIT = 4;
/** More than all relevance: the answer holds every unit. */
export const COMPLETE = 2 ** 24;

/** `holding` of `n` events have it. */
export function rarity(holding: number, n: number): number {
  return 1 + Math.round(POINTS_PER_DOUBLING * Math.log2((n + 1) / (holding + 1)));
}

/** For all units next to each other in order in the title, or in one performer's name; again if it holds nothing else. `points`: at best. */
export const phrasePoints = (points: number): number => Math.floor(points / 4);

export function nearness(days: number): number {
  for (let i = 0; i < NEARNESS.length; i += 1) if (days <= NEARNESS[i]![0]) return NEARNESS[i]![1];
  return 0;
}
