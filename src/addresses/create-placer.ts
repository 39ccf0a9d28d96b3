/** Where a text is: the first of the sources that knows. docs/addresses.md has their order. */

import { distanceInCity, type Point } from '../values/distance.ts';
import type { NamedStreet, StreetRow } from './build-streets.ts';
import { addressForm, type Candidate, guessedNames, guessedStreets, namedStreets } from './find-street.ts';
import type { HouseNumber } from './house-number.ts';
import {
  type AddressPlacer,
  type GeocoderQuestion,
  type PlacedText,
  type PlacePrecision,
  type PlacerContext,
  PRECISIONS,
} from './model.ts';
import { CORNER_WORDS, NEARBY_WORDS, NO_PLACE_WORDS } from './place-words.ts';
import { type AddressToken, readTokens } from './read-text.ts';
import { createRegister, joinWords, type Register } from './register.ts';
import { isKind } from './spelling.ts';
import { COMPOUND_KINDS } from './spelling-tables.ts';
import { cornerOf, findHouse, middleOf } from './street.ts';
import { readTown, type TownEvidence } from './town-evidence.ts';

export function createPlacer(rows: readonly StreetRow[], context: PlacerContext): AddressPlacer {
  const register = createRegister(rows, context);
  const { answers } = context;
  return {
    find(text) {
      const tokens = readTokens(text);
      const placed = place(text, tokens, register, context);
      if (!answers || !isOpen(placed)) return placed === 'elsewhere' ? null : placed;
      return surer(placed, answers.find(questionOf(tokens, register, context.city.name)));
    },
    questionOf(text) {
      const tokens = readTokens(text);
      return isOpen(place(text, tokens, register, context)) ? questionOf(tokens, register, context.city.name) : null;
    },
  };
}

/** `elsewhere`: the text names another town, or no place at all. */
type Placing = PlacedText | 'elsewhere' | null;

function place(text: string, tokens: readonly AddressToken[], register: Register, context: PlacerContext): Placing {
  if (tokens.every(({ folded }) => NO_PLACE_WORDS.has(folded))) return 'elsewhere';
  const named = namedStreets(tokens, register.index);
  const numbered = named.filter(({ number }) => number !== null);
  const candidates = numbered.length > 0 ? numbered : guessedStreets(tokens, register.index);
  if (candidates.length > 0) return withNumber(text, tokens, candidates, register, context);
  return withoutNumber(text, tokens, named, register, context);
}

const isOpen = (placed: Placing): placed is PlacedText | null =>
  placed !== 'elsewhere' && (placed === null || placed.precision === 'area' || placed.precision === 'city');

/** The answer of a geocoder counts if it is surer. */
export const surer = (placed: PlacedText | null, answer: PlacedText | null): PlacedText | null =>
  answer && (!placed || PRECISIONS.indexOf(answer.precision) < PRECISIONS.indexOf(placed.precision)) ? answer : placed;

interface Rated {
  placed: PlacedText;
  score: number;
}

/** The best of several readings; the first of equal ones. */
function withNumber(
  text: string,
  tokens: readonly AddressToken[],
  candidates: readonly Candidate[],
  register: Register,
  context: PlacerContext,
): Placing {
  let best: Rated | null = null;
  let elsewhere: TownEvidence | null = null;
  for (const candidate of candidates) {
    const town = readTown(tokens, candidate, register);
    if (town.isElsewhere) continue;
    elsewhere ??= town;
    const rated = atNumber(candidate, town, tokens, register);
    if (rated && rated.score > (best?.score ?? 0)) best = rated;
  }
  if (best) return best.placed;
  return elsewhere ? inArea(text, elsewhere, { isAddress: true, register, context }) : 'elsewhere';
}

function atNumber(candidate: Candidate, town: TownEvidence, tokens: readonly AddressToken[], register: Register): Rated | null {
  const { number, match, nameStart } = candidate;
  const streets = streetsOfTown(candidate.streets, town, register);
  if (number === null || streets.length === 0) return null;
  // A postcode does not tell which of two names is meant: it is often a wrong one.
  const names = new Set(streetsOfTown(candidate.streets, { ...town, postcode: null }, register).map(({ key }) => key));
  const house = houseIn(streets, number, { isSure: names.size === 1 && match !== 'otherKind', register });
  if (!house) return null;
  const isHint = NEARBY_WORDS.has(tokens[candidate.start - 1]?.folded ?? '') || tokens[nameStart]?.inBrackets === true;
  return { placed: house, score: (SCORES[house.precision] ?? 1) - (match === 'named' ? 0 : 0.5) - (isHint ? 0.2 : 0) };
}

