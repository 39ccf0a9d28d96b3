/** Finds the streets that a text may mean, and the house number: the parts of the text beside a number first, then names alone. */

import type { NamedStreet } from './build-streets.ts';
import { type HouseNumber, parseHouseNumber } from './house-number.ts';
import { NEARBY_WORDS, NUMBER_NAMES, NUMBER_WORDS, UNIT_WORDS } from './place-words.ts';
import type { AddressToken } from './read-text.ts';
import { isDirection, isKind, isParticle } from './spelling.ts';
import { COMPOUND_KINDS } from './spelling-tables.ts';
import type { StreetIndex } from './street-index.ts';

export interface Candidate {
  streets: readonly NamedStreet[];
  /** `like`: a part of the name is missing, or is another one; only one street with such a name can be meant. */
  match: 'named' | 'like' | 'otherKind';
  number: HouseNumber | null;
  /** The tokens of the name with its number: from `start` to before `end`. */
  start: number;
  end: number;
  /** The tokens of the name alone. */
  nameStart: number;
  nameEnd: number;
}

/** Streets that a text names in full, with the number beside each name. */
export function namedStreets(tokens: readonly AddressToken[], index: StreetIndex): Candidate[] {
  const found: Candidate[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const end = longestName(tokens, start, index);
    const last = found.at(-1);
    if (end === 0 || (last && end <= last.nameEnd)) continue;
    const streets = index.named(keyOf(tokens, start, end));
    found.push(...withNumbers(tokens, { streets, match: 'named', start, end }));
  }
  return found;
}

/** Streets beside a number whose names are cut, shortened or misspelled. */
export function guessedStreets(tokens: readonly AddressToken[], index: StreetIndex): Candidate[] {
  const found: Candidate[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isHouseNumber(tokens[at])) continue;
    for (const [start, end] of windowsBeside(tokens, at, index.maxWords)) {
      const guess = guessStreet(tokens, start, end, index);
      if (!guess) continue;
      found.push(...withNumbers(tokens, { ...guess, start, end }).filter(({ number }) => number !== null));
      break;
    }
  }
  return found;
}

/** Names alone that are misspelled or shortened: `Masachusetts Avenue`. */
export function guessedNames(tokens: readonly AddressToken[], index: StreetIndex): Candidate[] {
  const found: Candidate[] = [];
  for (let start = 0; start < tokens.length; start++) {
    const [token, before] = [tokens[start], tokens[start - 1]];
    if (token?.kind !== 'word' || (before?.segment === token.segment && !NEARBY_WORDS.has(before.folded))) continue;
    const end = endOfName(tokens, start);
    if (end === 0) continue;
    const guess = guessStreet(tokens, start, end, index);
    if (guess?.match === 'like') found.push({ ...guess, number: null, start, end, nameStart: start, nameEnd: end });
  }
  return found;
}

/** Where a text has the form of an address, though no street of it is known: `12 Elder Lane`, `Holzgasse 3`; null for none. */
export function addressForm(tokens: readonly AddressToken[]): Candidate | null {
  for (let at = 0; at < tokens.length; at++) {
    if (!isHouseNumber(tokens[at])) continue;
    for (const [start, end] of windowsBeside(tokens, at, MAX_FORM_WORDS)) {
      const words = tokens.slice(start, end);
      if (!words.some(({ word, folded }) => (words.length > 1 && isKind(word)) || COMPOUND_KINDS.test(folded))) continue;
      const [form] = withNumbers(tokens, { streets: [], match: 'named', start, end });
      if (form) return form;
    }
  }
  return null;
}

