/** Addresses as providers write them, compared by house number and street. */

import { nameWords } from './names.ts';
import { AREAS, STREET_WORDS } from './place-words.ts';

export interface Address {
  /** House numbers, as a range: `801-849` is 801 to 849; null when the address has none. */
  from: number | null;
  to: number | null;
  /** Words of the street in one spelling, without its kind where another word tells it; '' when there is none. */
  street: string;
  /** Postal code, five digits; null when absent. */
  postcode: string | null;
}

export type AddressRelation = 'same' | 'near' | 'different_number' | 'different_street' | 'unknown';

/** Reads `Baum Boulevard, 5201`, `5201 Baum Blvd.`, `2100 Washington Pike Ste 650`, `4725 Centre Ave, at Craig St`, `Manhattan, NY 10001`. */
export function readAddress(text: string | null): Address | null {
  if (text === null || text.trim() === '') return null;
  const parts = text
    .slice(0, MOST_CHARS)
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const postcode = /\b(\d{5})(?:-\d{4}|\.0)?\s*$/.exec(text.trim())?.[1] ?? null;
  const numbers = parts.map(numberOf);
  const first = numbers.findIndex((number) => number !== null);
  const streetPart = parts.findIndex((part) => isStreet(part));
  const street = streetPart < 0 ? '' : streetOf(parts[streetPart] ?? '');
  const number = street === '' || first < 0 || first > 1 ? null : (numbers[first] ?? null);
  if (street === '' && postcode === null) return null;
  return { from: number?.from ?? null, to: number?.to ?? null, street, postcode };
}

export function compareAddresses(a: Address | null, b: Address | null): AddressRelation {
  if (a === null || b === null || a.street === '' || b.street === '') return 'unknown';
  if (!sameStreet(a.street, b.street)) return 'different_street';
  if (a.from === null || b.from === null || a.to === null || b.to === null) return 'unknown';
  if (a.from <= b.to && b.from <= a.to) return 'same';
  return Math.min(Math.abs(a.from - b.to), Math.abs(b.from - a.to)) <= NEAR_NUMBERS ? 'near' : 'different_number';
}

/** Cut forms are the same street: `Carson` and `E Carson`. */
function sameStreet(a: string, b: string): boolean {
  if (a === b) return true;
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  const words = longer.split(' ');
  return shorter.split(' ').every((word) => words.includes(word));
}

function numberOf(part: string): { from: number; to: number } | null {
  const [, from, to] = /^(\d{1,5})(?:\s*[-–]\s*(\d{1,5}))?[a-z]?(?=\s|$)/i.exec(part) ?? [];
  if (from === undefined) return null;
  const [low, high] = [Number(from), Number(to ?? from)];
  return high >= low ? { from: low, to: high } : { from: low, to: low };
}

function isStreet(part: string): boolean {
  const words = nameWords(part.replace(/^\d[\d-]*\s+/, ''));
  return words.length > 0 && !/^\d+(?:-\d+)?$/.test(part) && !AREAS.has(words.join(' ')) && !/^[A-Z]{2} \d{5}/.test(part);
}

function streetOf(part: string): string {
  const words = nameWords(
    part.replace(/^\d[\d-]*[a-z]?\s+/i, '').replace(/\b(?:suite|ste|floor|fl|unit|apt|room|rm|#)\b.*$/i, ''),
  );
  const told = words.filter((word) => !STREET_KINDS.has(word) && !COMPASS.has(word));
  return (told.length > 0 ? told : words).join(' ');
}

const STREET_KINDS = new Set([...STREET_WORDS].flatMap(nameWords));
const COMPASS = new Set(['n', 's', 'e', 'w']);
/** Neighbours, or another door of one building. */
const NEAR_NUMBERS = 10;
const MOST_CHARS = 500;
