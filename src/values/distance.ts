/** How far apart two points are, in meters. Degrees of WGS 84. */

export interface Point {
  latitude: number;
  longitude: number;
}

export const METERS_PER_KM = 1_000;

/** Along the great circle (haversine), on a sphere of the Earth's mean radius: right for any two points. */
export function distance(latitude1: number, longitude1: number, latitude2: number, longitude2: number): number {
  const sinLatitude = Math.sin(((latitude2 - latitude1) * RADIANS) / 2);
  const sinLongitude = Math.sin(((longitude2 - longitude1) * RADIANS) / 2);
  const chord =
    sinLatitude * sinLatitude + Math.cos(latitude1 * RADIANS) * Math.cos(latitude2 * RADIANS) * sinLongitude * sinLongitude;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** On a flat map: right for two points of one city, where a degree is nearly a constant, and quicker. Symmetric. */
export function distanceInCity(a: Point, b: Point): number {
  const east = (a.longitude - b.longitude) * Math.cos(((a.latitude + b.latitude) / 2) * RADIANS);
  return Math.hypot(a.latitude - b.latitude, east) * METERS_PER_DEGREE;
}

/** The box that holds all points up to this many meters away. */
export function boxAround({ latitude, longitude }: Point, meters: number) {
  const north = meters / METERS_PER_DEGREE;
  const east = north / Math.max(MIN_COSINE, Math.cos(latitude * RADIANS));
  return { west: longitude - east, south: latitude - north, east: longitude + east, north: latitude + north };
}

const RADIANS = Math.PI / 180;
/** Meters: the mean radius R1 of the International Union of Geodesy and Geophysics. */
export const EARTH_RADIUS = 6_371_008.8;
/** Of a great circle with the radius that the Earth has at the equator (WGS 84: 6,378,137 m). */
export const METERS_PER_DEGREE = 111_320;

/** Next to a pole, a box around a point would have no end. */
const MIN_COSINE = 0.01;
/** Kilometers: a large city with its suburbs, where neither its neighborhoods nor its operator say how far it reaches. */
export const USUAL_RADIUS_KM = 60;