function guessStreet(
  tokens: readonly AddressToken[],
  start: number,
  end: number,
  index: StreetIndex,
): Pick<Candidate, 'streets' | 'match'> | null {
  const words = tokens.slice(start, end).map(({ word }) => word);
  const bare = words.filter((word) => !isParticle(word)).join('');
  const exact = index.named(bare);
  if (exact.length > 0) return { streets: exact, match: 'named' };
  const joined = words.join('');
  const like = firstOf(index.calledLike(joined), () => (joined === bare ? NONE : index.calledLike(bare)));
  if (like.length > 0) {
    const next = tokens[end];
    const isOther = next?.segment === tokens[end - 1]?.segment && isKind(next?.word ?? '') && !words.some(isKind);
    return { streets: like, match: isOther ? 'otherKind' : 'like' };
  }
  const near = firstOf(index.shortenedTo(words), () => index.similarTo(words));
  return near.length > 0 ? { streets: near, match: 'like' } : null;
}

const firstOf = (a: readonly NamedStreet[], b: () => readonly NamedStreet[]): readonly NamedStreet[] => (a.length > 0 ? a : b());
const NONE: readonly NamedStreet[] = [];

/** The tokens before which the longest name from `start` ends; 0 for none. */
function longestName(tokens: readonly AddressToken[], start: number, index: StreetIndex): number {
  let [key, longest] = ['', 0];
  const segment = tokens[start]?.segment;
  for (let end = start; end < tokens.length && end - start < index.maxWords; end++) {
    const token = tokens[end];
    if (!token || token.segment !== segment || token.tail !== '') break;
    key += token.word;
    if (index.named(key).length > 0) longest = end + 1;
  }
  return longest;
}

function keyOf(tokens: readonly AddressToken[], start: number, end: number): string {
  let key = '';
  for (let at = start; at < end; at++) key += tokens[at]?.word ?? '';
  return key;
}

/** A name with the number before it, and with the one behind it; alone if there is none. */
function withNumbers(
  tokens: readonly AddressToken[],
  { streets, match, start, end }: Pick<Candidate, 'streets' | 'match' | 'start' | 'end'>,
): Candidate[] {
  const name = { streets, match, nameStart: start, nameEnd: end };
  const found: Candidate[] = [];
  const before = numberBefore(tokens, start);
  if (before) found.push({ ...name, number: before.number, start: before.at, end });
  const after = numberAfter(tokens, end);
  if (after) found.push({ ...name, number: after.number, start, end: after.at });
  return found.length > 0 ? found : [{ ...name, number: null, start, end }];
}

interface NumberAt {
  number: HouseNumber;
  at: number;
}

/** `12 North`, `12,`, `12 bis`, `One` before a name. */
function numberBefore(tokens: readonly AddressToken[], start: number): NumberAt | null {
  const name = tokens[start];
  let at = start - 1;
  while (at >= 0 && isDirection(tokens[at]?.word ?? '') && tokens[at]?.segment === name?.segment) at--;
  const token = tokens[at];
  if (!name || !token) return null;
  if (token.segment !== name.segment && !(name.sign === ',' && isAlone(tokens, at) && name.segment === token.segment + 1))
    return null;
  const digits = tokens[at - 1];
  if (SUFFIX.test(token.folded) && digits?.segment === token.segment && isHouseNumber(digits) && digits?.tail === '') {
    const number = parseHouseNumber(`${digits?.word} ${token.folded}`);
    if (number) return { number, at: at - 1 };
  }
  const named = NUMBER_NAMES.get(token.folded);
  if (named !== undefined) return { number: { from: named, to: named, suffix: 0 }, at };
  return readNumber(token, '') && { number: readNumber(token, '') as HouseNumber, at };
}

/** `12`, `12 a`, `, 12`, `Nr. 12` behind a name. */
function numberAfter(tokens: readonly AddressToken[], end: number): NumberAt | null {
  const last = tokens[end - 1];
  let at = end;
  while (NUMBER_WORDS.has(tokens[at]?.folded ?? '') && tokens[at]?.segment === last?.segment) at++;
  const token = tokens[at];
  if (!last || !token) return null;
  const isNext =
    token.segment === last.segment + 1 && token.sign === ',' && isAlone(tokens, at) && token.word.length < POSTCODE_DIGITS;
  if (token.segment !== last.segment && !isNext) return null;
  const letter = tokens[at + 1];
  const behind = tokens[at + 2];
  const isSuffix =
    token.tail === '' &&
    letter?.segment === token.segment &&
    SUFFIX.test(letter.folded) &&
    (behind === undefined || behind.segment !== letter.segment || behind.kind !== 'word');
  const number = readNumber(token, isSuffix ? ` ${letter.folded}` : '');
  return number && { number, at: isSuffix ? at + 2 : at + 1 };
}

