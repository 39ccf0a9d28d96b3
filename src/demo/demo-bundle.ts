/** Port Alder as a city bundle in memory: the same four parts that a bundle's folder has. */

import { createCityTime } from '../values/city-time.ts';
import { makeEvents } from './events.ts';
import { CENTER, drawNeighborhoods } from './geography.ts';
import { DISTRICTS } from './neighborhoods.ts';
import { makeVenues } from './venues.ts';

export const DEMO_CITY = {
  slug: 'port-alder',
  name: 'Port Alder',
  timezone: 'America/Chicago',
  currency: 'USD',
  locale: 'en-US',
  center: CENTER,
} as const;

/**
 * The demo city as seen at `now` (milliseconds since 1970 UTC). It depends on the local day of `now` and on `seed` alone:
 * loaded twice on one day it changes nothing, loaded a month later it moves its events along.
 */
export function demoBundle({ now, seed = DEFAULT_SEED }: { now: number; seed?: string }) {
  const time = createCityTime(DEMO_CITY.timezone);
  const today = time.day(now);
  const outlines = drawNeighborhoods(seed);
  const venues = makeVenues(seed, outlines, DEMO_CITY.timezone, today);
  const neighborhoods = {
    type: 'FeatureCollection' as const,
    features: DISTRICTS.flatMap(({ slug, name, description }) => {
      const geometry = outlines.get(slug);
      return geometry ? [{ type: 'Feature' as const, properties: { slug, name, description }, geometry }] : [];
    }),
  };
  return { city: DEMO_CITY, neighborhoods, venues, events: makeEvents(seed, venues, time, today) };
}

const DEFAULT_SEED = 'port alder';
