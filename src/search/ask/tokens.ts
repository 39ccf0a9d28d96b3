/** What a person typed as tokens: folded words that know where they stand, with the sign of an amount before them. */

import { words } from '../text/words.ts';

export interface Token {
  /** Folded. */
  word: string;
  /** UTF-16 units of the text: the first, and the one after the last. */
  from: number;
  to: number;
  /** Within quotes: a word and nothing else. */
  isQuoted: boolean;
  /** What stands directly before it or after it: `$20`, `20€`, `< 30`. */
  isAmount: boolean;
  isBelow: boolean;
  /** `at X` is a place; `@X` too. */
  isPlace: boolean;
}

/** At most `MAX_TOKENS`; what comes after them is not read. Linear time. */
export function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const quotes = quotedSpans(text);
  for (const match of text.matchAll(RUN)) {
    const from = match.index;
    const to = from + match[0].length;
    const before = text.slice(Math.max(0, from - 3), from);
    const isQuoted = quotes.some((quote) => from >= quote.from && to <= quote.to);
    for (const word of words(match[0])) {
      if (tokens.length === MAX_TOKENS) return tokens;
      tokens.push({
        word,
        from,
        to,
        isQuoted,
        isAmount: CURRENCY_BEFORE.test(before) || CURRENCY_AFTER.test(text.slice(to, to + 2)),
        isBelow: BELOW.test(before),
        isPlace: before.endsWith('@'),
      });
    }
  }
  return tokens;
}

/** The text without a span, as a person would type it. */
export function withoutSpan(text: string, from: number, to: number): string {
  return `${text.slice(0, from)} ${text.slice(to)}`.replace(SPACES, ' ').replace(EMPTY_QUOTES, ' ').replace(SPACES, ' ').trim();
}

/** Odd pieces stand between two quotes; after an unbalanced last one nothing is quoted. */
function quotedSpans(text: string): { from: number; to: number }[] {
  const places = [...text.matchAll(QUOTE)].map(({ index }) => index);
  const spans: { from: number; to: number }[] = [];
  for (let i = 0; i + 1 < places.length; i += 2) spans.push({ from: places[i]!, to: places[i + 1]! });
  return spans;
}

const RUN = /[\p{L}\p{N}\p{M}]+(?:['‘’ʻʼ][\p{L}\p{N}\p{M}]+)*/gu;
const QUOTE = /["“”„‟＂]/g;
const EMPTY_QUOTES = /["“”„‟＂]\s*["“”„‟＂]|[$€£<≤@]+(?=\s|$)/g;
const SPACES = /\s+/g;
const CURRENCY_BEFORE = /[$€£]\s?$/;
const CURRENCY_AFTER = /^\s?[$€£]/;
const BELOW = /[<≤]=?\s?[$€£]?$/;
/** Of 200 characters, so many words are more than anybody types. */
const MAX_TOKENS = 40;