function readNumber(token: AddressToken | undefined, suffix: string): HouseNumber | null {
  if (!isHouseNumber(token)) return null;
  return parseHouseNumber(`${token?.word}${token?.tail === '1/2' ? ' 1/2' : token?.tail}${suffix}`);
}

const isHouseNumber = (token: AddressToken | undefined): boolean => token?.kind === 'number' && token.word.length <= MAX_DIGITS;
const isAlone = (tokens: readonly AddressToken[], at: number): boolean =>
  tokens[at - 1]?.segment !== tokens[at]?.segment && tokens[at + 1]?.segment !== tokens[at]?.segment;

/** Parts of the text that may be the name of the street of a number, longest first: behind the number, then before it. */
function windowsBeside(tokens: readonly AddressToken[], at: number, maxWords: number): Window[] {
  return [...windowsBehind(tokens, at, maxWords), ...windowsBefore(tokens, at, maxWords)];
}

type Window = readonly [start: number, end: number];

function windowsBehind(tokens: readonly AddressToken[], at: number, maxWords: number): Window[] {
  const suffix = tokens[at + 1];
  const isSuffix =
    suffix && SUFFIX.test(suffix.folded) && tokens[at + 2]?.segment === suffix.segment && !isDirection(suffix.word);
  const start = isSuffix ? at + 2 : at + 1;
  const first = tokens[start];
  if (!first || !(first.segment === tokens[at]?.segment || (first.sign === ',' && isAlone(tokens, at)))) return [];
  let end = start;
  while (isNameToken(tokens[end]) && tokens[end]?.segment === first.segment && end - start < maxWords) end++;
  const windows: Window[] = [];
  for (let last = end; last > start; last--) windows.push([start, last]);
  // A side before a name without one: `12 North Main St` in a town that has only `Main St`.
  if (!isDirection(first.word)) return windows;
  return [...windows, ...windows.flatMap(([, last]): Window[] => (last > start + 1 ? [[start + 1, last]] : []))];
}

function windowsBefore(tokens: readonly AddressToken[], at: number, maxWords: number): Window[] {
  let end = at;
  while (end > 0 && NUMBER_WORDS.has(tokens[end - 1]?.folded ?? '')) end--;
  const segment = tokens[end - 1]?.segment;
  let begin = end;
  while (isNameToken(tokens[begin - 1]) && tokens[begin - 1]?.segment === segment && end - begin < maxWords) begin--;
  const windows: Window[] = [];
  for (let start = begin; start < end; start++) windows.push([start, end]);
  return windows;
}

const isNameToken = (token: AddressToken | undefined): boolean =>
  token !== undefined && token.kind !== 'number' && !UNIT_WORDS.has(token.folded);

/** A name alone ends with its kind, or begins with it; 0 if no kind tells that it is a street. */
function endOfName(tokens: readonly AddressToken[], start: number): number {
  const first = tokens[start];
  let end = start;
  while (isNameToken(tokens[end]) && tokens[end]?.segment === first?.segment && end - start < MAX_FORM_WORDS) {
    const { word = '', folded = '' } = tokens[end] ?? {};
    end++;
    if ((end > start + 1 && isKind(word)) || COMPOUND_KINDS.test(folded)) return end;
  }
  return isKind(first?.word ?? '') && end > start + 1 ? end : 0;
}

const SUFFIX = /^(?:[a-z]|bis|ter|quater)$/;
const MAX_DIGITS = 6;
const POSTCODE_DIGITS = 5;
const MAX_FORM_WORDS = 6;
