/**
 * Tells in which town a text says that its address is. Towns of the register are known by name. Another town is told by what stands beside it:
 * a state, an unknown postcode, or its place as the last part. Rooms, entrances and hints are told by their words, and are no town.
 */

import type { Point } from '../values/distance.ts';
import {
  COUNTRIES,
  HOUSE_WORDS,
  NEARBY_WORDS,
  NO_PLACE_WORDS,
  TOWN_ADDITIONS,
  TOWN_SUFFIXES,
  UNIT_WORDS,
} from './place-words.ts';
import type { AddressToken } from './read-text.ts';
import { isKind } from './spelling.ts';
import { COMPOUND_KINDS } from './spelling-tables.ts';
import { COUNTRIES_OF_STATES, isOutsideOf, isStateCode, isStateName } from './states.ts';
import { slipsBetween } from './street-index.ts';

export interface KnownTowns {
  /** Words of a name, folded and joined by blanks. */
  towns: ReadonlySet<string>;
  /** The first words of these names. */
  townStarts: ReadonlySet<string>;
  postcodes: ReadonlySet<string>;
  /** Of the city's country, such as `US`; null if unknown. */
  region: string | null;
  /** Of the city: it tells which states it is not in. */
  center: Point;
  /** Whether the words of a part are the name of a street or a house of the city. */
  isLocalName(tokens: readonly AddressToken[]): boolean;
}

export interface TownEvidence {
  /** Towns of the register that the text names, or none. */
  towns: string[];
  /** A known postcode of the text. */
  postcode: string | null;
  /** The address is in another town. */
  isElsewhere: boolean;
}

/** @param span the tokens of the address itself: what they say is no town. */
export function readTown(tokens: readonly AddressToken[], span: { start: number; end: number }, known: KnownTowns): TownEvidence {
  const reading: Reading = { tokens, ...span, known, isLower: !tokens.some(({ isCapital }) => isCapital) };
  const postcode = tokens.find((token, at) => isOutside(reading, at) && known.postcodes.has(postcodeOf(token)));
  const found = { postcode: postcode ? postcodeOf(postcode) : null, isElsewhere: false };
  if (namesOtherCountry(reading) || namesOtherState(reading)) return { towns: [], postcode: null, isElsewhere: true };
  const behind = knownTowns(reading, span.end, tokens.length);
  if (behind.length > 0) return { ...found, towns: behind };
  if (isElsewhereBehind(reading)) return { ...found, towns: [], isElsewhere: true };
  const before = knownTowns(reading, 0, span.start);
  if (before.length > 0) return { ...found, towns: before };
  return { ...found, towns: [], isElsewhere: found.postcode === null && hasForeignPostcode(reading, 0, span.start) };
}

interface Reading {
  tokens: readonly AddressToken[];
  /** The tokens of the address. */
  start: number;
  end: number;
  known: KnownTowns;
  /** No word begins with a capital letter. */
  isLower: boolean;
}

const isOutside = ({ tokens, start, end }: Reading, at: number): boolean =>
  at >= 0 && at < tokens.length && (at < start || at >= end);

/** Whether two tokens outside of the address are of one part. */
const areOfOnePart = (reading: Reading, a: number, b: number): boolean =>
  isOutside(reading, a) && isOutside(reading, b) && reading.tokens[a]?.segment === reading.tokens[b]?.segment;

const hasKnownPostcode = (reading: Reading): boolean =>
  reading.tokens.some((token, at) => isOutside(reading, at) && reading.known.postcodes.has(postcodeOf(token)));

function knownTowns(reading: Reading, start: number, limit: number): string[] {
  const towns: string[] = [];
  for (let at = start; at < limit; at++) {
    const end = endOfTown(reading, at, limit);
    if (end === 0) continue;
    towns.push(nameOf(reading.tokens.slice(at, end)));
    at = end - 1;
  }
  return towns;
}

const nameOf = (tokens: readonly AddressToken[]): string => tokens.map(({ folded }) => folded).join(' ');

/** The known town that begins at a token: where it ends, or 0. */
function endOfTown(reading: Reading, start: number, limit: number): number {
  if (!reading.known.townStarts.has(reading.tokens[start]?.folded ?? '')) return 0;
  for (let end = Math.min(limit, start + MAX_TOWN_WORDS); end > start; end--) {
    const isTown = areOfOnePart(reading, start, end - 1) && reading.known.towns.has(nameOf(reading.tokens.slice(start, end)));
    if (isTown && standsAlone(reading, start, end)) return end;
  }
  return 0;
}

