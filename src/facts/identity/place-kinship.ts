/** How the places of two events stand to each other, as far as it matters to whether they are one. */

import type { PlaceFacts } from './compared-facts.ts';
import type { PlaceKinship } from './event-thresholds.ts';
import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';
import { APPROXIMATE_METERS, SAME_FROM } from './place-limits.ts';
import { type PlaceName, placeNameOf } from './place-name.ts';
import { distanceOf } from './place-point.ts';
import { comparePlaces } from './place-relation.ts';
import { KIND_WORDS } from './place-words.ts';

/** Symmetric. */
export function placeKinship(a: PlaceFacts, b: PlaceFacts): PlaceKinship {
  if (a.site !== undefined && a.site === b.site) return 'same';
  const { relation, score } = comparePlaces(a, b);
  if (relation === 'same') return 'same';
  if (relation === 'room_of' || relation === 'has_room') return 'room';
  const [nameA, nameB] = [placeNameOf(a), placeNameOf(b)];
  if (isNowhere(a, nameA) || isNowhere(b, nameB)) return 'unknown';
  const isOneHouse = areOfOneHouse(nameA, nameB);
  if (relation === 'unknown' && isOneHouse && nameA.room === nameB.room) return 'same';
  const nearby = kinshipByDistance(a, b, { nameA, nameB, isOneHouse });
  if (nearby) return nearby;
  // Two rooms of one house: providers name rooms by different words.
  if (nameA.house === nameB.house && score >= SAME_FROM) return 'near';
  return relation;
}

function kinshipByDistance(
  a: PlaceFacts,
  b: PlaceFacts,
  { nameA, nameB, isOneHouse }: { nameA: PlaceName; nameB: PlaceName; isOneHouse: boolean },
): PlaceKinship | null {
  const { meters, doubt } = distanceOf(a, b) ?? { meters: Number.POSITIVE_INFINITY, doubt: 0 };
  const isOneName = (isOneHouse && !areBranches(a.name, b.name)) || isBranch(nameA, nameB) || isBranch(nameB, nameA);
  if (isOneName && meters <= NAMESAKE_METERS) return meters <= NEAR_METERS ? 'alias' : 'namesake';
  return nearbyKinship(nameA, nameB, { meters, doubt });
}

/** A point that stands for a larger place says nothing against a name. */
function nearbyKinship(
  a: PlaceName,
  b: PlaceName,
  { meters, doubt }: { meters: number; doubt: number },
): 'alias' | 'near' | null {
  const isNear = meters <= NEAR_METERS;
  if ((isNear || doubt >= APPROXIMATE_METERS) && isShortened(a.words, b.words)) return 'alias';
  return isNear ? 'near' : null;
}

const isNowhere = (place: PlaceFacts, name: PlaceName): boolean => name.kind === 'nowhere' || place.isArea === true;

/** Not two rooms of it: a name without a room may be that of any room. */
const areOfOneHouse = (a: PlaceName, b: PlaceName): boolean =>
  a.house === b.house && (a.room === b.room || a.room === null || b.room === null);

/** `Public Library - Copper Hill` and `Copper Hill, Meeting Room`: one names whose branch it is. */
function isBranch(branch: PlaceName, other: PlaceName): boolean {
  const label = branch.isLabel ? branch.roomWords.filter(isNameWord) : [];
  return label.length > 0 && label.join(' ') === other.houseWords.filter(isNameWord).join(' ');
}

/** `Comedy Club (Midtown)` and `Comedy Club (East Village)`; not `Lyric Theatre - NY` and `Lyric Theatre - New York`. */
function areBranches(a: string, b: string): boolean {
  const [wordsA, wordsB] = [nameWords(a), nameWords(b)];
  const [onlyA, onlyB] = [wordsA.filter((word) => !wordsB.includes(word)), wordsB.filter((word) => !wordsA.includes(word))];
  const initials = (words: readonly string[]) => words.map((word) => word[0]).join('');
  return onlyA.length > 0 && onlyB.length > 0 && initials(onlyA) !== onlyB.join('') && initials(onlyB) !== onlyA.join('');
}

/** `Jacobs Theatre` and `Bernard B. Jacobs Theatre`: every word of one, and not only words that say what kind of place it is. */
function isShortened(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a];
  return shorter.every((word) => longer.includes(word)) && shorter.some((word) => !KIND_WORDS.has(word));
}

/** The same, with each pair of places compared once: events repeat their places. */
export function rememberedKinship(): typeof placeKinship {
  const numbers = new Map<string, number>();
  const numbered = new Map<PlaceFacts, number>();
  const known = new Map<number, PlaceKinship>();
  const numberOf = (place: PlaceFacts): number => {
    const met = numbered.get(place);
    if (met !== undefined) return met;
    const key = [
      place.name,
      place.address,
      place.latitude,
      place.longitude,
      place.isApproximate,
      place.isArea,
      place.site,
      place.quarter,
    ].join('\n');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    numbered.set(place, number);
    return number;
  };
  return (a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    const key = Math.min(one, other) * MAX_PLACES + Math.max(one, other);
    const found = known.get(key) ?? placeKinship(a, b);
    known.set(key, found);
    return found;
  };
}

/** A wrong point is often that of the middle of the city. */
const NAMESAKE_METERS = 15_000;
/** Another door, another pin, or another name of one house; or the house next door. */
const NEAR_METERS = 700;
/** More than any city has; the key of a pair stays an exact integer. */
const MAX_PLACES = 10_000_000;
