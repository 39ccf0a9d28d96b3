/** Embeds and their events, from memory wherever they were read a moment ago. */

import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { createMinuteWindows } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { pictureOf } from '../pictures/index.ts';
import { searchEvents } from '../query/index.ts';
import { type EventStatus, type EventSummary, priceOf, readCity, readNeighborhoods } from '../records/index.ts';
import type { SearchReader, Snapshot } from '../search/index.ts';
import type { Database } from '../store/index.ts';
import { createCityTime } from '../values/city-time.ts';
import { type DrawnAreas, drawAreas } from '../values/draw-areas.ts';
import { hostNetwork } from '../values/ip-network.ts';
import { type Embed, loadPublicEmbed } from './embeds.ts';

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
  const { find } = createEmbedFinder((id) => loadPublicEmbed(db, id), monotonic, onFailure);
  const maps = createFreshCache(() => loadCityMap(db), MAP_FRESH_MS, monotonic, onFailure);
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
  const { title, url, startDatetime: start, venue } = event;
  const { status, startPrecision }: { status: EventStatus; startPrecision: string } = snapshot.lifecycle(item);
  const { id, name, latitude, longitude } = venue;
  // The point of an area is no place for a dot.
  const isInArea = snapshot.extras(item).locationPrecision === 'area';
  return {
    ...{ title, url, start, startPrecision, status, ...priceOf(event) },
    image: `${publicUrl}${pictureOf(event, publicUrl).src}`,
    venue: { id, name, latitude, longitude, ...(isInArea ? { isInArea } : {}) },
  };
}

/* Embeds by id, for anybody. Guessed ids neither push out embeds that were read, nor reach the database without a limit. */

interface EmbedFinder {
  find(id: string, address: string): Promise<FoundEmbed>;
}

interface FoundEmbed {
  /** Null for every text that is no embed's id. */
  embed: Embed | null;
  /** 0; or nobody looked, and the network may ask for further unknown ids in so many seconds. */
  wait: number;
}

/** `monotonic`: milliseconds that never step back. */
export function createEmbedFinder(
  load: (id: string) => Promise<Embed | null>,
  monotonic: Clock,
  onFailure: (error: unknown) => void,
): EmbedFinder {
  const embeds = createFreshCache(load, FRESH_MS, monotonic, onFailure);
  const unknown = createNetworkLimit(monotonic, UNKNOWN_PER_MINUTE);

  return {
    async find(id, address) {
      if (!ID.test(id)) return { embed: null, wait: 0 };
      const isKnown = embeds.isKnown(id);
      const wait = isKnown ? 0 : unknown.waitOf(address);
      if (wait > 0) return { embed: null, wait };
      const embed = await embeds.get(id);
      if (embed === null && !isKnown) unknown.add(address);
      return { embed, wait: 0 };
    },
  };
}

/** The neighborhoods of the city, as small paths: the map of an embed. Null before there is a city. */
export async function loadCityMap(db: Kysely<Database>): Promise<DrawnAreas | null> {
  const [city, neighborhoods] = [await readCity(db), await readNeighborhoods(db)];
  if (!city) return null;
  return drawAreas(
    neighborhoods.map(({ geometry }) => geometry),
    city,
  );
}

/* What was read a moment ago is good enough; while the database is away, what was read before is better than nothing. */

interface FreshCache<T> {
  /** Null: there is none. Rejects only for what was never read. */
  get(key: string): Promise<T | null>;
  /** Whether it was read before, found or not, and is remembered. */
  isKnown(key: string): boolean;
}

interface Held<T> {
  value: T | null;
  at: number;
}

/**
 * Keys that have nothing are remembered apart, so that they push out nothing else. `monotonic`: milliseconds that never step back.
 */
function createFreshCache<T>(
  load: (key: string) => Promise<T | null>,
  freshMs: number,
  monotonic: Clock,
  onFailure: (error: unknown) => void,
): FreshCache<T> {
  const found = new Map<string, Held<T>>();
  const absent = new Map<string, Held<T>>();
  const loading = new Map<string, Promise<T | null>>();
  const heldOf = (key: string) => found.get(key) ?? absent.get(key);

  function hold(key: string, value: T | null): void {
    found.delete(key);
    absent.delete(key);
    const place = value === null ? absent : found;
    place.set(key, { value, at: monotonic() });
    const [oldest] = place.keys();
    if (place.size > MAX_HELD && oldest !== undefined) place.delete(oldest);
  }

  async function read(key: string): Promise<T | null> {
    try {
      const value = await load(key);
      hold(key, value);
      return value;
    } catch (error) {
      const known = heldOf(key);
      if (!known) throw error;
      onFailure(error);
      hold(key, known.value);
      return known.value;
    } finally {
      loading.delete(key);
    }
  }

  return {
    async get(key) {
      const known = heldOf(key);
      if (known && monotonic() - known.at < freshMs) return known.value;
      const asked = loading.get(key) ?? read(key);
      loading.set(key, asked);
      return await asked;
    },
    isKnown: (key) => heldOf(key) !== undefined,
  };
}

/* How often one network may ask in any 60 seconds. Per process. */

interface NetworkLimit {
  /** 0: one more fits; else whole seconds to wait. */
  waitOf(address: string): number;
  add(address: string): void;
}

/** `monotonic`: milliseconds. */
export function createNetworkLimit(monotonic: Clock, perMinute: number): NetworkLimit {
  const windows = createMinuteWindows({ perMinute, maxWatched: MAX_NETWORKS });
  const windowOf = (address: string) => windows.of(hostNetwork(address), Math.round(monotonic() * US_PER_MS));
  return {
    waitOf: (address) => Math.ceil(windowOf(address).wait / US_PER_SECOND),
    add: (address) => windowOf(address).add(),
  };
}

const MAX_NETWORKS = 10_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
const NO_MAP = drawAreas([], { latitude: 0, longitude: 0 });
const MAP_FRESH_MS = 600_000;
const MAX_DOCUMENTS = 500;
const MAX_EVENTS = 60;
const MAX_AGE_MS = 60_000;
const TAG_CHARS = 22;
const ID = /^[0-9A-Za-z]{14}$/;
/** How soon a change of an embed is seen. */
const FRESH_MS = 20_000;
/** Lookups that find nothing, for each network. */
const UNKNOWN_PER_MINUTE = 30;
/** Of those that were found, and of those that were not. */
const MAX_HELD = 2_000;
