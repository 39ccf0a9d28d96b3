/**
 * Chicago and Austin from published files: each is a bundle folder and one source with a mapping, and no line of code of its own.
 * The files are no part of the project; where they are missing, `missing` is true and the tests that need them are skipped.
 */

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DATA = new URL('../../../shared/data/', import.meta.url).pathname;
const mapping = new URL('./townsounds.mapping.json', import.meta.url).pathname;

export const missing = !existsSync(DATA);

export interface SecondCity {
  city: {
    slug: string;
    name: string;
    timezone: string;
    currency: string;
    locale: string;
    center: { latitude: number; longitude: number };
  };
  /** A moment before its first event. */
  now: string;
  events: { kind: 'json'; file: string; mapping: string };
  /** Polygons with a `name`; null where none are published. */
  neighborhoods: string | null;
}

export const CITIES: readonly SecondCity[] = [
  {
    city: {
      slug: 'chicago',
      name: 'Chicago',
      timezone: 'America/Chicago',
      currency: 'USD',
      locale: 'en-US',
      center: { latitude: 41.8781, longitude: -87.6298 },
    },
    now: '2021-07-23T09:00:00-05:00',
    events: { kind: 'json', file: join(DATA, 'events/townsounds-12-cities/chicago_events.json'), mapping },
    neighborhoods: join(DATA, 'neighborhoods/click_that_hood/chicago.geojson'),
  },
  {
    city: {
      slug: 'austin',
      name: 'Austin',
      timezone: 'America/Chicago',
      currency: 'USD',
      locale: 'en-US',
      center: { latitude: 30.2672, longitude: -97.7431 },
    },
    now: '2021-08-06T09:00:00-05:00',
    events: { kind: 'json', file: join(DATA, 'events/townsounds-12-cities/austin_events.json'), mapping },
    neighborhoods: null,
  },
];

/** Writes `city.json` and, where there are any, `neighborhoods.geojson` into a folder that `import` reads. */
export function writeCityBundle({ city, neighborhoods }: SecondCity, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'city.json'), JSON.stringify(city));
  if (neighborhoods !== null) copyFileSync(neighborhoods, join(folder, 'neighborhoods.geojson'));
}
