/** Chooses the place that answers a question among those that a service names, and says how sure it is: never surer than the service, nor than its words. */

import { distance, distanceInCity, METERS_PER_KM } from '../../values/distance.ts';
import { houseKey, keysOf, parseHouseNumber } from '../house-number.ts';
import { type GeocoderQuestion, type PlacedText, type PlacePrecision, PRECISIONS } from '../model.ts';
import { TOWN_SUFFIXES } from '../place-words.ts';
import { readTokens } from '../read-text.ts';
import { isDirection, isKind, isParticle } from '../spelling.ts';
import { slipsBetween } from '../street-index.ts';
import type { ServicePlace } from './read-places.ts';

/** Where a city is, and how far it reaches from its middle. */
export interface GeocoderCircle {
  latitude: number;
  longitude: number;
  radiusKm: number;
}

/** The surest place, the first of equal ones; null if none is meant. Of several houses far from each other, none is meant. */
export function choosePlace(
  question: GeocoderQuestion,
  places: readonly ServicePlace[],
  circle: GeocoderCircle,
): PlacedText | null {
  const rated = places.flatMap((place) => {
    const precision = isInCircle(place, circle) && isOfTown(place, question) ? precisionOf(place, question) : null;
    return precision === null ? [] : [{ place, precision }];
  });
  const [best, ...others] = rated.toSorted((a, b) => PRECISIONS.indexOf(a.precision) - PRECISIONS.indexOf(b.precision));
  if (!best) return null;
  const { latitude, longitude } = best.place;
  const rivals = others.filter(({ precision }) => precision === best.precision);
  if (rivals.some(({ place }) => distanceInCity(place, best.place) > MAX_APART_METERS[best.precision])) return null;
  return { latitude, longitude, precision: best.precision, via: 'geocoder' };
}

export const isInCircle = (place: { latitude: number; longitude: number }, circle: GeocoderCircle): boolean =>
  distance(place.latitude, place.longitude, circle.latitude, circle.longitude) <= circle.radiusKm * METERS_PER_KM;

/** A place that says no town may be anywhere in the circle. */
function isOfTown({ towns }: ServicePlace, { town }: GeocoderQuestion): boolean {
  return towns.length === 0 || towns.some((name) => bareTown(foldedOf(name)) === bareTown(town));
}

/** `City of Fernmoor`, `Stadt Fernmoor` and `Fernmoor am See` are one town; `West Fernmoor` is another. */
function bareTown(folded: string): string {
  const words = folded.replace(TOWN_TITLES, '').split(' ');
  const end = words.findIndex((word, at) => at > 0 && TOWN_SUFFIXES.has(word));
  return (end < 0 ? words : words.slice(0, end)).join(' ');
}

function precisionOf(place: ServicePlace, question: GeocoderQuestion): PlacePrecision | null {
  const { kind, names, streets } = place;
  if (kind === 'other') return null;
  if (kind === 'area' || kind === 'city') return names.some((name) => holds(question.words, name)) ? kind : null;
  const matches = streets.map((street) => compareStreets(question, wordsOf(street)));
  if (!matches.some((match) => match !== 'other')) return null;
  const isSame = matches.includes('same') && question.number !== null && isNumber(place.number, question.number);
  if (!isSame) return 'street';
  return kind === 'house' ? 'exact' : kind === 'between' ? 'interpolated' : 'street';
}

function isNumber(text: string, wanted: NonNullable<GeocoderQuestion['number']>): boolean {
  return text.split(/[;,]/).some((each) => {
    const number = parseHouseNumber(each);
    return number !== null && keysOf(number, false).includes(houseKey(wanted.from, wanted.suffix));
  });
}

/** `like`: a kind, a side, a letter or another word differs: `Mill Road` is not `Old Mill Road`. */
function compareStreets({ words: asked, town }: GeocoderQuestion, answered: readonly string[]): 'same' | 'like' | 'other' {
  const at = windowOf(asked, answered.join(''));
  if (at) {
    // A town without a comma before it is no part of the name.
    const behind = asked.slice(at.end);
    const rest = [...asked.slice(0, at.start), ...behind.slice(0, windowOf(behind, wordsOf(town).join(''))?.start)];
    return rest.every(isParticle) ? 'same' : 'like';
  }
  const [wanted, found] = [plainOf(asked), plainOf(answered).join('')];
  if (found === '' || wanted.length === 0) return 'other';
  if (windowOf(wanted, found)) return 'like';
  const most = found.length >= LONG_NAME ? 2 : found.length >= MIN_SIMILAR ? 1 : 0;
  return slipsBetween(wanted.join(''), found, most) <= most ? 'like' : 'other';
}

/** The words that are, joined, just this key. */
function windowOf(words: readonly string[], key: string): { start: number; end: number } | null {
  if (key === '') return null;
  for (let start = 0; start < words.length; start++) {
    let joined = '';
    for (let end = start; end < words.length && joined.length < key.length; ) {
      joined += words[end++];
      if (joined === key) return { start, end };
    }
  }
  return null;
}

const plainOf = (words: readonly string[]): string[] =>
  words.filter((word) => !isKind(word) && !isDirection(word) && !isParticle(word));
const holds = (words: readonly string[], name: string): boolean => windowOf(words, wordsOf(name).join('')) !== null;
const wordsOf = (text: string): string[] => readTokens(text).map(({ word }) => word);
const foldedOf = (text: string): string =>
  readTokens(text)
    .map(({ folded }) => folded)
    .join(' ');

const TOWN_TITLES =
  /^(?:(?:city|town|township|village|borough|municipality) of (?:the )?|(?:hanse|landeshaupt|kreis)?stadt |gemeinde |markt |ville de |commune de |comune di |ciudad de |gemeente )(?=.)/;
/** Points of one place are not farther apart: entrances of a house, parts of a street. */
const MAX_APART_METERS: Readonly<Record<PlacePrecision, number>> = {
  exact: 150,
  interpolated: 150,
  corner: 150,
  street: 1500,
  area: Infinity,
  city: Infinity,
};
/** Letters: in shorter names a slip makes another name, in longer ones two are still this name. */
const MIN_SIMILAR = 4;
const LONG_NAME = 9;
