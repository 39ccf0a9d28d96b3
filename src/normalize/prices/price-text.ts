/** Prices as people write them: `$12 b4 11 / $19-30`, `29 à 59€`, `entrée libre`, `pay what you wish`. */

export interface TextPrice {
  /** True only when nothing is asked of anybody; null when the text does not say. */
  isFree: boolean | null;
  /** 0 beside a price, or where one may give nothing: it can be had for nothing under a condition. */
  min: number | null;
  max: number | null;
}

/** `text` is plain. Null when it says nothing of a price. The decisions are listed in docs/normalizing.md. */
export function readPriceText(text: string): TextPrice | null {
  const plain = text
    .slice(0, MAX_CHARS)
    .replace(/[\u00a0\u202f\u2009]/g, ' ')
    .replace(/[\u2212\u2013\u2014]/g, '-');
  const amounts = amountsIn(plain);
  const paid = amounts.filter(({ value }) => value > 0);
  const [isGiven, isFree, isConditional] = [GIVEN.test(plain), saysFree(plain), CONDITIONAL.test(plain)];
  if (paid.length === 0) {
    if (isFree && !isConditional) return { isFree: true, min: 0, max: 0 };
    if (isGiven || isFree) return { isFree: false, min: 0, max: null };
    return amounts.length > 0 ? { isFree: true, min: 0, max: 0 } : null;
  }
  const values = amounts.map(({ value }) => value);
  const highest = Math.max(...values);
  const isOpen = paid.some(({ value, isOpen: open }) => open && value === highest) || (paid.length === 1 && FROM.test(plain));
  return { isFree: false, min: isGiven || isFree ? 0 : Math.min(...values), max: isOpen ? null : highest };
}

interface Amount {
  value: number;
  /** `$18+` */
  isOpen: boolean;
}

/** Numbers beside a sign of money, those joined to them (`$19-30`), or all of them where there is nothing else (`10/15`). */
function amountsIn(text: string): Amount[] {
  if (BARE.test(text)) return [...text.matchAll(NUMBER)].flatMap(([number]) => amount(number, false));
  return [...text.matchAll(MONEY)].flatMap((match) => {
    const [whole, before = '', after = ''] = match;
    const rest = text.slice(match.index + whole.length);
    if (NOT_A_PRICE_AFTER.test(rest) || NOT_A_PRICE_BEFORE.test(text.slice(0, match.index))) return [];
    const numbers = [...(before || after).matchAll(NUMBER)].map(([number]) => number);
    const isOpen = /\+\s*$/.test(whole) || /^\s*\+(?!\s*\w)/.test(rest);
    return numbers.flatMap((number, index) => amount(number, isOpen && index === numbers.length - 1));
  });
}

/** `1,250.00`, `1.250,00`, `1 250`, `38,27`: three digits after the last sign are thousands. */
function amount(text: string, isOpen: boolean): Amount[] {
  const sign = /[.,](?=\d{1,2}$)/.exec(text);
  const whole = (sign ? text.slice(0, sign.index) : text).replace(/[^\d]/g, '');
  const value = Number(sign ? `${whole}.${text.slice(sign.index + 1)}` : whole);
  return Number.isFinite(value) && value <= MAX_PRICE ? [{ value, isOpen }] : [];
}

function saysFree(text: string): boolean {
  return FREE.test(text.replace(NOT_FREE, ' '));
}

/** A number with thousands and decimals, in any of the usual ways. */
const NUMBER = /\d{1,3}(?:[., ]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d{1,2})?(?!\d)/g;
const N = `(?:${NUMBER.source})`;
const SIGN_BEFORE = '(?:US|CA|AU|NZ|C|A)?\\$|€|£|¥|₹|(?:USD|EUR|GBP|CAD|CHF|AUD)\\s';
const SIGN_AFTER =
  '€|\\$(?!\\s?\\d)|£|zł|Kč|kr\\b|:-|,-|euros?\\b|eur\\b|dollars?\\b|bucks\\b|usd\\b|cad\\b|gbp\\b|chf\\b|czk\\b|sek\\b|(?-i:E)(?![\\p{L}])';
