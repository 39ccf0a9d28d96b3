/** The listings of New York's published files as a run would understand them, and as facts of events. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { EventFacts } from '../src/identity/index.ts';
import { type NormalEvent, normalizeEvent } from '../src/normalize/index.ts';
import { eventListing } from '../src/providers/listing.ts';

const FOLDER = new URL('../../shared/data/events/nyc-dashboard/', import.meta.url).pathname;

export const NYC_FACTS = {
  missing: !existsSync(FOLDER),
  /** Sixteen providers in one file, before anybody merged anything. */
  main: join(FOLDER, '2026-06-16T1548_before-dedup.json'),
  day: (day: string): string => join(FOLDER, `daily/${day}.json.gz`),
} as const;

export interface NycFacts {
  listings: number;
  facts: EventFacts[];
  /** The whole events that the facts are of, in the same order. */
  events: NormalEvent[];
  /** By id: why it is no event. */
  refused: Map<string, string>;
}

/** Of a file of the dashboard, plain or gzipped. Later files hold the whole state; `isNyc` takes the city's alone. */
export function readNycFacts(file: string, isWanted: (row: Row) => boolean = () => true): NycFacts {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const rows = (JSON.parse(text) as { events: Row[] }).events.filter(isWanted);
  const facts: EventFacts[] = [];
  const events: NormalEvent[] = [];
  const refused = new Map<string, string>();
  for (const row of rows) {
    const normalized = normalizeEvent(listingOf(row), { city: CITY, sourceName: row.source });
    if (!normalized.ok) {
      refused.set(row.id, normalized.code);
      continue;
    }
    facts.push(toFacts(row, normalized.event));
    events.push(normalized.event);
  }
  return { listings: rows.length, facts, events, refused };
}

export const isNyc = ({ city = CITY.name }: Row): boolean => city === CITY.name;

export interface Row {
  id: string;
  title: string;
  category: string;
  venue: string;
  start: string;
  end?: string;
  url: string;
  source: string;
  city?: string;
  borough?: string;
  neighborhood?: string;
  isFree?: boolean;
  priceMin?: number;
  priceMax?: number;
  lat?: number;
  lon?: number;
  image?: string;
}

function toFacts(row: Row, event: NormalEvent): EventFacts {
  const { externalId, seriesId, title, category, startsAt, endsAt, precision, localStart, place, performers, url } = event;
  return {
    id: row.id,
    provider: row.source,
    externalId,
    seriesId,
    title,
    category,
    startsAt,
    endsAt,
    precision,
    localStart,
    place: {
      name: place.name,
      address: place.address,
      latitude: place.latitude,
      longitude: place.longitude,
      isApproximate: row.venue === row.borough,
    },
    performers,
    url,
  };
}

function listingOf(row: Row) {
  return eventListing({
    externalId: row.id,
    title: row.title,
    categoryWords: [row.category],
    start: row.start,
    end: row.end ?? null,
    isFree: row.isFree ?? null,
    priceMin: row.priceMin ?? null,
    priceMax: row.priceMax ?? null,
    image: row.image ?? null,
    url: row.url,
    sources: [row.source],
    venue: {
      name: row.venue,
      latitude: row.lat ?? null,
      longitude: row.lon ?? null,
      hints: row.neighborhood ? [{ kind: 'neighborhood', name: row.neighborhood }] : [],
    },
  });
}

const CITY = { timezone: 'America/New_York', name: 'New York', locale: 'en-US' };
