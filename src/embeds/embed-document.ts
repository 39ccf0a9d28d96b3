/** The events of an embed, as the script reads them. */

import { hash } from 'node:crypto';
import { searchEvents } from '../api/index.ts';
import type { EventStatus, EventSummary } from '../catalog/index.ts';
import { createCityTime, type DrawnAreas } from '../city/index.ts';
import { pictureOf } from '../pictures/index.ts';
import type { Snapshot } from '../search/index.ts';
import type { Embed } from './embeds.ts';

export interface EmbedDocument {
  body: string;
  tag: string;
  /** Directory time, milliseconds. */
  until: number;
}

export interface EmbedPlace {
  snapshot: Snapshot;
  /** Directory time, milliseconds. */
  now: number;
  /** Without a trailing slash. */
  publicUrl: string;
  map: DrawnAreas;
}

export function writeEmbedDocument({ name, query, layout }: Embed, place: EmbedPlace): EmbedDocument {
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

const MAX_EVENTS = 60;
const MAX_AGE_MS = 60_000;
const TAG_CHARS = 22;
