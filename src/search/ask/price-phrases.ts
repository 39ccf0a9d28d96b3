/** Words of price: `free`, `cheap`, `under $20`, `< 30`. */

import type { Token } from './tokens.ts';

export interface PricePhrase {
  length: number;
  /** Absent: free. */
  max?: number;
}

export function readPrice(tokens: readonly Token[], at: number): PricePhrase | null {
  const word = (offset: number): string => tokens[at + offset]?.word ?? '';
  if (word(0) === 'free') return { length: FREE_NOUNS.has(word(1)) ? 2 : 1 };
  if (CHEAP.has(word(0))) return { length: 1, max: CHEAP_AMOUNT };
  const isLimit = LIMITS.has(word(0)) || LIMITS.has(`${word(0)} ${word(1)}`);
  const offset = LIMITS.has(`${word(0)} ${word(1)}`) ? 2 : isLimit ? 1 : 0;
  const token = tokens[at + offset];
  if (!token || !AMOUNT.test(token.word)) return null;
  const unit = UNITS.has(word(offset + 1)) ? 1 : 0;
  if (!isLimit && !token.isAmount && !token.isBelow && unit === 0) return null;
  const after = word(offset + 1 + unit) === 'or' && word(offset + 2 + unit) === 'less' ? 2 : 0;
  return { length: offset + 1 + unit + after, max: Number(token.word) };
}

const FREE_NOUNS: ReadonlySet<string> = new Set(['admission', 'entry', 'entrance', 'stuff', 'event', 'events']);
const CHEAP: ReadonlySet<string> = new Set(['cheap', 'inexpensive', 'affordable']);
const LIMITS: ReadonlySet<string> = new Set(['under', 'below', 'max', 'up to', 'less than', 'cheaper than', 'at most']);
const UNITS: ReadonlySet<string> = new Set(['dollar', 'dollars', 'bucks', 'usd', 'euro', 'euros', 'eur', 'pounds']);
const AMOUNT = /^\d{1,6}$/;
/** In the city's currency. */
const CHEAP_AMOUNT = 20;
