/** Addresses as providers write them, compared by house number and street. */

import { createMemory } from '../../values/memory.ts';
import { foldText, nameWords } from './names.ts';
import { isSlip } from './place-alignment.ts';
import { NEAR_NUMBERS } from './place-limits.ts';
import { STREET_WORDS } from './place-words.ts';

export interface StreetAddress {
  /** House numbers as a range: `801-849`; equal for a single one, null when the address has none. */
  from: number | null;
  to: number | null;
  /** Words of the street without its kind and compass point, sorted; '' when there is none. */
  street: string;
  /** Without blanks, or null. */
  postcode: string | null;
}

export type AddressRelation = 'same' | 'near' | 'different_number' | 'different_street' | 'unknown';

/** Reads `Baum Boulevard, 5201`, `5201 Baum Blvd.`, `2100 Washington Pike Ste 650`, `4725 Centre Ave, at Craig St`, `Manhattan, NY 10001`. */
export function readAddress(text: string | null): StreetAddress | null {
  if (text === null) return null;
  const cut = text.trim().slice(0, MAX_CHARS);
  return addresses(cut, () => takeApart(cut));
}

function takeApart(cut: string): StreetAddress | null {
  const postcode = POSTCODE.exec(cut)?.[1] ?? null;
  const parts = cut
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const streetAt = parts.findIndex(isStreet);
  const street = streetAt < 0 ? '' : streetOf(parts[streetAt] ?? '');
  const number = street === '' ? null : numbersAround(parts, streetAt, postcode);
  if (street === '' && postcode === null) return null;
  return {
    from: number?.from ?? null,
    to: number?.to ?? null,
    street,
    postcode: postcode?.replace(' ', '').toUpperCase() ?? null,
  };
}

/** The number stands before its street, in parts of its own after it (`1314, 1316`), or in one before it. The last part may be the postcode. */
function numbersAround(parts: readonly string[], streetAt: number, postcode: string | null): Numbers | null {
  const own = numberOf(parts[streetAt]);
  if (own !== null) return own;
  const after = parts.slice(streetAt + 1).filter((part, index, rest) => index < rest.length - 1 || part !== postcode);
  const alone: Numbers[] = [];
  for (const part of after[0] !== undefined && isSameStreetAgain(after[0], parts[streetAt]) ? after.slice(1) : after) {
    const number = numberAlone(part);
    if (number === null) break;
    alone.push(number);
  }
  if (alone.length === 0) return numberAlone(parts[streetAt - 1]);
  return { from: Math.min(...alone.map(({ from }) => from)), to: Math.max(...alone.map(({ to }) => to)) };
}

/** `South Craig Street;S Craig St, 418`. */
const isSameStreetAgain = (part: string, street: string | undefined): boolean =>
  street !== undefined && isStreet(part) && numberOf(part) === null && streetOf(part) === streetOf(street);

/**
 * Two streets without numbers say nothing: a street is long, and the second may be the cross street. One number at two streets is a house at a
 * corner, or a street with two names.
 */
export function compareAddresses(a: StreetAddress | null, b: StreetAddress | null): AddressRelation {
  if (a === null || b === null || a.street === '' || b.street === '') return 'unknown';
  if (!sameStreet(a.street, b.street))
    return a.from !== null && a.from === b.from && a.from >= LONG_NUMBER ? 'unknown' : 'different_street';
  if (a.from === null || b.from === null || a.to === null || b.to === null) return 'unknown';
  if (a.from <= b.to && b.from <= a.to) return 'same';
  return Math.min(Math.abs(a.from - b.to), Math.abs(b.from - a.to)) <= NEAR_NUMBERS ? 'near' : 'different_number';
}

/** Cut forms are the same street: `Martin Luther King Jr` and `M L King`, `Fort Hamilton` and `Hamilton`. So are slips: `Perrysvile`. */
function sameStreet(a: string, b: string): boolean {
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  const areIn = (words: readonly string[], others: readonly string[]) =>
    words.every((word) => others.some((other) => word === other || isSlip(word, other)));
  return areIn(wordsA, wordsB) || areIn(wordsB, wordsA);
}

interface Numbers {
  from: number;
  to: number;
}

function numberOf(part: string | undefined): Numbers | null {
  const [, first, second] = LEADING_NUMBER.exec(part ?? '') ?? [];
  if (first === undefined) return writtenNumber(part ?? '');
  const [from, to] = [Number(first), Number(second ?? first)];
  // Queens writes the block before the house, `46-01`: one number. Elsewhere the sign is a range, `801-849`.
  if (second?.length === 2 && first.length <= 3) return { from: from * 100 + to, to: from * 100 + to };
  return { from, to: Math.max(from, to) };
}

/** `One Bigelow Square`. */
function writtenNumber(part: string): Numbers | null {
  const number = Number(nameWords(WRITTEN_NUMBER.exec(part)?.[0] ?? '')[0] ?? Number.NaN);
  return Number.isNaN(number) ? null : { from: number, to: number };
}

const numberAlone = (part: string | undefined): Numbers | null => (part && NUMBER_ALONE.test(part) ? numberOf(part) : null);

/** A part names a street by a word of streets, by an ordinal, or by a number before it. */
function isStreet(part: string): boolean {
  const words = nameWords(part);
  if (NUMBER_ALONE.test(part) || words.length === 0 || words.length > MAX_STREET_WORDS) return false;
  return words.some((word) => STREET_WORDS.has(word) || ORDINAL.test(word)) || (LEADING_NUMBER.test(part) && words.length > 1);
}

function streetOf(part: string): string {
  const bare = foldText(part).replace(LEADING_NUMBER, '').replace(WRITTEN_NUMBER, '').replace(FLAT, '').replace(LEADING_AT, '');
  const words = nameWords(bare);
  const told = words.filter((word) => !STREET_WORDS.has(word) && !COMPASS.has(word));
  return (told.length > 0 ? told : words).sort().join(' ');
}

const COMPASS = new Set(['n', 's', 'e', 'w']);
const LEADING_NUMBER = /^\s*(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?(?:[a-z]|\s+1\/2)?(?=\s|$)/i;
const WRITTEN_NUMBER = /^\s*(?:one|two|three|four|five|six|seven|eight|nine|ten)(?=\s+\S|$)/i;
const LEADING_AT = /^\s*(?:at|btwn|btw|between|near|corner of)\s+/;
const NUMBER_ALONE = /^(?:\d{1,5}(?:\s*[-–]\s*\d{1,5})?(?:[a-z]|\s+1\/2)?|one|two|three|four|five|six|seven|eight|nine|ten)$/i;
const FLAT = /\s(?:suite|ste|floor|fl|unit|apt|room|rm|bldg)\b.*$|#.*$/;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/;
/** Five digits, six (Singapore, India), `M5V 2T6`, `EH1 1RE`. */
const POSTCODE = /(?:^|[\s,])(\d{5,6}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?:-\d{4}|\.0)?$/i;
/** Shorter numbers are in every street. */
const LONG_NUMBER = 100;
/** A longer part is a sentence. */
const MAX_STREET_WORDS = 8;
/** The same places are compared several times in a run. */
const addresses = createMemory<StreetAddress | null>(5000);
const MAX_CHARS = 500;
