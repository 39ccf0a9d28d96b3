/**
 * Which town a text says that its address is in. Towns of the register are known by name. Another town is told by what stands beside it:
 * a state, an unknown postcode, or its place as the last part. Rooms, entrances and hints are told by their words, and are no town.
 */

import {
  COUNTRIES,
  HOUSE_WORDS,
  NEARBY_WORDS,
  NO_PLACE_WORDS,
  STATE_CODES,
  STATE_NAMES,
  TOWN_ADDITIONS,
  TOWN_SUFFIXES,
  UNIT_WORDS,
} from './place-words.ts';
import type { TextToken } from './read-text.ts';
import { isKind } from './spelling.ts';
import { COMPOUND_KINDS } from './spelling-tables.ts';
import { slipsBetween } from './street-index.ts';

export interface KnownTowns {
  /** Words of a name, folded and joined by blanks. */
  towns: ReadonlySet<string>;
  postcodes: ReadonlySet<string>;
  /** Of the city's country, such as `US`; null if unknown. */
  region: string | null;
  /** Whether the words of a part are the name of a street or a house of the city. */
  isLocalName(tokens: readonly TextToken[]): boolean;
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
export function readTown(tokens: readonly TextToken[], span: { start: number; end: number }, known: KnownTowns): TownEvidence {
  const reader = createReader(tokens, span, known);
  const postcode = tokens.find((token, at) => reader.isOutside(at) && known.postcodes.has(postcodeOf(token)));
  const found = { postcode: postcode ? postcodeOf(postcode) : null, isElsewhere: false };
  if (reader.namesOtherCountry()) return { towns: [], postcode: null, isElsewhere: true };
  const behind = reader.knownTowns(span.end, tokens.length);
  if (behind.length > 0) return { ...found, towns: behind };
  if (reader.isElsewhereBehind()) return { ...found, towns: [], isElsewhere: true };
  const before = reader.knownTowns(0, span.start);
  if (before.length > 0) return { ...found, towns: before };
  return { ...found, towns: [], isElsewhere: found.postcode === null && reader.hasForeignPostcode(0, span.start) };
}

function createReader(tokens: readonly TextToken[], span: { start: number; end: number }, known: KnownTowns) {
  const isOutside = (at: number): boolean => at >= 0 && at < tokens.length && (at < span.start || at >= span.end);
  const isLower = !tokens.some(({ isCapital }) => isCapital);
  const sameSegment = (a: number, b: number): boolean =>
    isOutside(a) && isOutside(b) && tokens[a]?.segment === tokens[b]?.segment;
  const nameBetween = (start: number, end: number): string =>
    tokens
      .slice(start, end)
      .map(({ folded }) => folded)
      .join(' ');

  /** The known town that begins at a token: where it ends, or 0. */
  function townAt(start: number, limit: number): number {
    for (let end = Math.min(limit, start + MAX_TOWN_WORDS); end > start; end--) {
      if (sameSegment(start, end - 1) && known.towns.has(nameBetween(start, end)) && standsAlone(start, end)) return end;
    }
    return 0;
  }

  /** `York` in `New York` is another town, `Frankfurt am Main` is Frankfurt. */
  function standsAlone(start: number, end: number): boolean {
    const [before, after] = [tokens[start - 1], tokens[end]];
    const isOpen = !before || !sameSegment(start - 1, start) || !isTownWord(before) || TOWN_ADDITIONS.has(before.folded);
    const isClosed =
      !after ||
      !sameSegment(start, end) ||
      !isTownWord(after) ||
      after.isJoined ||
      isSuffixed(after) ||
      isRegion(end) ||
      hasKnownPostcode();
    return isOpen && isClosed;
  }
  const isSuffixed = ({ folded }: TextToken): boolean => TOWN_ADDITIONS.has(folded) || TOWN_SUFFIXES.has(folded);
  const hasKnownPostcode = (): boolean => tokens.some((token, at) => isOutside(at) && known.postcodes.has(postcodeOf(token)));

  function knownTowns(start: number, limit: number): string[] {
    const towns: string[] = [];
    for (let at = start; at < limit; at++) {
      const end = townAt(at, limit);
      if (end === 0) continue;
      towns.push(nameBetween(at, end));
      at = end - 1;
    }
    return towns;
  }

  /** A state or a country. */
  function isRegion(at: number): boolean {
    const token = tokens[at];
    if (token?.kind !== 'word') return false;
    const joined = token.folded + (sameSegment(at, at + 1) ? (tokens[at + 1]?.folded ?? '') : '');
    if (COUNTRIES.has(token.folded) && token.folded.length > 2) return true;
    if (STATE_NAMES.has(token.folded) || STATE_NAMES.has(joined) || COUNTRIES.has(joined)) return isLast(at) || isLast(at + 1);
    return STATE_CODES.has(token.folded) && (token.isUpper || isLower) && isLast(at);
  }
  /** Only a postcode, a country or a number follows. */
  const isLast = (at: number): boolean => {
    const next = tokens[at + 1];
    return (
      !next ||
      !sameSegment(at, at + 1) ||
      next.kind === 'number' ||
      COUNTRIES.has(next.folded) ||
      (next.folded.length === 1 && next.isCapital)
    );
  };

  function namesOtherCountry(): boolean {
    if (known.region === null) return false;
    const last = tokens.findLastIndex((token, at) => isOutside(at) && token.kind === 'word');
    const token = tokens[last];
    if (!token || (sameSegment(last - 1, last) && token.folded.length === 2 && !token.isUpper)) return false;
    const country =
      COUNTRIES.get((sameSegment(last - 1, last) ? (tokens[last - 1]?.folded ?? '') : '') + token.folded) ??
      COUNTRIES.get(token.folded);
    if (country === undefined || country === known.region) return false;
    return token.folded.length > 2 || !STATE_CODES.has(token.folded);
  }

  /** The words of a town before a state or a postcode: in its own part, or in the part before if it begins its part. */
  function wordsBefore(at: number): TextToken[] {
    const begins = !sameSegment(at - 1, at);
    const words: TextToken[] = [];
    const segment = begins ? (tokens[at - 1]?.segment ?? -1) : tokens[at]?.segment;
    if (begins && tokens[at]?.sign !== ',' && tokens[at]?.sign !== '\n') return [];
    for (let index = at - 1; isOutside(index) && tokens[index]?.segment === segment; index--) {
      const token = tokens[index];
      if (token?.kind !== 'word' || isRegion(index)) break;
      words.unshift(token);
    }
    return words;
  }

  const isElsewhereBehind = (): boolean => {
    for (let at = span.end; at < tokens.length; at++) {
      if (isRegion(at) && isForeign(wordsBefore(at))) return true;
    }
    if (hasKnownPostcode()) return false;
    return hasForeignPostcode(span.end, tokens.length) || endsWithTown();
  };

  /** An unknown postcode with a town beside it; alone, if postcodes of the city are known. */
  function hasForeignPostcode(start: number, limit: number): boolean {
    for (let at = start; at < limit; at++) {
      const token = tokens[at];
      if (!token || !POSTCODE.test(postcodeOf(token)) || known.postcodes.has(postcodeOf(token))) continue;
      if (isForeign(wordsBehind(at)) || isForeign(wordsBefore(at)) || known.postcodes.size > 0) return true;
    }
    return false;
  }

  function wordsBehind(at: number): TextToken[] {
    const words: TextToken[] = [];
    for (let index = at + 1; sameSegment(at, index); index++) {
      const token = tokens[index];
      if (token?.kind !== 'word' || isRegion(index)) break;
      words.push(token);
    }
    return words;
  }

  /** The last part is the name of a town: `Wiesenstraße 1, Nürnberg`. */
  function endsWithTown(): boolean {
    const last = tokens.findLastIndex((_, at) => isOutside(at) && !isRegion(at));
    const token = tokens[last];
    if (!token || last < span.end || token.inBrackets) return false;
    let first = last;
    while (sameSegment(first - 1, last)) first--;
    const words = tokens.slice(first, last + 1);
    const isPart =
      first > span.end - 1 && (token.sign === ',' || token.sign === '\n' || token.sign === ';' || token.sign === '•');
    const opener = words[0]?.folded ?? '';
    if (opener === 'in' && span.end > 0) return isForeign(words.slice(1));
    return (
      isPart &&
      tokens[span.end - 1]?.segment !== token.segment &&
      isForeign(words) &&
      words.every((word) => word.isCapital || isLower)
    );
  }

  function isForeign(words: readonly TextToken[]): boolean {
    if (words.length === 0 || words.length > MAX_TOWN_WORDS || !words.every(isTownWord)) return false;
    if (words.some(({ word, folded }) => (words.length > 1 && isKind(word)) || (COMPOUND_KINDS.test(folded) && words.length > 1)))
      return false;
    const name = words.map(({ folded }) => folded).join(' ');
    return !known.isLocalName(words) && ![...known.towns].some((town) => isSlipOf(name, town));
  }

  return { isOutside, knownTowns, isElsewhereBehind, namesOtherCountry, hasForeignPostcode };
}

/** A word that may belong to the name of a town. */
const isTownWord = ({ kind, folded }: TextToken): boolean =>
  kind === 'word' &&
  (folded.length > 2 || folded === 'st') &&
  !UNIT_WORDS.has(folded) &&
  !HOUSE_WORDS.has(folded) &&
  !NEARBY_WORDS.has(folded) &&
  !NO_PLACE_WORDS.has(folded);

const isSlipOf = (name: string, town: string): boolean =>
  name === town || (town.length >= MIN_SLIP && slipsBetween(name, town, 1) <= 1);

/** `02139-1234` is the postcode `02139`. */
const postcodeOf = ({ kind, word, tail }: TextToken): string => (kind === 'number' && /^(?:-\d{4})?$/.test(tail) ? word : '');

const POSTCODE = /^\d{5}$/;
const MAX_TOWN_WORDS = 4;
/** Letters: of a shorter name, a slip makes another town. */
const MIN_SLIP = 6;
