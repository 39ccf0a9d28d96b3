/** How alike two titles must be, by what else is known. The table of docs/identity.md is this one. */

/** `exact`: within five minutes. `near`: half an hour. `loose`: less than 90 minutes. `unknown`: one has no hour that can be believed. */
export type StartRelation = 'exact' | 'near' | 'loose' | 'unknown';

/**
 * `room`: one is a room of the other. `alias`: one name is a part of the other, a few hundred meters apart. `namesake`: one name, though
 * the points lie far apart. `near`: two names, a few hundred meters apart, or two rooms of one house. `similar`: two names that share a
 * telling word, farther apart; of concerts and nights alone. `unknown`: one says nothing, or only a borough.
 */
export type PlaceKinship = 'same' | 'room' | 'alias' | 'namesake' | 'near' | 'similar' | 'unknown' | 'different';

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
  { providers: 'two', start: 'exact', place: 'namesake', same: [0.8, 1.25], ask: [0.6, 1] },
  { providers: 'two', start: 'exact', place: 'near', same: [0.97, 2], ask: [0.75, 1] },
  { providers: 'two', start: 'exact', place: 'unknown', same: [0.85, 2], ask: [0.75, 1] },
  { providers: 'two', start: 'exact', place: 'similar', same: [0.97, 3], ask: [0.9, 2.5] },
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

/**
 * What two bills share. `lead`: the main act of both. `act`: the main act of one is on the bill of the other, or several are on both.
 * `support`: one act that is the main act of neither. `party`: the name of the night. `house`: nothing, but the house lists only one event
 * at that minute, and one title names a night and the other an act. `rival`: the same, and both titles name an act.
 */
export type SharedBill = 'lead' | 'act' | 'support' | 'party' | 'house' | 'rival';

export interface BillThreshold {
  shared: SharedBill;
  place: PlaceKinship;
  /** The starts with which it holds. */
  same: readonly StartRelation[];
  ask: readonly StartRelation[];
}

/**
 * Where the likeness of the titles does not suffice. What is in no row decides nothing. Of one provider only two listings with one main
 * act, at one place and minute, are the same.
 */
export const BILL_THRESHOLDS: readonly BillThreshold[] = [
  ...(['same', 'room', 'alias'] as const).flatMap((place): BillThreshold[] => [
    { shared: 'lead', place, same: ['exact', 'near', 'loose', 'unknown'], ask: [] },
    { shared: 'act', place, same: ['exact', 'near', 'loose', 'unknown'], ask: [] },
    { shared: 'support', place, same: ['exact', 'near'], ask: ['loose', 'unknown'] },
    { shared: 'party', place, same: ['exact', 'near', 'loose'], ask: ['unknown'] },
  ]),
  { shared: 'lead', place: 'namesake', same: ['exact', 'near', 'loose', 'unknown'], ask: [] },
  { shared: 'act', place: 'namesake', same: ['exact', 'near'], ask: ['loose', 'unknown'] },
  { shared: 'support', place: 'namesake', same: ['exact'], ask: ['near'] },
  { shared: 'party', place: 'namesake', same: ['exact'], ask: ['near', 'loose'] },
  { shared: 'lead', place: 'near', same: ['exact', 'near', 'unknown'], ask: ['loose'] },
  { shared: 'act', place: 'near', same: ['exact'], ask: ['near', 'loose', 'unknown'] },
  { shared: 'support', place: 'near', same: [], ask: ['exact'] },
  { shared: 'lead', place: 'similar', same: ['exact', 'near'], ask: ['loose', 'unknown'] },
  { shared: 'act', place: 'similar', same: ['exact'], ask: ['near'] },
  { shared: 'lead', place: 'unknown', same: ['exact', 'near', 'loose'], ask: ['unknown'] },
  { shared: 'act', place: 'unknown', same: ['exact', 'near', 'loose'], ask: [] },
  { shared: 'lead', place: 'different', same: [], ask: ['exact'] },
  { shared: 'house', place: 'same', same: ['exact'], ask: [] },
  { shared: 'house', place: 'alias', same: ['exact'], ask: [] },
  { shared: 'house', place: 'namesake', same: ['exact'], ask: [] },
  { shared: 'rival', place: 'same', same: [], ask: ['exact'] },
  { shared: 'rival', place: 'alias', same: [], ask: ['exact'] },
];

/** Minutes. From `APART_MINUTES` on, two starts at one place are two events. */
export const EXACT_MINUTES = 5;
export const NEAR_MINUTES = 30;
export const APART_MINUTES = 90;
