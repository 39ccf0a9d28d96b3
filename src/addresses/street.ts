/** One street of a town: the points of its houses, what lies between them, its middle, and where it meets another one. */

import { distanceInCity, METERS_PER_DEGREE, type Point } from '../values/distance.ts';
import { type HouseNumber, houseKey, keysOf, numberOfKey } from './house-number.ts';
import { MICRO_DEGREES } from './packed-street.ts';

export interface Street {
  /** Its words in one spelling, without blanks. */
  key: string;
  /** Folded; '' if nobody says it. */
  town: string;
  postcodes: ReadonlySet<string>;
  /** Key, latitude and longitude of each house, ordered by key. */
  houses: Int32Array;
  lines: readonly Int32Array[];
}

export interface FoundHouse extends Point {
  precision: 'exact' | 'interpolated' | 'street';
}

/**
 * The house of a number, or where it must be between its neighbors on its side of the street; null if the street ends long before it.
 */
export function findHouse({ houses }: Street, number: HouseNumber): FoundHouse | null {
  if (houses.length === 0) return null;
  const block = number.to !== number.from && number.to < 100 ? keysOf(number, true) : [];
  for (const key of [...block, ...keysOf(number, false)]) {
    const found = houseAt(houses, key);
    if (found) return found;
  }
  const wanted = number.to < number.from && block.length > 0 ? number.from * 100 + number.to : number.from;
  const sibling = siblingAt(houses, wanted);
  if (sibling >= 0) return { ...pointAt(houses, sibling), precision: 'interpolated' };
  return between(houses, wanted);
}

/** Of several houses of one number, far from each other, nobody knows which is meant. */
function houseAt(houses: Int32Array, key: number): FoundHouse | null {
  const first = lowerBound(houses, key);
  if (houses[first * 3] !== key) return null;
  const point = pointAt(houses, first);
  for (let index = first + 1; houses[index * 3] === key; index++) {
    if (distanceInCity(point, pointAt(houses, index)) > MAX_HOUSE_METERS) return { ...point, precision: 'street' };
  }
  return { ...point, precision: 'exact' };
}

/** A house with another suffix: `12` for `12b`. */
function siblingAt(houses: Int32Array, number: number): number {
  const index = lowerBound(houses, houseKey(number, 0));
  const key = houses[index * 3];
  return key !== undefined && numberOfKey(key) === number ? index : -1;
}

function between(houses: Int32Array, number: number): FoundHouse | null {
  const at = lowerBound(houses, houseKey(number, 0));
  const lower = neighborOf(houses, { at: at - 1, step: -1, number });
  const upper = neighborOf(houses, { at, step: 1, number });
  if (lower < 0 || upper < 0) {
    const end = Math.max(lower, upper);
    if (end < 0 || Math.abs(numberAt(houses, end) - number) > MAX_BEYOND) return null;
    return { ...pointAt(houses, end), precision: 'interpolated' };
  }
  const [from, to] = [numberAt(houses, lower), numberAt(houses, upper)];
  const [a, b] = [pointAt(houses, lower), pointAt(houses, upper)];
  const share = (number - from) / (to - from);
  const point = { latitude: mix(a.latitude, b.latitude, share), longitude: mix(a.longitude, b.longitude, share) };
  return { ...point, precision: distanceInCity(a, b) > MAX_GAP_METERS ? 'street' : 'interpolated' };
}

/** The next house of the same side, unless the next of the other side is much nearer or this side ends; -1 for none. */
function neighborOf(houses: Int32Array, { at, step, number }: { at: number; step: 1 | -1; number: number }): number {
  let other = -1;
  for (let index = at; index >= 0 && index < houses.length / 3; index += step) {
    const there = numberAt(houses, index);
    if ((there - number) % 2 === 0) {
      const isFarther = other >= 0 && Math.abs(there - number) > Math.abs(numberAt(houses, other) - number) + MAX_SIDE_GAP;
      return isFarther ? other : index;
    }
    if (other < 0) other = index;
  }
  return other;
}

/** A point of the street near the middle of all of its points; null if none is known. */
export function middleOf(street: Street): Point | null {
  const known = middles.get(street);
  if (known !== undefined) return known;
  const middle = findMiddle(street);
  middles.set(street, middle);
  return middle;
}

function findMiddle({ houses, lines }: Street): Point | null {
  const points: Point[] = [];
  for (const line of lines) for (let at = 0; at < line.length; at += 2) points.push(linePoint(line, at));
  if (points.length === 0) for (let index = 0; index < houses.length / 3; index++) points.push(pointAt(houses, index));
  return nearestToMean(points);
}

function nearestToMean(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const mean = { latitude: 0, longitude: 0 };
  for (const { latitude, longitude } of points) {
    mean.latitude += latitude / points.length;
    mean.longitude += longitude / points.length;
  }
  return points.reduce((best, point) => (distanceInCity(point, mean) < distanceInCity(best, mean) ? point : best));
}

/** Where two streets meet, or come near each other; null if they do not. */
export function cornerOf(a: Street, b: Street): Point | null {
  const there = nearestBetween(a.lines, b.lines, MAX_CORNER_METERS);
  const best = there?.meters === 0 ? there : (nearestBetween(b.lines, a.lines, there?.meters ?? MAX_CORNER_METERS) ?? there);
  return best && { latitude: rounded(best.latitude), longitude: rounded(best.longitude) };
}

