/** Prices as whole numbers of ten-thousandths: no currency has smaller units (ISO 4217), and the column of the database has four places. */

import { type Whole, whole } from './whole.ts';

/** `amount`: of the city's currency, with four places at most. */
export const priceOf = (amount: number): Whole => whole(Math.round(amount * UNITS));

/** The amount again, to the bit: dividing whole numbers rounds as reading the decimal does. */
export const amountOf = (price: Whole): number => price / UNITS;

const UNITS = 10_000;
