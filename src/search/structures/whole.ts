/**
 * Whole numbers, told apart from others by their type: they are sorted digit by digit (`radix.ts`), which would mix up numbers with a
 * fraction, and are equal exactly when they look so.
 */

declare const IS_WHOLE: unique symbol;
/** At most 2^53 - 1 to either side of 0, or `UNKNOWN`. */
export type Whole = number & { readonly [IS_WHOLE]: true };

/** A column of them. */
export interface Wholes extends Float64Array {
  [index: number]: Whole;
}

export const createWholes = (length: number): Wholes => new Float64Array(length) as Wholes;

/** In the place of a number that nobody knows; never sorted. It is NaN. */
export const UNKNOWN = Number.NaN as Whole;

/** Throws `RangeError` for a number with a fraction, or one too large to be exact. */
export function whole(value: number): Whole {
  if (!Number.isSafeInteger(value)) throw new RangeError(`a whole number was wanted, not ${value}`);
  return value as Whole;
}
