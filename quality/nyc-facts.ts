/** The listings of New York's published files as facts of events, with a floating local clock and without descriptions. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeHTML } from 'entities';
import { type Category, createCityTime } from '../src/catalog/index.ts';
import type { EventFacts } from '../src/identity/index.ts';

const FOLDER = new URL('../../shared/data/events/nyc-dashboard/', import.meta.url).pathname;

export const NYC_FACTS = {
  missing: !existsSync(FOLDER),
  /** Sixteen providers in one file, before anybody merged anything. */
  main: join(FOLDER, '2026-06-16T1548_before-dedup.json'),
  day: (day: string): string => join(FOLDER, `daily/${day}.json.gz`),
} as const;

/** Of a file of the dashboard, plain or gzipped. Rows without a start are left out: an identity needs a night. */
export function readNycFacts(file: string): EventFacts[] {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const { events } = JSON.parse(text) as { events: Row[] };
  return events.filter((row) => /^\d{4}-/.test(row.start)).map(toFacts);
}

interface Row {
  id: string;
  title: string;
  category: string;
  venue: string;
  start: string;
  end?: string;
  url: string;
  source: string;
  borough?: string;
  lat?: number;
  lon?: number;
}

function toFacts(row: Row): EventFacts {
  return {
    id: row.id,
    provider: row.source,
    externalId: row.id,
    seriesId: null,
    title: cleanTitle(row.title),
    category: CATEGORIES[row.category] ?? 'community',
    startsAt: city.resolve(row.start),
    endsAt: row.end ? city.resolve(row.end) : null,
    precision: 'time',
    localStart: row.start.slice(0, 16),
    place: {
      name: decoded(row.venue),
      address: null,
      latitude: row.lat ?? null,
      longitude: row.lon ?? null,
      isApproximate: row.venue === row.borough,
    },
    performers: [],
    url: row.url,
  };
}

const decoded = (text: string): string => decodeHTML(decodeHTML(text)).replace(/\s+/g, ' ').trim();

/** Status markers and the name of the city leave, as in a run. */
const cleanTitle = (title: string): string =>
  decoded(title)
    .replace(/^(?:cancell?ed|postponed|rescheduled|sold out)\s*[:!–-]\s*/i, '')
    .replace(/\s*(?:[-–]\s*New York|\((?:New York, )?NY\)|\(New York\))$/, '');

const city = createCityTime('America/New_York');
const CATEGORIES: Readonly<Record<string, Category>> = {
  music: 'concert',
  theater: 'theater',
  comedy: 'comedy',
  sports: 'sports',
  food: 'food',
  kids: 'family',
  art: 'art',
  social: 'community',
};
