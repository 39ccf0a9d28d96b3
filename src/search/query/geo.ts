/** Places on the sphere: circles and boxes of venues. */

import { distance, EARTH_RADIUS } from '../../values/distance.ts';
import type { Circle, SearchBox } from '../query.ts';

/** Borders belong to the box. `west` > `east`: it crosses the antimeridian, which is at 180 and at -180 degrees. */
function isInBox({ west, south, east, north }: SearchBox, latitude: number, longitude: number): boolean {
  if (latitude < south || latitude > north) return false;
  const isBetween = (degrees: number) => (west <= east ? degrees >= west && degrees <= east : degrees >= west || degrees <= east);
  return isBetween(longitude) || (Math.abs(longitude) === ANTIMERIDIAN && isBetween(-longitude));
}

export interface Places {
  latitude: Float64Array;
  longitude: Float64Array;
  /** Numbers of the places, south to north. */
  byLatitude: Uint32Array;
}

/**
 * Numbers of the places in a circle, its border included, with their distances in meters, nearest first; of equal ones the lower
 * number. A degree of latitude is equally long everywhere, so only the places of that belt are looked at: that holds at the poles
 * and across the antimeridian too, and for the some 10⁴ venues of a city it is quicker than walking a tree.
 */
export function placesWithin(places: Places, circle: Circle): { slots: Uint32Array; distances: Float64Array } {
  const belt = circle.radius / EARTH_RADIUS / RADIANS + ROUNDING_DEGREES;
  const found: { slot: number; meters: number }[] = [];
  for (const slot of beltOf(places, circle.latitude - belt, circle.latitude + belt)) {
    const meters = distance(circle.latitude, circle.longitude, places.latitude[slot]!, places.longitude[slot]!);
    if (meters <= circle.radius) found.push({ slot, meters });
  }
  found.sort((a, b) => a.meters - b.meters || a.slot - b.slot);
  return { slots: Uint32Array.from(found, ({ slot }) => slot), distances: Float64Array.from(found, ({ meters }) => meters) };
}

export function placesInBox(places: Places, box: SearchBox): Uint32Array {
  return beltOf(places, box.south, box.north).filter((slot) => isInBox(box, places.latitude[slot]!, places.longitude[slot]!));
}

function beltOf({ byLatitude, latitude }: Places, south: number, north: number): Uint32Array {
  let low = 0;
  let high = byLatitude.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (latitude[byLatitude[middle]!]! < south) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < byLatitude.length && latitude[byLatitude[end]!]! <= north) end += 1;
  return byLatitude.subarray(low, end);
}

const ANTIMERIDIAN = 180;
const RADIANS = Math.PI / 180;
/** Some 0.1 mm: more than any rounding of the belt. */
const ROUNDING_DEGREES = 1e-9;
