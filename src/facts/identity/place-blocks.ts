/** Which places are worth comparing: those of one quarter whose names share a word, and those of one name anywhere. */

import { METERS_PER_DEGREE } from '../../values/distance.ts';
import { compareAddresses } from './place-address.ts';
import { isCut, isLongSlip, isNameWord, isSlip, LONG_SLIP_LETTERS, MAX_INITIALS, MIN_INITIALS } from './place-alignment.ts';
import { MAX_DOUBT_METERS, QUARTER_METERS } from './place-limits.ts';
import { placeKey } from './place-name.ts';
import { metersBetween } from './place-point.ts';
import type { ComparedPlace } from './place-relation.ts';

export interface Blocks {
  /**
   * The located places that `compareRead` may call the same as this one, or its room or house, for the ground between them.
   * Empty for a place without a point.
   */
  near(place: ComparedPlace): Set<number>;
  /** The same for the place of this number, of which only those after it are answered: each pair once. */
  nearAfter(number: number): Set<number>;
  /** Places of exactly this house and room. */
  named(place: ComparedPlace): readonly number[];
  /** Places without a room, of exactly this house. */
  houses(house: string): readonly number[];
  /** Places at this number of this street. */
  addressed(place: ComparedPlace): readonly number[];
}

/** Answers with numbers of `places`, as they stand there. */
export function createBlocks(places: readonly ComparedPlace[]): Blocks {
  const ofName = new Map<string, number[]>();
  const ofStreet = new Map<string, number[]>();
  for (const [number, place] of places.entries()) {
    push(ofName, placeKey(place.name), number);
    for (const word of streetWords(place)) push(ofStreet, word, number);
  }
  let ground: ReturnType<typeof createGround> | undefined;

  return {
    near(place) {
      const cell = cellOf(place);
      if (cell === null) return new Set();
      ground ??= createGround(places);
      return ground.around(place, cell, termsOf(place));
    },
    nearAfter(number) {
      const place = places[number];
      const cell = place ? cellOf(place) : null;
      if (!place || cell === null) return new Set();
      ground ??= createGround(places);
      return ground.around(place, cell, ground.terms[number] ?? termsOf(place), number + 1);
    },
    named: (place) => ofName.get(placeKey(place.name)) ?? [],
    houses: (house) => ofName.get(placeKey({ house, room: null })) ?? [],
    addressed(place) {
      const found = new Set<number>();
      // Numbers first: a word such as `am` stands in thousands of streets.
      for (const word of streetWords(place))
        for (const number of ofStreet.get(word) ?? NONE) if (haveOneNumber(place, places[number])) found.add(number);
      return [...found].filter((number) => compareAddresses(place.address, places[number]?.address ?? null) === 'same');
    },
  };
}

/** The places that have a point, by where they are and by what stands for their names. */
function createGround(places: readonly ComparedPlace[]) {
  const cells = new Map<number, Map<string, number[]>>();
  const words = new Set<string>();
  const terms = places.map((place, number): Terms | null => {
    const cell = cellOf(place);
    if (cell === null) return null;
    const key = cell.key(0, 0);
    const held = cells.get(key) ?? new Map<string, number[]>();
    cells.set(key, held);
    const own = termsOf(place);
    for (const word of own.words) words.add(word);
    for (const term of own.words) push(held, term, number);
    for (const term of own.exact) if (!own.words.has(term)) push(held, term, number);
    return own;
  });
  const alike = createSimilarWords(words);
  return {
    /** By number of a place; null for one without a point. */
    terms,
    around(place: ComparedPlace, cell: Cell, own: Terms, from = 0): Set<number> {
      const wanted = new Set(own.exact);
      for (const word of own.words) for (const each of alike(word)) wanted.add(each);
      const found = numbersAround(cells, cell, wanted, from);
      for (const number of found) if (isFar(place, places[number])) found.delete(number);
      return found;
    },
  };
}

/** None of an address without a number: a street alone is no address. */
const streetWords = ({ address }: ComparedPlace): string[] =>
  address === null || address.from === null ? [] : address.street.split(' ');

function haveOneNumber({ address: a }: ComparedPlace, other: ComparedPlace | undefined): boolean {
  const b = other?.address;
  if (a?.from == null || a.to === null || b?.from == null || b.to === null) return false;
  return a.from <= b.to && b.from <= a.to;
}

/** Whether a place has a point that can prove something. */
export const isLocated = ({ facts, doubt }: ComparedPlace): boolean =>
  facts.latitude !== null && facts.longitude !== null && doubt <= MAX_DOUBT_METERS;