interface NearPoint extends Point {
  meters: number;
}

/** Over the points of some lines, and the places of others. */
function nearestBetween(lines: readonly Int32Array[], others: readonly Int32Array[], most: number): NearPoint | null {
  let best: NearPoint | null = null;
  let least = most;
  for (const line of lines) {
    const near = others.filter((other) => areNearby(line, other));
    if (near.length === 0) continue;
    const around = boxAround(near);
    // Streets that share a point meet there.
    for (let at = 0; at < line.length && least > 0; at += 2) {
      const latitude = line[at] ?? 0;
      const longitude = line[at + 1] ?? 0;
      if (!isInside(around, latitude, longitude)) continue;
      const found = nearestOn(near, latitude, longitude, least);
      if (found) [best, least] = [found, found.meters];
    }
  }
  return best;
}

interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** Most points of a long street are far from the other. */
function boxAround(lines: readonly Int32Array[]): Box {
  const boxesOfLines = lines.map(boxOf);
  return {
    south: Math.min(...boxesOfLines.map(({ south }) => south)) - ROOM,
    north: Math.max(...boxesOfLines.map(({ north }) => north)) + ROOM,
    west: Math.min(...boxesOfLines.map(({ west }) => west)) - ROOM,
    east: Math.max(...boxesOfLines.map(({ east }) => east)) + ROOM,
  };
}

const isInside = ({ south, north, west, east }: Box, latitude: number, longitude: number): boolean =>
  latitude >= south && latitude <= north && longitude >= west && longitude <= east;

/** Whether the boxes around two lines touch, with some room. */
function areNearby(a: Int32Array, b: Int32Array): boolean {
  const one = boxOf(a);
  const other = boxOf(b);
  return (
    one.south - ROOM <= other.north &&
    other.south - ROOM <= one.north &&
    one.west - ROOM <= other.east &&
    other.west - ROOM <= one.east
  );
}

function boxOf(line: Int32Array): Box {
  const known = boxes.get(line);
  if (known) return known;
  const box = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
  for (let at = 0; at < line.length; at += 2) {
    const [latitude, longitude] = [line[at] ?? 0, line[at + 1] ?? 0];
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  boxes.set(line, box);
  return box;
}

/**
 * Half way between a point and the nearest place of lines, if that is less than `most` meters away. Plain numbers: long streets have
 * hundreds of points each.
 */
function nearestOn(lines: readonly Int32Array[], latitude: number, longitude: number, most: number): NearPoint | null {
  const scale = Math.cos((latitude / MICRO_DEGREES) * (Math.PI / 180));
  let best: NearPoint | null = null;
  let least = (most / METERS_PER_DEGREE) * MICRO_DEGREES;
  for (const line of lines) {
    for (let at = 0; at + 3 < line.length; at += 2) {
      const south = (line[at] ?? 0) - latitude;
      const west = ((line[at + 1] ?? 0) - longitude) * scale;
      const north = (line[at + 2] ?? 0) - latitude - south;
      const east = ((line[at + 3] ?? 0) - longitude) * scale - west;
      const length = north * north + east * east;
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(south * north + west * east) / length));
      const up = south + north * share;
      const right = west + east * share;
      const apart = Math.sqrt(up * up + right * right);
      if (apart >= least) continue;
      least = apart;
      best = {
        meters: (apart / MICRO_DEGREES) * METERS_PER_DEGREE,
        latitude: (latitude + up / 2) / MICRO_DEGREES,
        longitude: (longitude + right / scale / 2) / MICRO_DEGREES,
      };
    }
  }
  return best;
}

/** The first house whose key is not below. */
function lowerBound(houses: Int32Array, key: number): number {
  let [low, high] = [0, houses.length / 3];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((houses[middle * 3] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

const numberAt = (houses: Int32Array, index: number): number => numberOfKey(houses[index * 3] ?? 0);
const degreesAt = (numbers: Int32Array, at: number): number => (numbers[at] ?? 0) / MICRO_DEGREES;
const pointAt = (houses: Int32Array, index: number): Point => ({
  latitude: degreesAt(houses, index * 3 + 1),
  longitude: degreesAt(houses, index * 3 + 2),
});
const linePoint = (line: Int32Array, at: number): Point => ({
  latitude: degreesAt(line, at),
  longitude: degreesAt(line, at + 1),
});
const rounded = (degrees: number): number => Math.round(degrees * MICRO_DEGREES) / MICRO_DEGREES;
const mix = (from: number, to: number, share: number): number => rounded(from + (to - from) * share);

/** Asked again and again, and computed when it is asked for the first time. */
const middles = new WeakMap<Street, Point | null>();
const boxes = new WeakMap<Int32Array, ReturnType<typeof boxOf>>();
/** In units of 1e-6 degrees: more than `MAX_CORNER_METERS` where a degree of longitude is shortest. */
const ROOM = 2000;
/** Two points of one house are not farther apart. */
const MAX_HOUSE_METERS = 150;
/** Between houses that are farther apart, nobody knows where a number is. */
const MAX_GAP_METERS = 500;
/** How far streets may pass each other at a corner: squares and double carriageways. */
const MAX_CORNER_METERS = 60;
/** A number so little behind the last one is beside it. */
const MAX_BEYOND = 6;
/** The other side of the street tells more than a house of this side so much farther away. */
const MAX_SIDE_GAP = 20;
