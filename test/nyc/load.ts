/**
 * New York from its published files: a bundle folder of city and neighborhoods, and the mappings of two sources.
 * The files are no part of the project; where they are missing, `NYC.missing` is true and the tests that need them are skipped.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugify } from '../../src/records/index.ts';

const DATA = new URL('../../../shared/data/', import.meta.url).pathname;
const HERE = new URL('./', import.meta.url).pathname;

export const NYC = {
  missing: !existsSync(DATA),
  /** The moment as of which the events were collected. */
  now: '2026-06-16T16:00:00-04:00',
  events: {
    kind: 'json',
    file: join(DATA, 'events/nyc-dashboard/2026-06-16T1548_before-dedup.json'),
    mapping: join(HERE, 'events.mapping.json'),
  },
  venues: {
    kind: 'csv',
    file: join(DATA, 'venues/nyc/Point_Of_Interest_CommonPlace.csv'),
    mapping: join(HERE, 'points-of-interest.mapping.json'),
  },
} as const;

/** Polygons that are published as GeoJSON, with `name` as their only useful property. */
export const GEOJSON_FILES = ['bronx', 'brooklyn', 'manhattan', 'queens', 'chicago', 'seattle'].map((name) =>
  join(DATA, `neighborhoods/click_that_hood/${name}.geojson`),
);

/** Writes `city.json` and `neighborhoods.geojson` (the 239 areas) into a folder that `import` reads. */
export function writeNycBundle(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'city.json'), JSON.stringify(NYC_CITY));
  writeFileSync(join(folder, 'neighborhoods.geojson'), JSON.stringify(nycAreas()));
}

/** The 239 areas as GeoJSON. Their file lists rings to be read by the even-odd rule: a ring inside another is a hole of it. */
export function nycAreas() {
  const file = join(DATA, 'neighborhoods/nyc-nta2020/neighborhood-polygons.json');
  const listed = JSON.parse(readFileSync(file, 'utf8')) as { name: string; borough: string; rings: Ring[] }[];
  const features = listed.map(({ name, borough, rings }) => {
    const outer = rings.filter((ring) => !rings.some((other) => other !== ring && contains(other, ring[0]!)));
    const coordinates = outer.map((ring) => [ring, ...rings.filter((hole) => !outer.includes(hole) && contains(ring, hole[0]!))]);
    return {
      type: 'Feature',
      properties: { slug: slugify(name), name, description: borough },
      geometry: { type: 'MultiPolygon' as const, coordinates },
    };
  });
  return { type: 'FeatureCollection', features };
}

type Ring = [number, number][];

function contains(ring: Ring, [x, y]: [number, number]): boolean {
  let inside = false;
  for (const [index, [bx, by]] of ring.entries()) {
    const [ax, ay] = ring[index === 0 ? ring.length - 1 : index - 1]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

export const NYC_CITY = {
  slug: 'new-york',
  name: 'New York',
  timezone: 'America/New_York',
  currency: 'USD',
  locale: 'en-US',
  center: { latitude: 40.7128, longitude: -74.006 },
};