function isFar(place: ComparedPlace, other: ComparedPlace | undefined): boolean {
  const meters = other ? metersBetween(place.facts, other.facts) : null;
  return meters === null || meters - place.doubt - (other?.doubt ?? 0) > QUARTER_METERS;
}

/** A square as wide as a quarter and the doubt of two points: its neighbours hold all that may be no further away. */
function cellOf(place: ComparedPlace): Cell | null {
  const { latitude, longitude } = place.facts;
  if (latitude === null || longitude === null || !isLocated(place)) return null;
  const row = Math.floor(latitude / CELL_DEGREES);
  const key = (rows: number, columns: number): number => {
    const width = CELL_DEGREES / Math.max(MIN_COSINE, Math.cos(((row + rows) * CELL_DEGREES * Math.PI) / 180));
    return (row + rows) * MAX_COLUMNS + Math.floor(longitude / width) + columns;
  };
  return { key };
}

interface Cell {
  /** Of the cell itself by 0 and 0, and of its neighbors. */
  key(rows: number, columns: number): number;
}

/** The places of a cell and its neighbors that one of these terms stands for, from this number on. */
function numbersAround(
  cells: ReadonlyMap<number, ReadonlyMap<string, readonly number[]>>,
  cell: Cell,
  terms: ReadonlySet<string>,
  from: number,
): Set<number> {
  const found = new Set<number>();
  for (const [rows, columns] of AROUND) {
    const held = cells.get(cell.key(rows, columns));
    if (!held) continue;
    for (const term of terms) for (const number of held.get(term) ?? NONE) if (number >= from) found.add(number);
  }
  return found;
}

interface Terms {
  words: ReadonlySet<string>;
  exact: ReadonlySet<string>;
}

/**
 * What stands for a name: its words; and, to be found exactly, neighbours written together, all written together, and initials.
 * `alignWords` finds no word in common where no terms are equal or alike.
 */
function termsOf({ name }: ComparedPlace): Terms {
  const [plain, exact] = [new Set<string>(), new Set<string>()];
  for (const words of new Set([name.words, name.houseWords, name.roomWords])) {
    const letters = words.map((word) => word[0]).join('');
    for (const [index, word] of words.entries()) {
      // A kind or an area alone joins nothing: such a name agrees as a whole or not at all.
      if (isNameWord(word)) plain.add(word);
      const next = words[index + 1];
      if (next !== undefined) exact.add(word + next).add((word + next).replace(/s$/, ''));
      for (let length = MIN_INITIALS; length <= MAX_INITIALS && index + length <= letters.length; length += 1)
        exact.add(letters.slice(index, index + length));
    }
    if (words.length > 0) exact.add(words.join(''));
  }
  return { words: plain, exact };
}

/** For each word the words that are a slip or a cut form of it, itself included. */
function createSimilarWords(words: Iterable<string>): (word: string) => readonly string[] {
  const ofKey = new Map<string, string[]>();
  for (const word of words) for (const key of keysOf(word)) push(ofKey, key, word);
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const held = known.get(word);
    if (held) return held;
    const similar = new Set([word]);
    for (const key of keysOf(word))
      for (const other of ofKey.get(key) ?? [])
        if (isSlip(word, other) || isCut(word, other) || isLongSlip(word, other)) similar.add(other);
    const found = [...similar];
    known.set(word, found);
    return found;
  };
}

/**
 * The first letters, and the first letters with one of them left out: two words with a slip between them have one of these in common.
 * Long words with two slips have the last letters in common if both are among the first.
 */
function keysOf(word: string): Set<string> {
  const keys = new Set([word.slice(0, KEY_LETTERS)]);
  for (let left = 1; left <= KEY_LETTERS; left += 1) keys.add((word.slice(0, left) + word.slice(left + 1)).slice(0, KEY_LETTERS));
  if (word.length >= LONG_SLIP_LETTERS) keys.add(`…${word.slice(-KEY_LETTERS)}`);
  return keys;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const held = map.get(key);
  if (held) held.push(value);
  else map.set(key, [value]);
}

const NONE: readonly number[] = [];
const KEY_LETTERS = 4;
const AROUND = [-1, 0, 1].flatMap((rows) => [-1, 0, 1].map((columns) => [rows, columns] as const));
const CELL_DEGREES = (QUARTER_METERS + MAX_DOUBT_METERS) / METERS_PER_DEGREE;
/** Next to a pole a square would have no width. */
const MIN_COSINE = 0.01;
const MAX_COLUMNS = 1_000_000;
