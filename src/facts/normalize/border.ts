/** Where a city ends: the box around its neighborhoods with a margin, or a circle. */

import { distance, METERS_PER_KM, type Point } from '../../values/distance.ts';
import type { Bounds, CityFacts } from '../model.ts';
import { isCity } from '../titles/title-endings.ts';

/** A city without a border has every point. */
export function isNearCity(point: Point, { bounds, circle }: CityFacts): boolean {
  if (bounds) return isInBounds(point, bounds);
  if (!circle) return true;
  return distance(point.latitude, point.longitude, circle.latitude, circle.longitude) <= circle.radiusKm * METERS_PER_KM;
}

/** Kilometers to the middle of the city; 0 of a city without a border. */
export function kilometersTo({ latitude, longitude }: Point, { bounds, circle }: CityFacts): number {
  const middle = bounds ? { latitude: (bounds.north + bounds.south) / 2, longitude: (bounds.west + bounds.east) / 2 } : circle;
  return middle ? distance(latitude, longitude, middle.latitude, middle.longitude) / METERS_PER_KM : 0;
}

function isInBounds({ latitude, longitude }: Point, bounds: Bounds): boolean {
  const north = MARGIN_KM / KM_PER_DEGREE;
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), MIN_COSINE);
  return (
    latitude >= bounds.south - north &&
    latitude <= bounds.north + north &&
    longitude >= bounds.west - east &&
    longitude <= bounds.east + east
  );
}

/** `…, Chicago, IL` or `Kettle Hall - Chicago`: the city stands alone between signs, so that `West Chicago` is another. */
export function namesCity(text: string | null, city: CityFacts): boolean {
  const parts = text?.slice(0, MAX_READ).split(/[,;()|\n]|\s[-–—]\s/) ?? [];
  return parts.some((part) => isCity(part.replace(WITH_FIGURES, ' '), city));
}

/** Postcodes: `75011`, `H2X 1Y4`. Begun only where a word begins, so that a long word is read once. */
const WITH_FIGURES = /(?<![\p{L}\d])[\p{L}\d]*\d[\p{L}\d-]*/gu;
/** Characters of a text of any length. */
const MAX_READ = 2_000;
/** Around the box of the neighborhoods: a stadium beyond the border, or a borough without neighborhoods, is where the city goes. */
const MARGIN_KM = 20;
const KM_PER_DEGREE = 111.32;
/** Near the poles a degree of longitude is nothing. */
const MIN_COSINE = 0.01;