/** @param isSure whether the text names one street; else a point of one of them would only look sure. */
function houseIn(
  streets: readonly NamedStreet[],
  number: HouseNumber,
  { isSure, register }: { isSure: boolean; register: Register },
): PlacedText | null {
  const houses = streets.map((street) => findHouse(street, number));
  const exact = houses.flatMap((house) => (house?.precision === 'exact' ? [house] : []));
  const [first] = exact;
  if (first && exact.length === 1 && isSure) {
    return placedAt(first, 'exact', register.isVenueHouse(first) ? 'venue' : 'house number');
  }
  if (!isSure && exact.length !== 1) return null;
  if (first) return placedAt(first, 'street', 'street');
  const near = streets.length === 1 ? houses[0] : null;
  if (near?.precision === 'interpolated') return placedAt(near, 'interpolated', 'interpolation');
  const point = near ?? onlyMiddle(streets);
  return point && placedAt(point, 'street', 'street');
}

/** Of streets of one name: those of the towns and the postcode that the text says; the city's own if it says no town. */
function streetsOfTown(
  streets: readonly NamedStreet[],
  { towns, postcode }: TownEvidence,
  { cityTown }: Register,
): readonly NamedStreet[] {
  const isOf = (wanted: readonly string[]) => streets.filter(({ town }) => town === '' || wanted.includes(town));
  let found = isOf(towns.length > 0 ? towns : [cityTown]);
  if (found.length === 0 && (towns.length === 0 || towns.includes(cityTown))) found = [...streets];
  const withHouses = found.filter(({ houses }) => houses.length > 0);
  if (withHouses.length > 0) found = withHouses;
  const ofPostcode = postcode === null ? [] : found.filter(({ postcodes }) => postcodes.has(postcode));
  return ofPostcode.length > 0 ? ofPostcode : found;
}

/** A venue, a corner, a street, or only an area. */
function withoutNumber(
  text: string,
  tokens: readonly AddressToken[],
  named: readonly Candidate[],
  register: Register,
  context: PlacerContext,
): Placing {
  const form = addressForm(tokens);
  const alone = named.filter((candidate) => isStreetAlone(tokens, candidate));
  const names = alone.length > 0 || form ? alone : guessedNames(tokens, register.index);
  const span = form ?? spanOf(names);
  const town = readTown(tokens, span, register);
  if (town.isElsewhere) return 'elsewhere';
  if (!form) {
    const place =
      venueIn(tokens, register) ?? atCorner(named, tokens, town, register) ?? alongStreet(names, tokens, town, register);
    if (place) return place;
  }
  return inArea(text, town, { isAddress: form !== null, register, context });
}

const spanOf = (names: readonly Candidate[]): { start: number; end: number } => ({
  start: names[0]?.start ?? 0,
  end: names.at(-1)?.end ?? 0,
});

/** A name with its kind, or a name that is the whole part: `Broadway` is no street in `Broadway Comedy Club`. */
function isStreetAlone(tokens: readonly AddressToken[], { nameStart, nameEnd }: Candidate): boolean {
  const words = tokens.slice(nameStart, nameEnd);
  if (words.some(({ word, folded }) => (words.length > 1 && isKind(word)) || COMPOUND_KINDS.test(folded))) return true;
  const segment = words[0]?.segment;
  return tokens.every(
    (token, at) =>
      token.segment !== segment ||
      (at >= nameStart && at < nameEnd) ||
      NEARBY_WORDS.has(token.folded) ||
      CORNER_WORDS.has(token.folded) ||
      CONNECTORS.has(token.folded),
  );
}

function venueIn(tokens: readonly AddressToken[], register: Register): PlacedText | null {
  const parts = [tokens, ...Map.groupBy(tokens, ({ segment }) => segment).values()];
  for (const part of parts) {
    const point = register.venueNamed(joinWords(part));
    if (point) return placedAt(point, 'exact', 'venue');
  }
  return null;
}

/** Two names with nothing but a sign or a word of corners between them. */
function atCorner(
  named: readonly Candidate[],
  tokens: readonly AddressToken[],
  town: TownEvidence,
  register: Register,
): PlacedText | null {
  const saysCorner = tokens.some(({ folded }) => CORNER_WORDS.has(folded));
  const streetsOf = ({ streets }: Candidate) => (town.towns.length > 0 ? streetsOfTown(streets, town, register) : streets);
  for (let index = 1; index < named.length; index++) {
    const [one, other] = [named[index - 1], named[index]];
    if (!one || !other || !areJoined(tokens, one.nameEnd, other.nameStart, saysCorner)) continue;
    const pairs = streetsOf(one).flatMap((a) => streetsOf(other).flatMap((b) => (a.key === b.key ? [] : [[a, b] as const])));
    const point = pairs.reduce<Point | null>((found, [a, b]) => found ?? cornerOf(a, b), null);
    if (point) return placedAt(point, 'corner', 'corner');
  }
  return null;
}

function areJoined(tokens: readonly AddressToken[], end: number, start: number, saysCorner: boolean): boolean {
  const between = tokens.slice(end, start);
  if (!between.every(({ folded }) => CORNER_WORDS.has(folded) || CONNECTORS.has(folded))) return false;
  const isApart = tokens[start]?.segment !== tokens[end - 1]?.segment;
  return saysCorner || (isApart ? CORNER_SIGNS.has(tokens[start]?.sign ?? '') : between.length > 0);
}

