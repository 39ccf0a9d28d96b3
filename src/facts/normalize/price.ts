/** What an event costs: numbers are believed over words, words over flags. */

import {
  ANY_CODE,
  CURRENCY_AFTER,
  CURRENCY_BEFORE,
  type EventListing,
  MONEY_NUMBER,
  NO_CENTS,
  plainMoney,
  readMoneyNumber,
} from '../../providers/index.ts';
import type { Fix } from '../model.ts';
import { oneLine } from '../text.ts';
import { OTHER_AMOUNTS, OTHER_FREE, PRICE_LANGUAGES, SCALES, TICKET_LABELS } from './price-words.ts';

export interface Price {
  /** True exactly when both amounts are 0. */
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
}

type PriceFacts = Pick<EventListing, 'isFree' | 'priceMin' | 'priceMax' | 'priceText'>;

/** What costs something is not free, what costs nothing is. Impossible amounts are unknown. */
export function normalizePrice(listing: PriceFacts, fix: Fix): Price {
  const least = possible(listing.priceMin, fix);
  const most = possible(listing.priceMax, fix);
  if ((least ?? 0) > 0 || (most ?? 0) > 0) {
    if (listing.isFree === true) fix('free_corrected');
    return inOrder(least, most, fix);
  }
  return priceWithoutAmounts(listing, least === 0 || most === 0, fix);
}

/** By words and flags. `isNothing`: an amount of 0 is listed. */
function priceWithoutAmounts(listing: PriceFacts, isNothing: boolean, fix: Fix): Price {
  const text = listing.priceText === null ? null : readPriceText(oneLine(listing.priceText));
  if (text && isAsked(text, listing)) {
    fix('price_from_text');
    if (listing.isFree === true) fix('free_corrected');
    return { isFree: false, priceMin: text.min, priceMax: text.max };
  }
  if (text?.isFree === true && listing.isFree !== true) fix('price_from_text');
  const isFree = text?.isFree === true || (listing.isFree ?? isNothing);
  return isFree ? FREE : UNKNOWN;
}

function inOrder(least: number | null, most: number | null, fix: Fix): Price {
  if (least === null || most === null || least <= most) return { isFree: false, priceMin: least, priceMax: most };
  fix('prices_exchanged');
  return { isFree: false, priceMin: most, priceMax: least };
}

/** What may be given is not asked for: `free, donations welcome`. */
function isAsked({ isFree, min, max }: NonNullable<ReturnType<typeof readPriceText>>, listing: PriceFacts): boolean {
  return !isFree && (listing.isFree !== true || min !== 0 || max !== null);
}

/** To four places, as the store keeps it. */
function possible(price: number | null, fix: Fix): number | null {
  if (price === null) return null;
  if (price >= 0 && price <= MAX_PRICE) return Math.round(price * PARTS) / PARTS;
  fix('price_dropped');
  return null;
}

interface TextPrice {
  /** True only when nothing is asked of anybody; null when the text does not say. */
  isFree: boolean | null;
  /** 0 beside a price, or where one may give nothing: it can be had for nothing under a condition. */
  min: number | null;
  max: number | null;
}

/**
 * Prices as people write them: `$12 b4 11 / $19-30`, `29 à 59€`, `entrée libre`, `pay what you wish`. `text` is plain. Null when it says
 * nothing of a price. The decisions are listed in docs/normalizing.md.
 */
export function readPriceText(text: string): TextPrice | null {
  const plain = plainWords(text);
  const amounts = amountsIn(plain);
  const paid = amounts.filter(({ value }) => value > 0);
  const isLeast = LEAST_GIFT.test(plain);
  const isGiven = GIVEN.test(plain) && !isLeast;
  const [isFree, isConditional] = [saysFree(plain), CONDITIONAL.test(plain)];
  if (paid.length === 0) {
    if (isFree && !isConditional) return { isFree: true, min: 0, max: 0 };
    if (isGiven || isFree || SCALE.test(plain)) return { isFree: false, min: 0, max: null };
    return amounts.length > 0 ? { isFree: true, min: 0, max: 0 } : null;
  }
  const values = amounts.map(({ value }) => value);
  const highest = Math.max(...values);
  const isOpen = paid.some(({ value, isOpen: open }) => open && value === highest) || (paid.length === 1 && isLeast);
  return { isFree: false, min: isGiven || isFree ? 0 : Math.min(...values), max: isOpen ? null : highest };
}

