/** Embeds and their events, from memory wherever they were read a moment ago. */

import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { pictureOf } from '../pictures/index.ts';
import { searchEvents } from '../query/index.ts';
import type { EventStatus, EventSummary } from '../records/index.ts';
import type { SearchReader, Snapshot } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { createCityTime } from '../values/city-time.ts';
import { type DrawnAreas, drawAreas } from '../values/draw-areas.ts';
import { loadCityMap } from './city-map.ts';
import { createEmbedFinder, type EmbedFinder } from './embed-finder.ts';
import { type Embed, loadPublicEmbed } from './embeds.ts';
import { createFreshCache } from './fresh-cache.ts';

export interface EmbedSourceOptions {
  db: Kysely<Database>;
  search: SearchReader;
  /** Directory time, milliseconds. */
  now: Clock;
  /** Without a trailing slash. */
  publicUrl: () => string;
  log: Log;
}

export interface EmbedSource extends EmbedFinder {
  documentOf(embed: Embed): Promise<EmbedDocument>;
}

/** `monotonic`: milliseconds that never step back. */
export function createEmbedSource({ db, search, now, publicUrl, log }: EmbedSourceOptions, monotonic: Clock): EmbedSource {
  const onFailure = (err: unknown) => log.warn({ err }, 'cannot read embeds; showing what was read before');
  const { find } = createEmbedFinder({ load: (id) => loadPublicEmbed(db, id), monotonic, onFailure });
  const maps = createFreshCache({ load: () => loadCityMap(db), freshMs: MAP_FRESH_MS, monotonic, onFailure });
  const documents = new Map<string, { document: EmbedDocument; edition: number; updatedAt: number }>();

  return {
    find,
    async documentOf(embed) {
      const snapshot = search.current();
      const { edition } = snapshot;
      const updatedAt = embed.updatedAt.getTime();
      const held = documents.get(embed.id);
      if (held?.edition === edition && held.updatedAt === updatedAt && now() < held.document.until) return held.document;
      const map = (await maps.get('')) ?? NO_MAP;
      const document = writeEmbedDocument(embed, { snapshot, now: now(), publicUrl: publicUrl(), map });
      documents.delete(embed.id);
      documents.set(embed.id, { document, edition, updatedAt });
      const [oldest] = documents.keys();
      if (documents.size > MAX_DOCUMENTS && oldest !== undefined) documents.delete(oldest);
      return document;
    },
  };
}

interface EmbedDocument {
  body: string;
  tag: string;
  /** Directory time, milliseconds. */
  until: number;
}

interface EmbedPlace {
  snapshot: Snapshot;
  /** Directory time, milliseconds. */
  now: number;
  /** Without a trailing slash. */
  publicUrl: string;
  map: DrawnAreas;
}

/** The events of an embed, as the script reads them. */
function writeEmbedDocument({ name, query, layout }: Embed, place: EmbedPlace): EmbedDocument {
  const { snapshot, now, publicUrl, map } = place;
  const { name: city, timezone, currency, locale } = snapshot.city;
  // A saved order stays; without one the next event comes first.
  const order = /(?:^|&)sort=/.test(query) ? '' : '&sort=start';
  const found = searchEvents(`${query}${order}&limit=${MAX_EVENTS}`, { snapshot, now, city: createCityTime(timezone) });
  const items = found.ok ? found.page.items : [];
  const events =
    items.length === 0 ? [] : (JSON.parse(snapshot.writeEvents(items, 'list', '[', ']').toString()) as EventSummary[]);
  const body = JSON.stringify({
    ...{ name, layout, url: `${publicUrl}/events${query === '' ? '' : `?${query}`}` },
    city: { name: city, timezone, currency, locale },
    map,
    events: events.map((event, n) => toFacts(event, snapshot, items[n] as number, publicUrl)),
  });
  const until = Math.min(now + MAX_AGE_MS, (found.ok ? found.until : undefined) ?? Number.POSITIVE_INFINITY);
  return { body, tag: hash('sha256', body, 'base64url').slice(0, TAG_CHARS), until };
}

function toFacts(event: EventSummary, snapshot: Snapshot, item: number, publicUrl: string) {
  const { title, url, startDatetime: start, venue, isFree, priceMin, priceMax } = event;
  const { status, startPrecision }: { status: EventStatus; startPrecision: string } = snapshot.lifecycle(item);
  const { id, name, latitude, longitude } = venue;
  return {
    ...{ title, url, start, startPrecision, status, isFree, priceMin, priceMax },
    image: `${publicUrl}${pictureOf(event, publicUrl).src}`,
    venue: { id, name, latitude, longitude },
  };
}

const NO_MAP = drawAreas([], { latitude: 0, longitude: 0 });
const MAP_FRESH_MS = 600_000;
const MAX_DOCUMENTS = 500;
const MAX_EVENTS = 60;
const MAX_AGE_MS = 60_000;
const TAG_CHARS = 22;