function alongStreet(
  names: readonly Candidate[],
  tokens: readonly AddressToken[],
  town: TownEvidence,
  register: Register,
): PlacedText | null {
  const isHint = ({ nameStart }: Candidate): boolean => NEARBY_WORDS.has(tokens[nameStart - 1]?.folded ?? '');
  const candidate = names.find((name) => !isHint(name)) ?? names[0];
  if (!candidate || candidate.match === 'otherKind') return null;
  const point = onlyMiddle(streetsOfTown(candidate.streets, town, register));
  return point && placedAt(point, 'street', 'street');
}

/** The middle of the one street; null if the streets of a name are far from each other. */
function onlyMiddle(streets: readonly NamedStreet[]): Point | null {
  const middles = streets.map(middleOf);
  const [first] = middles;
  if (!first || new Set(streets.map(({ key }) => key)).size > 1) return null;
  return middles.every((middle) => middle && distanceInCity(first, middle) < MAX_STREET_METERS) ? first : null;
}

function inArea(
  text: string,
  { towns, postcode }: TownEvidence,
  { isAddress, register, context }: { isAddress: boolean; register: Register; context: PlacerContext },
): PlacedText | null {
  const { city } = context;
  const ofPostcode = register.postcodeCenters.get(postcode ?? '');
  if (ofPostcode && ofPostcode.share < WHOLE_CITY) return placedAt(ofPostcode, 'area', 'postcode');
  const area = context.areas.find(text);
  if (area && area.slug !== null) return placedAt(area, 'area', 'neighborhood');
  const [town] = towns;
  const center = town === undefined || towns.includes(register.cityTown) ? undefined : register.townCenters.get(town);
  if (center) return placedAt(center, 'area', 'city');
  return town !== undefined || ofPostcode || isAddress ? placedAt(city, 'city', 'city') : null;
}

/* What a geocoder is asked: the street and number with their town, and nothing of the rooms and hints around them. */

/** @param cityName as people write it: the town of a text that names none. */
function questionOf(tokens: readonly AddressToken[], register: Register, cityName: string): GeocoderQuestion {
  const form = formOf(tokens, register);
  const span = form ?? { start: 0, end: 0 };
  const [named] = readTown(tokens, span, register).towns;
  const town = named ?? register.cityTown;
  const asked = form ? tokens.slice(form.start, form.end) : tokens;
  const address = writtenOf(asked).slice(0, MAX_QUESTION_CHARS);
  const isNamed = !form && named !== undefined;
  return {
    text: isNamed ? address : `${address}, ${writtenTown(tokens, town) ?? cityName}`,
    words: (form ? tokens.slice(form.nameStart, form.nameEnd) : tokens).map(({ word }) => word),
    number: form?.number ?? null,
    town,
  };
}

/** A number with the street beside it, whether or not it is a street of the city. */
function formOf(tokens: readonly AddressToken[], { index }: Register): Candidate | null {
  return namedStreets(tokens, index).find(({ number }) => number !== null) ?? addressForm(tokens);
}

/** The parts of an address are told by commas; a sign such as `&` tells a corner. */
function writtenOf(tokens: readonly AddressToken[]): string {
  return tokens
    .map(({ written, sign, segment, isJoined }, at) => {
      const before = tokens[at - 1];
      if (!before) return written;
      if (before.segment !== segment) return (CORNER_SIGNS.has(sign) ? ` ${sign} ` : ', ') + written;
      return (isJoined ? '-' : ' ') + written;
    })
    .join('');
}

function writtenTown(tokens: readonly AddressToken[], town: string): string | null {
  const words = town.split(' ');
  const at = tokens.findIndex((_, start) => words.every((word, index) => tokens[start + index]?.folded === word));
  return at < 0 ? null : writtenOf(tokens.slice(at, at + words.length));
}

const placedAt = ({ latitude, longitude }: Point, precision: PlacedText['precision'], via: PlacedText['via']): PlacedText => ({
  latitude,
  longitude,
  precision,
  via,
});

const CONNECTORS: ReadonlySet<string> = new Set([
  'and',
  'at',
  'und',
  'et',
  'y',
  'e',
  'en',
  'of',
  'the',
  'der',
  'des',
  'de',
  'du',
  'la',
]);
const CORNER_SIGNS: ReadonlySet<string> = new Set(['/', '&', '@', '+']);
/** Of readings of one text: the surer one counts. */
const SCORES: Partial<Record<PlacePrecision, number>> = { exact: 4, interpolated: 3, street: 2 };
/** A postcode with more of all houses says no more than the city. */
const WHOLE_CITY = 0.6;
/** Streets of one name whose middles are farther apart are two. */
const MAX_STREET_METERS = 500;
const MAX_QUESTION_CHARS = 200;
