/** What each part of a text is understood as: the longest phrases first, from left to right. */

import type { Category } from '../../records/index.ts';
import { CATEGORY_WORDS, NOISE_WORDS } from '../text/word-tables.ts';
import type { PlacePhrase, PlaceReader } from './places.ts';
import type { TimePhrase, TimeReader } from './time-phrases.ts';
import type { Token } from './tokens.ts';
import { unitLength } from './units.ts';

/** Tokens `at` … `at + length - 1` of the text. */
export type AskedPart = { at: number; length: number } & (
  | { kind: 'time'; time: TimePhrase }
  | { kind: 'price'; price: PricePhrase }
  | { kind: 'place'; place: PlacePhrase }
  | { kind: 'category'; category: Category }
  | { kind: 'word' }
  | { kind: 'noise' }
);

export interface PartReaders {
  time: TimeReader;
  places: PlaceReader;
  /** The city's own names: everything is there. */
  cityNames: ReadonlySet<string>;
  /** Whether a place that is named by one word alone is meant, and not a word of titles. */
  isMeant(place: PlacePhrase, token: Token): boolean;
}

/** Every token belongs to exactly one part. `asWords`: tokens that are read as words whatever they could be. */
export function readParts(
  tokens: readonly Token[],
  { time, places, cityNames, isMeant }: PartReaders,
  asWords: ReadonlySet<number>,
): AskedPart[] {
  const words = tokens.map(({ word }) => word);
  const parts: AskedPart[] = [];
  const isFree = (at: number, length: number): boolean => {
    for (let i = at; i < at + length; i += 1) if (tokens[i]!.isQuoted || asWords.has(i)) return false;
    return true;
  };

  const placeAt = (at: number): PlacePhrase | null => {
    const place = places.read(tokens, at);
    if (!place || place.length > 1 || place.kind !== 'venue') return place;
    const isCalled = tokens[at]!.isPlace || PLACE_WORDS.has(words[at - 1] ?? '');
    return isCalled || isMeant(place, tokens[at]!) ? place : null;
  };

  for (let at = 0; at < tokens.length; ) {
    const found: AskedPart[] = [];
    const timePhrase = time.read(tokens, at);
    if (timePhrase) found.push({ kind: 'time', at, length: timePhrase.length, time: timePhrase });
    const price = readPrice(tokens, at);
    if (price) found.push({ kind: 'price', at, length: price.length, price });
    const place = placeAt(at);
    if (place) found.push({ kind: 'place', at, length: place.length, place });
    const category = categoryAt(words, at);
    if (category) found.push({ kind: 'category', at, ...category });
    for (const length of [1, 2, 3])
      if (cityNames.has(words.slice(at, at + length).join(' '))) found.push({ kind: 'noise', at, length });
    const longest = found
      .filter((part) => isFree(part.at, part.length))
      .reduce<AskedPart | null>((best, part) => (best && best.length >= part.length ? best : part), null);
    const part = longest ?? wordAt(tokens, words, at, asWords);
    parts.push(part);
    at += part.length;
  }
  return parts;
}

function categoryAt(words: readonly string[], at: number): { length: number; category: Category } | null {
  for (let length = Math.min(MAX_CATEGORY_WORDS, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length).join(' ');
    if (Object.hasOwn(CATEGORY_WORDS, phrase)) return { length, category: CATEGORY_WORDS[phrase]! };
  }
  return null;
}

function wordAt(tokens: readonly Token[], words: readonly string[], at: number, asWords: ReadonlySet<number>): AskedPart {
  const isNoise = NOISE_WORDS.has(words[at]!) && !tokens[at]!.isQuoted && !asWords.has(at);
  return isNoise ? { kind: 'noise', at, length: 1 } : { kind: 'word', at, length: unitLength(words, at) };
}

interface PricePhrase {
  length: number;
  /** Absent: free. */
  max?: number;
}

/** Words of price: `free`, `cheap`, `under $20`, `< 30`. */
function readPrice(tokens: readonly Token[], at: number): PricePhrase | null {
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

const PLACE_WORDS: ReadonlySet<string> = new Set(['at', '@']);
const MAX_CATEGORY_WORDS = 3;
const FREE_NOUNS: ReadonlySet<string> = new Set(['admission', 'entry', 'entrance', 'stuff', 'event', 'events']);
const CHEAP: ReadonlySet<string> = new Set(['cheap', 'inexpensive', 'affordable']);
const LIMITS: ReadonlySet<string> = new Set(['under', 'below', 'max', 'up to', 'less than', 'cheaper than', 'at most']);
const UNITS: ReadonlySet<string> = new Set(['dollar', 'dollars', 'bucks', 'usd', 'euro', 'euros', 'eur', 'pounds']);
const AMOUNT = /^\d{1,6}$/;
/** In the city's currency. */
const CHEAP_AMOUNT = 20;
