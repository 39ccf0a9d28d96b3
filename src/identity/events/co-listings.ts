/** Pairs of listings that are one event but for their places: evidence that two names are of one venue. */

import type { PlaceKinship } from '../event-thresholds.ts';
import type { Judgement } from './compare-events.ts';

export type CoListingKinship = Extract<PlaceKinship, 'alias' | 'namesake' | 'near' | 'different'>;

export interface CoListing {
  /** Ids of the two listings. */
  left: string;
  right: string;
  /** What names and points say of the two places. */
  kinship: CoListingKinship;
}

/** Null where the places are one already, where one is unknown, or where more than the place is in doubt. */
export function coListingOf({ left, right, start, place, titles, outcome }: Judgement): CoListing | null {
  if (outcome === 'different' || start !== 'exact' || titles === null || titles.doubt !== null) return null;
  if (left.fact.provider === right.fact.provider) return null;
  if (place === null || place === 'same' || place === 'room' || place === 'unknown') return null;
  const [likeness, told] = place === 'different' ? APART_LIMIT : NEAR_LIMIT;
  if (titles.likeness < likeness || titles.told < told) return null;
  return { left: left.fact.id, right: right.fact.id, kinship: place === 'similar' ? 'near' : place };
}

/** Least likeness of the titles, and the least weight of the words that they share. */
const NEAR_LIMIT = [0.75, 1] as const;
const APART_LIMIT = [0.9, 2.5] as const;