/** `York` in `New York` is another town, `Frankfurt am Main` is Frankfurt. */
function standsAlone(reading: Reading, start: number, end: number): boolean {
  const [before, after] = [reading.tokens[start - 1], reading.tokens[end]];
  const isOpen = !before || !areOfOnePart(reading, start - 1, start) || !isTownWord(before) || TOWN_ADDITIONS.has(before.folded);
  if (!isOpen) return false;
  if (!after || !areOfOnePart(reading, start, end) || !isTownWord(after) || after.isJoined) return true;
  return (
    TOWN_ADDITIONS.has(after.folded) || TOWN_SUFFIXES.has(after.folded) || isRegion(reading, end) || hasKnownPostcode(reading)
  );
}

/** A state or a country. */
function isRegion(reading: Reading, at: number): boolean {
  const token = reading.tokens[at];
  if (token?.kind !== 'word') return false;
  const next = areOfOnePart(reading, at, at + 1) ? (reading.tokens[at + 1]?.folded ?? '') : '';
  if (COUNTRIES.has(token.folded) && token.folded.length > 2) return true;
  const isState = [token.folded, token.folded + next].some(
    (name) => isStateName(name) || (name.length > 2 && COUNTRIES.has(name)),
  );
  if (isState) return isLast(reading, at) || isLast(reading, at + 1);
  return isStateCode(token.folded) && (token.isUpper || reading.isLower) && isLast(reading, at);
}

/** The code or the name of the state at a token; null for none. `CA` at the end of an address in Canada is the country. */
function stateAt(reading: Reading, at: number): string | null {
  const [token, next] = [reading.tokens[at], reading.tokens[at + 1]];
  if (token?.kind !== 'word' || token.word.toUpperCase() === reading.known.region) return null;
  const both = areOfOnePart(reading, at, at + 1) && next && isLast(reading, at + 1) ? token.folded + next.folded : '';
  if (isStateName(both) || (both.length === 2 && isStateCode(both) && token.isUpper && next?.isUpper)) return both;
  if (!isLast(reading, at) || (next?.kind === 'number' && next.word.length < MIN_POSTCODE)) return null;
  const isCode = isStateCode(token.folded) && (token.isUpper || reading.isLower);
  return isCode || isStateName(token.folded) ? token.folded : null;
}

/** Right behind the address, or behind a town of the register, stands a state that the city is not in. A postcode of the city is surer. */
function namesOtherState(reading: Reading): boolean {
  const { tokens, end, known } = reading;
  if (known.region !== null && !COUNTRIES_OF_STATES.has(known.region)) return false;
  if (hasKnownPostcode(reading)) return false;
  let behind = end > 0 ? end : -1;
  for (let at = end; at < tokens.length; at++) {
    const endOf = endOfTown(reading, at, tokens.length);
    if (endOf > 0) {
      at = endOf - 1;
      behind = endOf;
      continue;
    }
    const state = at === behind ? stateAt(reading, at) : null;
    // `FL` is a floor, unless a town stands before it.
    const isUnit = behind === end && UNIT_WORDS.has(tokens[at]?.folded ?? '');
    if (state !== null && !isUnit && isOutsideOf(state, known.center)) return true;
  }
  return false;
}

/** Only a postcode, a country or a number follows. */
function isLast(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  if (!next || !areOfOnePart(reading, at, at + 1) || next.kind === 'number') return true;
  return COUNTRIES.has(next.folded) || (next.folded.length === 1 && next.isCapital);
}

function namesOtherCountry(reading: Reading): boolean {
  const { tokens, known } = reading;
  const last = tokens.findLastIndex((token, at) => isOutside(reading, at) && token.kind === 'word');
  const token = tokens[last];
  if (!token || known.region === null) return false;
  const before = areOfOnePart(reading, last - 1, last) ? (tokens[last - 1]?.folded ?? '') : '';
  const country = COUNTRIES.get(before + token.folded) ?? COUNTRIES.get(token.folded);
  if (country === undefined || country === known.region) return false;
  // `DE` is Delaware, and a German article is no country.
  return token.folded.length > 2 || (token.isUpper && !isStateCode(token.folded));
}

