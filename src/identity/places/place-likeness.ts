/** How likely two places of these names are one site: a sum of what speaks for and against, with its weights in one table. */

import type { AddressRelation } from './place-address.ts';
import type { Alignment } from './place-alignment.ts';
import { DOOR_METERS, MILE_METERS, UNKNOWN_METERS } from './place-limits.ts';

/** Each signal is a number from 0 to 1, the same in both directions. */
export type Signals = Record<SignalName, number>;
export type SignalName = keyof typeof PLACE_WEIGHTS;

/** @param meters between the two, or null when that is not known well enough to count. */
export function signalsOf(names: Alignment, meters: number | null, address: AddressRelation): Signals {
  const { shared, onlyA, onlyB } = names;
  const isShort = isEqual(names) && shared <= 1;
  return {
    equalNames: isEqual(names) ? 1 : 0,
    sharedWords: shared === 0 ? 0 : (2 * shared) / (2 * shared + onlyA + onlyB),
    containedName: shared === 0 ? 0 : shared / (shared + Math.min(onlyA, onlyB)),
    addedNames: Math.min(Math.max(names.namesA, names.namesB), MAX_ADDED_NAMES) / MAX_ADDED_NAMES,
    otherKind: names.kindsDiffer ? 1 : 0,
    nearness: nearness(meters ?? UNKNOWN_METERS),
    farShortName: isShort ? 1 - nearness(meters ?? UNKNOWN_METERS) : 0,
    sameAddress: address === 'same' ? 1 : 0,
    nearNumber: address === 'near' ? 1 : 0,
    otherNumber: address === 'different_number' ? 1 : 0,
    otherStreet: address === 'different_street' ? 1 : 0,
  };
}

/** 0–1, by the logistic function (Hosmer and Lemeshow, Applied Logistic Regression, §1.2). */
export function likelihood(signals: Signals): number {
  let sum = PLACE_BIAS;
  for (const name of SIGNAL_NAMES) sum += PLACE_WEIGHTS[name] * signals[name];
  return 1 / (1 + Math.exp(-sum));
}

export const isEqual = ({ onlyA, onlyB }: Alignment): boolean => onlyA === 0 && onlyB === 0;

/** 1 at the same door, 0 a mile away; each doubling of the distance takes away the same. */
function nearness(meters: number): number {
  const doublings = Math.log2(Math.max(meters, DOOR_METERS) / DOOR_METERS);
  return 1 - Math.min(1, doublings / Math.log2(MILE_METERS / DOOR_METERS));
}

/**
 * Fitted by logistic regression on 5 058 labelled pairs (`quality/fit-places.ts`), never on those that the figures are taken from.
 * In units of log-odds.
 */
export const PLACE_WEIGHTS = {
  equalNames: 2.07,
  sharedWords: 2.88,
  containedName: 1.79,
  addedNames: -0.49,
  otherKind: -0.83,
  nearness: 6.87,
  farShortName: -1.7,
  sameAddress: 1.02,
  nearNumber: -0.56,
  otherNumber: -0.79,
  otherStreet: -1.32,
} as const;
export const PLACE_BIAS = -8.6;
export const SIGNAL_NAMES = Object.keys(PLACE_WEIGHTS) as SignalName[];

const MAX_ADDED_NAMES = 3;
