/** Addresses as providers write them, compared by house number and street. */

import { foldText, nameWords } from '../names.ts';
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
  const parts = text
    .slice(0, MAX_CHARS)
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const streetAt = parts.findIndex(isStreet);
  const street = streetAt < 0 ? '' : streetOf(parts[streetAt] ?? '');
  // The number stands before its street, in a part of its own after it, or in one before it.
  const number =
    street === '' ? null : (numberOf(parts[streetAt]) ?? numberAlone(parts[streetAt + 1]) ?? numberAlone(parts[streetAt - 1]));
  const postcode = POSTCODE.exec(text.trim())?.[1]?.replace(' ', '').toUpperCase() ?? null;
  if (street === '' && postcode === null) return null;
  return { from: number?.from ?? null, to: number?.to ?? null, street, postcode };
}

/** Two streets without numbers say nothing: a street is long, and the second may be the cross street. */
export function compareAddresses(a: StreetAddress | null, b: StreetAddress | null): AddressRelation {
  if (a === null || b === null || a.street === '' || b.street === '') return 'unknown';
  if (!sameStreet(a.street, b.street)) return 'different_street';
  if (a.from === null || b.from === null || a.to === null || b.to === null) return 'unknown';
  if (a.from <= b.to && b.from <= a.to) return 'same';
  return Math.min(Math.abs(a.from - b.to), Math.abs(b.from - a.to)) <= NEAR_NUMBERS ? 'near' : 'different_number';
}

/** Cut forms are the same street: `Martin Luther King Jr` and `M L King`, `Fort Hamilton` and `Hamilton`. */
function sameStreet(a: string, b: string): boolean {
  const [wordsA, wordsB] = [a.split(' '), b.split(' ')];
  return wordsA.every((word) => wordsB.includes(word)) || wordsB.every((word) => wordsA.includes(word));
}

interface Numbers {
  from: number;
  to: number;
}

function numberOf(part: string | undefined): Numbers | null {
  const [, first, second] = LEADING_NUMBER.exec(part ?? '') ?? [];
  if (first === undefined) return null;
  const [from, to] = [Number(first), Number(second ?? first)];
  // Queens writes the block before the house, `46-01`: one number. Elsewhere the sign is a range, `801-849`.
  if (second?.length === 2 && first.length <= 3) return { from: from * 100 + to, to: from * 100 + to };
  return { from, to: Math.max(from, to) };
}

const numberAlone = (part: string | undefined): Numbers | null => (part && NUMBER_ALONE.test(part) ? numberOf(part) : null);

/** A part names a street by a word of streets, by an ordinal, or by a number before it. */
function isStreet(part: string): boolean {
  const words = nameWords(part);
  if (NUMBER_ALONE.test(part) || words.length === 0 || words.length > MAX_STREET_WORDS) return false;
  return words.some((word) => STREET_WORDS.has(word) || ORDINAL.test(word)) || (LEADING_NUMBER.test(part) && words.length > 1);
}

function streetOf(part: string): string {
  const bare = foldText(part).replace(LEADING_NUMBER, '').replace(FLAT, '').replace(LEADING_AT, '');
  const words = nameWords(bare);
  const told = words.filter((word) => !STREET_WORDS.has(word) && !COMPASS.has(word));
  return (told.length > 0 ? told : words).sort().join(' ');
}

const COMPASS = new Set(['n', 's', 'e', 'w']);
const LEADING_NUMBER = /^\s*(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?[a-z]?(?=\s|$)/i;
const LEADING_AT = /^\s*(?:at|btwn|btw|between|near|corner of)\s+/;
const NUMBER_ALONE = /^\d{1,5}(?:\s*[-–]\s*\d{1,5})?[a-z]?$/i;
const FLAT = /\s(?:suite|ste|floor|fl|unit|apt|room|rm|bldg)\b.*$|#.*$/;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/;
/** Five digits, six (Singapore, India), `M5V 2T6`, `EH1 1RE`. */
const POSTCODE = /(?:^|[\s,])(\d{5,6}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})(?:-\d{4}|\.0)?$/i;
/** A longer part is a sentence. */
const MAX_STREET_WORDS = 8;
const MAX_CHARS = 500;