/** The words of a town before a state or a postcode: in its own part, or in the part before if it begins its part. */
function wordsBefore(reading: Reading, at: number): AddressToken[] {
  const { tokens } = reading;
  const begins = !areOfOnePart(reading, at - 1, at);
  if (begins && !PART_SIGNS.has(tokens[at]?.sign ?? '')) return [];
  const segment = tokens[at - 1]?.segment;
  const words: AddressToken[] = [];
  for (let index = at - 1; isOutside(reading, index) && tokens[index]?.segment === segment; index--) {
    const token = tokens[index];
    if (token?.kind !== 'word' || isRegion(reading, index)) break;
    words.unshift(token);
  }
  return words;
}

function wordsBehind(reading: Reading, at: number): AddressToken[] {
  const words: AddressToken[] = [];
  for (let index = at + 1; areOfOnePart(reading, at, index); index++) {
    const token = reading.tokens[index];
    if (token?.kind !== 'word' || isRegion(reading, index)) break;
    words.push(token);
  }
  return words;
}

function isElsewhereBehind(reading: Reading): boolean {
  const { tokens, end } = reading;
  for (let at = end; at < tokens.length; at++) {
    if (isRegion(reading, at) && isForeign(reading, wordsBefore(reading, at))) return true;
  }
  if (hasKnownPostcode(reading)) return false;
  return hasForeignPostcode(reading, end, tokens.length) || endsWithTown(reading);
}

/** An unknown postcode with a town beside it; alone, if postcodes of the city are known. */
function hasForeignPostcode(reading: Reading, start: number, limit: number): boolean {
  const { known } = reading;
  for (let at = start; at < limit; at++) {
    const token = reading.tokens[at];
    if (!token || !POSTCODE.test(postcodeOf(token)) || known.postcodes.has(postcodeOf(token))) continue;
    const hasTown = isForeign(reading, wordsBehind(reading, at)) || isForeign(reading, wordsBefore(reading, at));
    if (hasTown || known.postcodes.size > 0) return true;
  }
  return false;
}

/** The last part is the name of a town: `Wiesenstraße 1, Nürnberg`, `Hauptstraße 5 in Hof`. */
function endsWithTown(reading: Reading): boolean {
  const { tokens, end, isLower } = reading;
  const last = tokens.findLastIndex((_, at) => isOutside(reading, at) && !isRegion(reading, at));
  const token = tokens[last];
  if (!token || end === 0 || last < end || token.inBrackets) return false;
  let first = last;
  while (areOfOnePart(reading, first - 1, last)) first--;
  const words = tokens.slice(first, last + 1);
  if (words[0]?.folded === 'in') return isForeign(reading, words.slice(1));
  const isPart = tokens[end - 1]?.segment !== token.segment && PART_SIGNS.has(token.sign);
  return isPart && isForeign(reading, words) && words.every((word) => word.isCapital || isLower);
}

/** Whether words may be the name of a town that is not known, and are nothing else. */
function isForeign({ known }: Reading, words: readonly AddressToken[]): boolean {
  if (words.length === 0 || words.length > MAX_TOWN_WORDS || !words.every(isTownWord)) return false;
  if (words.length > 1 && words.some(({ word, folded }) => isKind(word) || COMPOUND_KINDS.test(folded))) return false;
  const name = nameOf(words);
  return !known.isLocalName(words) && ![...known.towns].some((town) => isSlipOf(name, town));
}

/** A word that may belong to the name of a town. */
const isTownWord = ({ kind, folded }: AddressToken): boolean =>
  kind === 'word' &&
  (folded.length > 2 || folded === 'st') &&
  !UNIT_WORDS.has(folded) &&
  !HOUSE_WORDS.has(folded) &&
  !NEARBY_WORDS.has(folded) &&
  !NO_PLACE_WORDS.has(folded);

const isSlipOf = (name: string, town: string): boolean =>
  name === town || (town.length >= MIN_SLIP && slipsBetween(name, town, 1) <= 1);

/** `02139-1234` is the postcode `02139`. */
const postcodeOf = ({ kind, word, tail }: AddressToken): string => (kind === 'number' && /^(?:-\d{4})?$/.test(tail) ? word : '');

const PART_SIGNS: ReadonlySet<string> = new Set([',', '\n', ';', '•', '·', '|']);
const POSTCODE = /^\d{5}$/;
/** Digits: a shorter number is that of a floor. */
const MIN_POSTCODE = 4;
const MAX_TOWN_WORDS = 4;
/** Letters: of a shorter name, a slip makes another town. */
const MIN_SLIP = 6;