/** Without accents, and `between 10 and 20` as `10-20`. */
function plainWords(text: string): string {
  const plain = plainMoney(text.slice(0, MAX_CHARS))
    // Without its accent, the noun would be the adjective: `conditions de gratuité`.
    .replace(/gratuité/giu, ' ')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .replace(/[łŁøØæÆßı]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return /\d/.test(plain) ? plain.replace(BETWEEN, '$1-') : plain;
}

interface Amount {
  value: number;
  /** `$18+`, `from $18` */
  isOpen: boolean;
}

/** Numbers beside a sign of money, those joined to them (`$19-30`), or all of them where there is nothing else (`10/15`). */
function amountsIn(text: string): Amount[] {
  if (!/\d/.test(text)) return [];
  const [, code = '', bare, codeAfter = ''] = BARE.exec(text) ?? [];
  if (bare !== undefined) return (bare.match(NUMBER) ?? []).flatMap((number) => amount(number, code || codeAfter, false));
  const labels = CLOCKS.test(text)
    ? []
    : [...text.matchAll(LABELED)].flatMap(([, before, after]) => amount(before ?? after ?? '', '', false));
  const paid = [...text.matchAll(MONEY)].flatMap((match) => {
    const [whole, sign = '', before = '', after = '', signAfter = ''] = match;
    const rest = text.slice(match.index + whole.length, match.index + whole.length + MAX_CONTEXT);
    const lead = text.slice(Math.max(0, match.index - MAX_CONTEXT), match.index);
    if (NOT_A_PRICE_AFTER.test(rest) || NOT_A_PRICE_BEFORE.test(lead) || (ADDED.test(lead) && FEE.test(rest))) return [];
    const numbers = (before || after).match(NUMBER) ?? [];
    const isOpen = /\+\s*$/.test(whole) || OPEN_AFTER.test(rest) || (numbers.length === 1 && OPEN_BEFORE.test(lead));
    return numbers.flatMap((number, index) => amount(number, sign || signAfter, isOpen && index === numbers.length - 1));
  });
  return [...labels, ...paid];
}

function amount(text: string, currency: string, isOpen: boolean): Amount[] {
  const value = readMoneyNumber(text, currency.trim());
  return Number.isFinite(value) && value <= MAX_PRICE ? [{ value, isOpen }] : [];
}

function saysFree(text: string): boolean {
  return FREE_WORDS.test(text) && FREE_WORDS.test(text.replace(NOT_FREE, ' '));
}

const words = (
  key: 'free' | 'given' | 'from' | 'orMore' | 'to' | 'or' | 'between' | 'and' | 'people' | 'for' | 'years' | 'fees',
): string => LANGUAGES.flatMap((language) => language[key] ?? []).join('|');

const FREE: Price = { isFree: true, priceMin: 0, priceMax: 0 };
const UNKNOWN: Price = { isFree: false, priceMin: null, priceMax: null };
/** Above it a number is no price of a ticket. */
const MAX_PRICE = 1_000_000;
const PARTS = 10_000;
const LANGUAGES = Object.values(PRICE_LANGUAGES);
const NUMBER = new RegExp(MONEY_NUMBER, 'g');
const N = `(?:${MONEY_NUMBER})`;
const NO_WORD = '(?![\\p{L}-])';
/** Between numbers that belong together. `a` and `bis` join as `to` does. */
const JOIN = `(?:\\s*(?:${NO_CENTS})?\\s*[-/]\\s*|\\s+(?:${words('to')})\\s+)`;
const JOIN_OR = `(?:${JOIN}|\\s+(?:${words('or')})\\s+)`;
/** No price behind a sign of money: an hour, a count, an age. */
const NOT_JOINED = '(?![\\d:]|(?<=\\s(?:16|18|21))\\+|\\s?(?:am|pm|h|drinks?|cans?|items?|people|persons?)\\b)';
/** Sign before: `$12`, `$19-30`, `$10/15`. Sign after: `29 à 59€`, `10/15 €`, `2,50 €`, `10,-`. */
const MONEY = new RegExp(
  `(${CURRENCY_BEFORE})\\s?(${N}(?:${JOIN}${N}${NOT_JOINED})*)(?:${NO_CENTS})?|(?<![\\d:.,\\p{L}])(${N}(?:${JOIN_OR}${N})*)(?:(?:${NO_CENTS})\\s?(?:${CURRENCY_AFTER})?|\\s?(${CURRENCY_AFTER}))`,
  'giu',
);
/** Nothing but numbers: `10`, `10/15`, `29 à 62`, or an amount with any code: `ALL 500`. */
const BARE = new RegExp(
  `^\\s*(?:(${ANY_CODE})\\s?(?=${N}\\s*$))?(${N}(?:${JOIN}${N})?)(?:(?<=^\\s*${N})\\s?(${ANY_CODE}))?\\s*$`,
  'iu',
);
/** Numbers of tickets by a label instead of a sign. Not ages and hours. */
const LABELED = new RegExp(
  `(?<!\\p{L})(?:${TICKET_LABELS.before})\\.?:?\\s?(${N})(?![\\d:]|[.,]\\d|\\s?(?:\\+|%|-|${CURRENCY_AFTER}|am|pm|h|uhr|${words('years')})(?!\\p{L}))|(?<![\\d:.,\\p{L}\\p{Sc}])(${N})\\s(?:${TICKET_LABELS.after})(?!\\p{L})`,
  'giu',
);
const CLOCKS = /\bdoors\b|\bshow\b/i;
const BETWEEN = new RegExp(
  `(?<!\\p{L})(?:${words('between')})\\s+((?:${CURRENCY_BEFORE})?\\s?${N}(?:\\s?(?:${CURRENCY_AFTER}))?)\\s+(?:${words('and')})\\s+(?=[^\\s\\d]{0,3}\\s?\\d)`,
  'giu',
);
const NOT_A_PRICE_AFTER = new RegExp(`^\\s*(?:${OTHER_AMOUNTS})`, 'i');
const NOT_A_PRICE_BEFORE =
  /(?:\bsave|\bwin|\bprize[s:]*|worth|parking:?|up to|\bunder|less than|below|vestiaire:?|garderobe?:?)\s*$/i;
/** `+ 2 € fee` is no second price. */
const ADDED = /(?:\+|plus|zzgl\.?|zuzuglich|in[ck]l\.?|including|excl\.?|mas)\s*$/i;
const FEE = new RegExp(`^\\s*(?:[\\p{L}'.-]{1,12}\\s){0,2}[\\p{L}'-]{0,20}(?:${words('fees')})(?!\\p{L})`, 'iu');
const OPEN_BEFORE = new RegExp(`(?<!\\p{L})(?:${words('from')})\\s+$`, 'iu');
const OPEN_AFTER = new RegExp(`^\\s*(?:\\+(?!\\s*[\\w\\p{Sc}])|(?:${words('orMore')})${NO_WORD})`, 'iu');
const LEAST_GIFT = /\bmin(?:imum|\.)?\s+donation|donation\s+min(?:imum)?\b|mindestspende/i;
/** `sugar-free` is no price; `Free-$20` and `$10-free` are. */
const FREE_WORDS = new RegExp(`(?<!\\p{L}|(?<!\\d)-)(?:${words('free')})(?!\\p{L}|-(?!\\s?[\\d\\p{Sc}]))`, 'iu');
/** Where the word free is about something else, or about other people. */
const NOT_FREE = new RegExp(
  [
    `(?<!\\p{L})(?:${OTHER_FREE})(?!\\p{L})`,
    `(?<!\\p{L})(?:${words('free')})\\s+(?:(?:${words('for')})\\s+)(?:\\p{L}{1,4}\\s+)?(?:${words('people')}|under|infants|moins|-?\\s*\\d)[^.,;|/]*`,
    `(?<!\\p{L})(?:${words('free')})\\s*(?:-|<|under|moins de|unter|menos de)\\s*\\d+[^.,;|/]*`,
    `(?<!\\p{L})(?:${words('people')})(?!\\p{L})[^.,;|/$€£]{0,24}?(?<!\\p{L})(?:${words('free')})(?!\\p{L})`,
  ].join('|'),
  'giu',
);
/** Free for some of those who come: before an hour, for the first ones, on a list. */
const CONDITIONAL =
  /\b(?:b4|before|until|till|til|avant|bis|first \d+|free with (?:\w+ )?(?:admission|purchase|ticket|entry|membership))\b|\bfree\b[^.;|]{0,30}\$\d/iu;
const GIVEN = new RegExp(`(?<!\\p{L})(?:${words('given')})(?!\\p{L})`, 'iu');
const SCALE = new RegExp(`(?<!\\p{L})(?:${SCALES})(?!\\p{L})`, 'iu');
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', æ: 'ae', Æ: 'AE', ß: 'ss', ı: 'i' };
const MAX_CHARS = 2000;
/** What is read before and behind an amount. */
const MAX_CONTEXT = 80;
