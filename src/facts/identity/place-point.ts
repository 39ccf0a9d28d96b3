/** How far apart two points are, and how sure that is. */

import { distanceInCity, type Point } from '../../values/distance.ts';
import type { PlaceFacts } from './compared-facts.ts';
import { APPROXIMATE_METERS } from './place-limits.ts';

export interface Distance {
  /** Meters between the points as given. */
  meters: number;
  /** Meters by which the true distance may differ, because a point is rounded or stands for a larger place. */
  doubt: number;
}

/** Null when one has no point. */
export function distanceOf(a: PlaceFacts, b: PlaceFacts): Distance | null {
  const meters = metersBetween(a, b);
  return meters === null ? null : { meters, doubt: doubtOf(a) + doubtOf(b) };
}

/** Symmetric; null when one has no point. */
export function metersBetween(a: PlaceFacts, b: PlaceFacts): number | null {
  if (a.latitude === null || a.longitude === null || b.latitude === null || b.longitude === null) return null;
  return distanceInCity(a as Point, b as Point);
}

/** A point with two decimals is one of a kilometer: `40.74, -73.99` names a quarter, not a door. */
export function doubtOf({ latitude, longitude, isApproximate }: PlaceFacts): number {
  if (isApproximate) return APPROXIMATE_METERS;
  const decimals = Math.max(decimalsOf(latitude ?? 0), decimalsOf(longitude ?? 0));
  return ROUNDED_METERS[decimals] ?? 0;
}

function decimalsOf(degrees: number): number {
  for (let decimals = 0; decimals < ROUNDED_METERS.length; decimals += 1) {
    const scaled = degrees * 10 ** decimals;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return decimals;
  }
  return ROUNDED_METERS.length;
}

/** By number of decimals: half the diagonal of the square that rounding leaves. */
const ROUNDED_METERS = [80_000, 8_000, 800, 80];
