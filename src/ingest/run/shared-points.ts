/** Points that stand for a larger area, found in the listings themselves. */

import { compareAddresses, placeNameOf, readAddress } from '../../identity/index.ts';
import type { VenueDraft } from '../../normalize/index.ts';
import { distanceInCity, type Point } from '../../values/distance.ts';

/**
 * A ticket seller that cannot find a theatre puts it in the middle of its postal code, and the next one, too: a point that several houses
 * share, in this answer and earlier ones, stands for an area. Where all have one street and number, it is a house of several names.
 * The middle of the city is the point of what is somewhere in it.
 */
export function markSharedPoints(drafts: ReadonlyMap<string, VenueDraft>, earlier: readonly VenueDraft[], center: Point): void {
  const held = earlier.filter(({ externalId, area }) => !drafts.has(externalId) && area === undefined);
  const listed = [...drafts.values()];
  for (const [point, there] of Map.groupBy(listed, pointOf)) {
    const [first] = there;
    const all = [...there, ...held.filter((draft) => pointOf(draft) === point)];
    const houses = new Set(all.map((draft) => placeNameOf(draft).house));
    const isShared = houses.size >= SHARED_BY && !haveOneAddress(all);
    const isCenter = first !== undefined && distanceInCity(first, center) <= CENTER_METERS && !there.some(hasNumber);
    if (isShared || isCenter) for (const draft of there) draft.isApproximate = true;
  }
}

const pointOf = ({ latitude, longitude }: VenueDraft): string => `${latitude},${longitude}`;

/** `801-849 Washington Blvd` is the address of each house in it, whichever is listed first. */
function haveOneAddress(drafts: readonly VenueDraft[]): boolean {
  const addresses = [...new Set(drafts.map(({ address }) => address))].map(readAddress);
  return addresses.some((one) => addresses.every((other) => compareAddresses(one, other) === 'same'));
}

const hasNumber = ({ address }: VenueDraft): boolean => /\d/.test(address ?? '');

/** Houses at one point: two may be one under two names. */
const SHARED_BY = 3;
/** Cities are given by four decimals, which are good for ten meters. */
const CENTER_METERS = 15;
