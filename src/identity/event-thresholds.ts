/** How alike two titles must be, by what else is known. The table of docs/identity.md is this one. */

/** `exact`: within five minutes. `near`: half an hour. `loose`: less than 90 minutes. `unknown`: one has no hour that can be believed. */
export type StartRelation = 'exact' | 'near' | 'loose' | 'unknown';

/** `room`: one is a room of the other. `namesake`: one name, though the points lie apart. `unknown`: one says nothing, or only a borough. */
export type PlaceKinship = 'same' | 'room' | 'namesake' | 'unknown' | 'different';

export interface Threshold {
  providers: 'two' | 'one';
  start: StartRelation;
  place: PlaceKinship;
  /** Likeness of titles from which the two are the same; null: never. */
  same: number | null;
  /** Likeness from which a person is asked; null: never. */
  ask: number | null;
  /** Least weight of shared words, for either: a rare word weighs 1, a word of many titles 0.25. */
  told: number;
}

/** What is in no row is different. */
export const THRESHOLDS: readonly Threshold[] = [
  { providers: 'two', start: 'exact', place: 'same', same: 0.45, ask: 0.3, told: 0.25 },
  { providers: 'two', start: 'exact', place: 'room', same: 0.6, ask: 0.4, told: 0.5 },
  { providers: 'two', start: 'exact', place: 'namesake', same: 0.8, ask: 0.6, told: 1 },
  { providers: 'two', start: 'exact', place: 'unknown', same: 0.9, ask: 0.75, told: 2 },
  { providers: 'two', start: 'exact', place: 'different', same: null, ask: 0.9, told: 2.5 },
  { providers: 'two', start: 'near', place: 'same', same: 0.6, ask: 0.45, told: 0.5 },
  { providers: 'two', start: 'near', place: 'room', same: 0.7, ask: 0.5, told: 1 },
  { providers: 'two', start: 'near', place: 'namesake', same: 0.9, ask: 0.7, told: 1 },
  { providers: 'two', start: 'near', place: 'unknown', same: null, ask: 0.9, told: 2 },
  { providers: 'two', start: 'loose', place: 'same', same: 0.8, ask: 0.6, told: 1 },
  { providers: 'two', start: 'loose', place: 'room', same: 0.8, ask: 0.6, told: 1 },
  { providers: 'two', start: 'loose', place: 'namesake', same: 0.9, ask: 0.8, told: 1 },
  { providers: 'two', start: 'loose', place: 'unknown', same: null, ask: 0.95, told: 2 },
  { providers: 'two', start: 'unknown', place: 'same', same: 0.7, ask: 0.5, told: 0.5 },
  { providers: 'two', start: 'unknown', place: 'room', same: 0.7, ask: 0.5, told: 1 },
  { providers: 'two', start: 'unknown', place: 'namesake', same: 0.9, ask: 0.7, told: 1 },
  { providers: 'two', start: 'unknown', place: 'unknown', same: null, ask: 0.95, told: 2 },
  { providers: 'one', start: 'exact', place: 'same', same: 0.8, ask: 0.55, told: 0.25 },
  { providers: 'one', start: 'exact', place: 'room', same: null, ask: 0.9, told: 1 },
  { providers: 'one', start: 'exact', place: 'namesake', same: 0.95, ask: 0.8, told: 1 },
  { providers: 'one', start: 'unknown', place: 'same', same: 0.97, ask: 0.8, told: 0.5 },
  { providers: 'one', start: 'unknown', place: 'room', same: null, ask: 0.97, told: 1 },
];

/** Minutes. From `APART` on, two starts at one place are two events. */
export const EXACT_MINUTES = 5;
export const NEAR_MINUTES = 30;
export const APART_MINUTES = 90;
