/** Amounts of money as providers write them. */

import { ANY_CODE, CURRENCY_AFTER, CURRENCY_BEFORE, MONEY_NUMBER, NO_CENTS, plainMoney, readMoneyNumber } from './money-text.ts';

/** `12.5`, `"$12.50"`, `"1,250.00 USD"`, `"38,27 $"`, `"CHF 20.–"`; null for prose. Three digits after a comma are thousands. */
export function readAmount(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.length > MAX_CHARS) return null;
  if (DECIMAL.test(value)) return Number(value);
  const [, before = '', minus = '', number, after = ''] = AMOUNT.exec(plainMoney(value)) ?? [];
  if (number === undefined) return null;
  const amount = readMoneyNumber(number, before || after);
  return minus === '' ? amount : -amount;
}

/** The lowest and the highest of amounts if all are numbers, else the price in words. */
export function priceRange(
  amounts: readonly (number | null)[],
  words: string | null,
): { priceMin: number | null; priceMax: number | null; priceText: string | null } {
  const known = amounts.filter((amount) => amount !== null);
  if (known.length === 0 || known.length < amounts.length) return { priceMin: null, priceMax: null, priceText: words };
  return { priceMin: Math.min(...known), priceMax: Math.max(...known), priceText: null };
}

/** As programs write numbers: three digits behind the point are no thousands. */
const DECIMAL = /^\s*-?\d{1,12}(?:\.\d{1,6})?\s*$/;
const AMOUNT = new RegExp(
  `^\\s*(${CURRENCY_BEFORE}|${ANY_CODE})?\\s?(-?)(${MONEY_NUMBER})(?:${NO_CENTS})?\\s?(${CURRENCY_AFTER}|(?-i:[A-Z]{3}))?\\s*$`,
  'iu',
);
/** A longer text is prose. */
const MAX_CHARS = 64;
