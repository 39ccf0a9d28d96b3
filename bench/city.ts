/** A made-up city of any size, written as a bundle: the same seed gives the same bytes. */

import { once } from 'node:events';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATEGORIES, VENUE_TYPES } from '../src/records/index.ts';

/** Writes a bundle of `events` events around `now` (ms) into `folder`. Half of them start within 30 days. */
export async function writeBenchCity(folder: string, events: number, now: number, seed = 1): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const random = createRandom(seed);
  const venues = Math.max(20, Math.round(events / 50));
  writeFileSync(join(folder, 'city.json'), JSON.stringify(CITY));
  writeFileSync(join(folder, 'neighborhoods.geojson'), JSON.stringify(grid()));
  await writeLines(join(folder, 'venues.ndjson'), venues, (index) => venue(index, random));
  await writeLines(join(folder, 'events.ndjson'), events, (index) => event(index, venues, now, random));
}

/** Mulberry32: 32 bits of state, good enough to spread, the same everywhere. Returns [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function writeLines(file: string, count: number, line: (index: number) => object): Promise<void> {
  const out = createWriteStream(file);
  for (let index = 0; index < count; index += 1) {
    if (!out.write(`${JSON.stringify(line(index))}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

/** 10 × 10 squares of 0.01 degrees. */
function grid(): object {
  const features = Array.from({ length: 100 }, (_, index) => {
    const west = -90 + (index % 10) * 0.01;
    const south = 40 + Math.floor(index / 10) * 0.01;
    const ring = [
      [west, south],
      [west + 0.01, south],
      [west + 0.01, south + 0.01],
      [west, south + 0.01],
      [west, south],
    ];
    return {
      type: 'Feature',
      properties: { slug: `square-${index}`, name: `Square ${index}`, description: null },
      geometry: { type: 'Polygon', coordinates: [ring] },
    };
  });
  return { type: 'FeatureCollection', features };
}

function venue(index: number, random: () => number): object {
  return {
    externalId: `venue-${index}`,
    name: `${word(random)} ${word(random)} ${index}`,
    type: VENUE_TYPES[index % VENUE_TYPES.length],
    address: `${index} ${word(random)} Street`,
    latitude: 40 + random() * 0.0999,
    longitude: -90 + random() * 0.0999,
    capacityTier: ['intimate', 'small', 'medium', 'large'][index % 4],
    isVerified: index % 10 !== 0,
  };
}

function event(index: number, venues: number, now: number, random: () => number): object {
  const within = random() < 0.5 ? 30 : 180;
  const start = now + Math.floor(random() * within * 24 * 4) * 900_000;
  const free = random() < 0.3;
  const price = Math.round(random() * 80);
  return {
    externalId: `event-${index}`,
    title: `${word(random)} ${word(random)} ${word(random)}`,
    category: CATEGORIES[Math.floor(random() * random() * CATEGORIES.length)],
    startDatetime: new Date(start).toISOString(),
    endDatetime: random() < 0.5 ? new Date(start + 2 * 3_600_000).toISOString() : null,
    description: Array.from({ length: 30 }, () => word(random)).join(' '),
    imageUrl: random() < 0.5 ? `https://images.example/${index}.jpg` : null,
    isFree: free,
    priceMin: free ? 0 : price,
    priceMax: free ? 0 : price + 20,
    venue: `venue-${Math.floor(random() * venues)}`,
    performers: random() < 0.5 ? [`${word(random)} ${word(random)}`] : [],
    tags: [word(random)],
    sources: random() < 0.3 ? ['North Feed', 'South Feed'] : ['North Feed'],
    signals:
      random() < 0.2
        ? [{ kind: 'page_views', value: Math.floor(random() * 500), observedAt: new Date(now - 86_400_000).toISOString() }]
        : [],
  };
}

/** Words as a language has them: the first few very often, the long tail seldom (Zipf). */
export function word(random: () => number): string {
  return WORDS[Math.floor(WORDS.length ** random()) - 1] ?? 'music';
}

const SYLLABLES = [
  'ba',
  'ko',
  'ri',
  'mu',
  'ten',
  'sol',
  'var',
  'di',
  'pel',
  'on',
  'gra',
  'fi',
  'lu',
  'sta',
  'ne',
  'qua',
  'hor',
  'zim',
  'we',
  'ja',
];
/** 20 000 made-up words after five real ones that the figures search for. */
const WORDS = [
  'music',
  'night',
  'live',
  'jazz',
  'dance',
  ...Array.from({ length: 20_000 }, (_, index) => {
    const pick = (shift: number) => SYLLABLES[Math.floor(index / SYLLABLES.length ** shift) % SYLLABLES.length] ?? '';
    return pick(0) + pick(1) + pick(2) + pick(3);
  }),
];
export const CITY = {
  slug: 'bench-city',
  name: 'Bench City',
  timezone: 'America/Chicago',
  currency: 'USD',
  locale: 'en-US',
  center: { latitude: 40.05, longitude: -89.95 },
};
