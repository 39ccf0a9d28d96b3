/** Streets of towns from the rows of files: lines that belong together, and the houses along them. */

import { distanceInCity } from '../values/distance.ts';
import { MICRO_DEGREES } from './packed-street.ts';
import { readTokens } from './read-text.ts';
import type { Street } from './street.ts';

export interface StreetRow {
  street: string;
  town: string;
  postcode: string;
  houses: Int32Array;
  lines: readonly Int32Array[];
}

export interface NamedStreet extends Street {
  /** Its words in one spelling. */
  words: readonly string[];
}

/** One name is one street within a town. Lines without houses are a street for each group of lines that are near each other. */
export function buildStreets(rows: readonly StreetRow[]): NamedStreet[] {
  const byKey = Map.groupBy(rows, ({ street }) => wordsOf(street).join(''));
  const around = createNeighborhood(rows);
  return [...byKey].flatMap(([key, named]) => {
    if (key === '') return [];
    const words = wordsOf(named[0]?.street ?? '');
    return streetsOf(named, around).map((street) => ({ ...street, key, words }));
  });
}

export const wordsOf = (text: string): string[] => readTokens(text).map(({ word }) => word);
/** A town as it is compared. */
export const townKey = (town: string): string =>
  readTokens(town)
    .map(({ folded }) => folded)
    .join(' ');

function streetsOf(rows: readonly StreetRow[], around: Neighborhood): Omit<Street, 'key'>[] {
  const groups = nearGroups(rows.flatMap(({ lines }) => lines));
  const towns = [
    ...Map.groupBy(
      rows.filter(({ houses }) => houses.length > 0),
      ({ town }) => townKey(town),
    ),
  ];
  const streets = towns.map(([town, there]) => ({
    town,
    postcodes: new Set(there.map(({ postcode }) => postcode).filter((postcode) => postcode !== '')),
    houses: sorted(there.map(({ houses }) => houses)),
  }));
  const boxes = streets.map(({ houses }) => boxOf(houses, 3, 1));
  const taken = new Set<number>();
  const complete = streets.map((street, index) => {
    const own = groups.filter(({ box }, group) => {
      const isNear = areNear(box, boxes[index] ?? NOWHERE);
      if (isNear) taken.add(group);
      return isNear;
    });
    return { ...street, lines: own.flatMap(({ lines }) => lines) };
  });
  const alone = groups.filter((_, group) => !taken.has(group));
  return [...complete, ...alone.map(({ lines, box }) => ({ ...around(box), houses: new Int32Array(0), lines }))];
}

/** The town and the postcode of most houses around a street without houses; '' and none if there are no houses. */
type Neighborhood = (box: Box) => Pick<Street, 'town' | 'postcodes'>;

function createNeighborhood(rows: readonly StreetRow[]): Neighborhood {
  const cells = new Map<string, Map<StreetRow, number>>();
  const cellOf = (latitude: number, longitude: number) => `${Math.round(latitude / CELL)} ${Math.round(longitude / CELL)}`;
  for (const row of rows) {
    for (let at = 0; at < row.houses.length; at += 3) {
      const cell = cellOf((row.houses[at + 1] ?? 0) / MICRO_DEGREES, (row.houses[at + 2] ?? 0) / MICRO_DEGREES);
      const counts = cells.get(cell) ?? new Map<StreetRow, number>();
      counts.set(row, (counts.get(row) ?? 0) + 1);
      cells.set(cell, counts);
    }
  }
  return ({ south, north, west, east }) => {
    const [latitude, longitude] = [(south + north) / 2, (west + east) / 2];
    const towns = new Map<string, number>();
    const postcodes = new Map<string, number>();
    for (const [up, right] of AROUND) {
      for (const [row, count] of cells.get(cellOf(latitude + up * CELL, longitude + right * CELL)) ?? []) {
        towns.set(row.town, (towns.get(row.town) ?? 0) + count);
        postcodes.set(row.postcode, (postcodes.get(row.postcode) ?? 0) + count);
      }
    }
    const postcode = mostOf(postcodes);
    return { town: townKey(mostOf(towns)), postcodes: new Set(postcode === '' ? [] : [postcode]) };
  };
}

const mostOf = (counts: ReadonlyMap<string, number>): string =>
  [...counts].reduce<[string, number]>((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];

const AROUND = [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => [up, right] as const));
/** Degrees: some hundred meters. */
const CELL = 0.005;

interface Box {
  south: number;
  north: number;
  west: number;
  east: number;
}

function nearGroups(lines: readonly Int32Array[]): { lines: Int32Array[]; box: Box }[] {
  let groups: { lines: Int32Array[]; box: Box }[] = [];
  for (const line of lines) {
    let joined = { lines: [line], box: boxOf(line, 2, 0) };
    const apart: typeof groups = [];
    for (const group of groups) {
      if (areNear(group.box, joined.box))
        joined = { lines: [...group.lines, ...joined.lines], box: around(group.box, joined.box) };
      else apart.push(group);
    }
    groups = [...apart, joined];
  }
  return groups;
}

function boxOf(numbers: Int32Array, width: number, offset: number): Box {
  const box = { ...NOWHERE };
  for (let at = offset; at < numbers.length; at += width) {
    const [latitude, longitude] = [(numbers[at] ?? 0) / MICRO_DEGREES, (numbers[at + 1] ?? 0) / MICRO_DEGREES];
    box.south = Math.min(box.south, latitude);
    box.north = Math.max(box.north, latitude);
    box.west = Math.min(box.west, longitude);
    box.east = Math.max(box.east, longitude);
  }
  return box;
}

const around = (a: Box, b: Box): Box => ({
  south: Math.min(a.south, b.south),
  north: Math.max(a.north, b.north),
  west: Math.min(a.west, b.west),
  east: Math.max(a.east, b.east),
});

function areNear(a: Box, b: Box): boolean {
  const north = Math.max(0, a.south - b.north, b.south - a.north);
  const east = Math.max(0, a.west - b.east, b.west - a.east);
  if (!Number.isFinite(north) || !Number.isFinite(east)) return false;
  return (
    distanceInCity({ latitude: a.south, longitude: a.west }, { latitude: a.south + north, longitude: a.west + east }) <
    NEAR_METERS
  );
}

/** Ordered by key; of equal keys the earlier row first. */
function sorted(parts: readonly Int32Array[]): Int32Array {
  const houses: [number, number, number][] = [];
  for (const part of parts)
    for (let at = 0; at < part.length; at += 3) houses.push([part[at] ?? 0, part[at + 1] ?? 0, part[at + 2] ?? 0]);
  return Int32Array.from(houses.sort(([a], [b]) => a - b).flat());
}

const NOWHERE: Box = { south: Infinity, north: -Infinity, west: Infinity, east: -Infinity };
/** Parts of one street are not farther apart: a square or a river may lie between them. */
const NEAR_METERS = 300;