/** Between numbers that belong together. `a` and `bis` join as `to` does. */
const JOIN = '\\s*(?:-|/|to|à|a|bis|tot|hasta|til)\\s*';
/** Sign before: `$12`, `$19-30`, `$10/15`. Sign after: `29 à 59€`, `10/15 €`, `2,50 €`. */
const MONEY = new RegExp(
  `(?:${SIGN_BEFORE})\\s?(${N}(?:${JOIN}${N}(?![\\d:]|\\s?(?:am|pm|h)\\b))*)|(?<![\\d:.,\\p{L}])(${N}(?:${JOIN}${N})*)\\s?(?:${SIGN_AFTER})`,
  'giu',
);
/** Nothing but numbers: `10`, `10/15`, `29 à 62`. */
const BARE = new RegExp(`^\\s*${N}(?:${JOIN}${N})?\\s*$`, 'iu');

const NOT_A_PRICE_AFTER =
  /^\s*(?:off\b|discount|rabatt|(?:food|drink|bev\w*)\b[^.,;|]{0,20}\bmin|min(?:imum)?\b(?!s)|gift|voucher|prize|in prizes|value\b|parking|coat|for parking)/i;
const NOT_A_PRICE_BEFORE = /(?:\bsave|\bwin|\bprize[s:]*|worth|parking:?|up to)\s*$/i;
const FROM =
  /(?:^|[^\p{L}])(?:from|starting(?: at)?|starts at|à partir de|a partir de|dès|ab|desde|vanaf|alkaen|från)\s+(?:\p{Sc}|\d)/iu;

const FREE =
  /(?<![\p{L}-])(?:free|gratis|gratuite?s?|gratuito|gratuita|entrée libre|entrada libre|entrada gratuita|ingresso libero|libre|kostenlos|kostenfrei|eintritt frei|freier eintritt|frei|ilmainen|maksuton|vapaa pääsy|fri entré|gratis inträde|vrij(?:e toegang)?|sans frais|no cover|no charge|complimentary)(?![\p{L}-])/iu;
/** Where the word free is about something else, or about other people. */
const NOT_FREE =
  /\b(?:not free|(?:\w+[- ]free)(?<!\bfor[- ]free|\bis[- ]free|\bare[- ]free|\bentry[- ]free|\badmission[- ]free|\band[- ]free)|free (?:parking|drinks?|shots?|food|pizza|beer|coffee|wi-?fi|gift|t-?shirt|merch|poster|popcorn|snacks|shuttle|range|form|jazz|style)|free with (?:\w+ )?(?:admission|purchase|ticket|entry|membership|registration fee))\b|(?:\bparticipation|\bprix|\bdonation) libre|\b(?:gratuit|gratis|free|kostenlos|frei)\s+(?:pour|for|für|voor)\s+(?:les|les -|kids|children|members|students|seniors|under|infants|toddlers|moins|kinder|-?\s*\d)[^.,;|/]*|\b(?:kids|children|members|under[- ]?\d+s?|infants|toddlers|students|\d+ and under)[^.,;|/$€£]{0,24}\bfree\b/giu;
/** Free for some of those who come: before an hour, for the first ones, on a list. */
const CONDITIONAL =
  /\b(?:b4|before|until|till|til|avant|bis|first \d+|free with (?:\w+ )?(?:admission|purchase|ticket|entry|membership))\b|\bfree\b[^.;|]{0,30}\$\d/iu;
/** What one gives is one's own decision. */
const GIVEN =
  /\b(?:pay[- ]what[- ]you[- ](?:wish|want|can|will)|pwyw|pwyc|(?:suggested|recommended|voluntary)\b[^.;|]{0,20}(?:donation|contribution|price)|donations?|by donation|sliding scale|name your price|prix libre|participation libre|libre participation|don libre|dons?|(?:contribution|participation|prix)s? (?:volontaires?|suggérée?s?|conseillée?s?|consciente?s?)|au chapeau|pa(?:yez|ie) ce que (?:vous|tu) (?:voulez|pouvez|veux|peux)|spende|spendenbasis|(?:contribución|aportación|entrada) voluntaria|aporte voluntario|a la gorra|offerta libera|contribuição (?:voluntária|livre)|pague quanto (?:quiser|puder)|vrijwillige bijdrage|notaflof|nobody turned away)\b/iu;

const MAX_CHARS = 2000;
/** Above it a number is no price of a ticket. */
const MAX_PRICE = 1_000_000;
