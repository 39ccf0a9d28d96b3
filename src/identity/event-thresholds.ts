/** How alike two titles must be, by what else is known. The table of docs/identity.md is this one. */

/** `exact`: within five minutes. `near`: half an hour. `loose`: less than 90 minutes. `unknown`: one has no hour that can be believed. */
export type StartRelation = 'exact' | 'near' | 'loose' | 'unknown';

/**
 * `room`: one is a room of the other. `alias`: one name is a part of the other, a few hundred metres apart. `namesake`: one name, though
 * the points lie far apart. `near`: two names, a few hundred metres apart, or two rooms of one house. `unknown`: one says nothing, or only a borough.
 */
export type PlaceKinship = 'same' | 'room' | 'alias' | 'namesake' | 'near' | 'unknown' | 'different';

/** Likeness of the titles from which it holds, and the least weight of the words they share: a rare word weighs 1, a generic one 0.25. */
export type LikenessLimit = readonly [likeness: number, told: number];

export interface Threshold {
  providers: 'two' | 'one';
  start: StartRelation;
  place: PlaceKinship;
  /** Null: never. */
  same: LikenessLimit | null;
  ask: LikenessLimit | null;
}

/** What is in no row is different. */
export const THRESHOLDS: readonly Threshold[] = [
  { providers: 'two', start: 'exact', place: 'same', same: [0.55, 0.25], ask: [0.35, 0.25] },
  { providers: 'two', start: 'exact', place: 'room', same: [0.6, 0.5], ask: [0.4, 0.5] },
  { providers: 'two', start: 'exact', place: 'alias', same: [0.6, 0.5], ask: [0.4, 0.5] },
  { providers: 'two', start: 'exact', place: 'namesake', same: [0.8, 1.5], ask: [0.6, 1] },
  { providers: 'two', start: 'exact', place: 'near', same: [0.97, 2], ask: [0.75, 1] },
  { providers: 'two', start: 'exact', place: 'unknown', same: [0.85, 2], ask: [0.75, 1] },
  { providers: 'two', start: 'exact', place: 'different', same: null, ask: [0.9, 2.5] },
  { providers: 'two', start: 'near', place: 'same', same: [0.6, 0.5], ask: [0.45, 0.5] },
  { providers: 'two', start: 'near', place: 'room', same: [0.7, 1], ask: [0.5, 1] },
  { providers: 'two', start: 'near', place: 'alias', same: [0.7, 1], ask: [0.5, 1] },
  { providers: 'two', start: 'near', place: 'namesake', same: [0.9, 1], ask: [0.7, 1] },
  { providers: 'two', start: 'near', place: 'near', same: null, ask: [0.9, 1.5] },
  { providers: 'two', start: 'near', place: 'unknown', same: null, ask: [0.9, 2] },
  { providers: 'two', start: 'loose', place: 'same', same: [0.8, 1], ask: [0.6, 1] },
  { providers: 'two', start: 'loose', place: 'room', same: [0.8, 1], ask: [0.6, 1] },
  { providers: 'two', start: 'loose', place: 'alias', same: [0.8, 1], ask: [0.6, 1] },
  { providers: 'two', start: 'loose', place: 'namesake', same: [0.9, 1], ask: [0.8, 1] },
  { providers: 'two', start: 'loose', place: 'unknown', same: null, ask: [0.95, 2] },
  { providers: 'two', start: 'unknown', place: 'same', same: [0.7, 0.5], ask: [0.5, 0.5] },
  { providers: 'two', start: 'unknown', place: 'room', same: [0.7, 1], ask: [0.5, 1] },
  { providers: 'two', start: 'unknown', place: 'alias', same: [0.7, 1], ask: [0.5, 1] },
  { providers: 'two', start: 'unknown', place: 'namesake', same: [0.9, 1], ask: [0.7, 1] },
  { providers: 'two', start: 'unknown', place: 'near', same: [0.97, 2], ask: [0.9, 1] },
  { providers: 'two', start: 'unknown', place: 'unknown', same: null, ask: [0.95, 2] },
  { providers: 'one', start: 'exact', place: 'same', same: [0.8, 0.25], ask: [0.55, 0.25] },
  { providers: 'one', start: 'exact', place: 'room', same: null, ask: [0.9, 1] },
  { providers: 'one', start: 'exact', place: 'alias', same: [0.95, 1], ask: [0.8, 1] },
  { providers: 'one', start: 'exact', place: 'namesake', same: [0.95, 1], ask: [0.8, 1] },
  { providers: 'one', start: 'unknown', place: 'same', same: [0.97, 0.5], ask: [0.8, 0.5] },
  { providers: 'one', start: 'unknown', place: 'room', same: null, ask: [0.97, 1] },
];

/** Minutes. From `APART_MINUTES` on, two starts at one place are two events. */
export const EXACT_MINUTES = 5;
export const NEAR_MINUTES = 30;
export const APART_MINUTES = 90;
