/** What the front page shows of the running city: what is on, what was joined, how much there is. */

import { sql } from 'kysely';
import { type AnswerTimes, API_PREFIX, sampleEvents } from '../../api/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { Store } from '../../store/index.ts';
import type { Rooms } from './rooms.ts';

export interface HomeFacts {
  board: {
    /** Below the public address, as it would be asked for. */
    target: string;
    /** The answer to it, byte for byte what a key would get. */
    answer: string;
  };
  /** An event that several sources announced; null where the city has none. */
  joined: Joined | null;
  figures: {
    /** Events to come. */
    upcoming: number;
    venues: number;
    neighborhoods: number;
    sources: number;
    /** Milliseconds; null before the first change. */
    changedAt: number | null;
    /** Milliseconds since 1970, real time: what `changedAt` is compared with. */
    at: number;
    times: AnswerTimes;
  };
}

export interface Joined {
  title: string;
  slug: string;
  venue: string;
  startDatetime: string;
  sources: {
    name: string;
    /** As it wrote it; null where its own words are not at hand, as of an imported bundle. */
    title: string | null;
  }[];
}

/** Made at most once in a while for all readers: a front page that many look at must not slow the API. */
export function createHome(now: () => number = Date.now): (rooms: HomeRooms) => Promise<HomeFacts> {
  const sources = hold(SOURCES_HELD_MS, now, countSources);
  return hold(HELD_MS, now, (rooms: HomeRooms) => readHome(rooms, sources(rooms), now()));
}

type HomeRooms = Pick<Rooms, 'store' | 'search' | 'clocks' | 'answerTimes'>;

/** What `read` gave of a store, for `heldMs`; a failure is not held. */
function hold<Facts>(heldMs: number, now: () => number, read: (rooms: HomeRooms) => Promise<Facts>) {
  const held = new WeakMap<Store, { facts: Promise<Facts>; until: number }>();
  return (rooms: HomeRooms): Promise<Facts> => {
    const { store } = rooms;
    const before = held.get(store);
    if (before && now() < before.until) return before.facts;
    const facts = read(rooms);
    held.set(store, { facts, until: now() + heldMs });
    facts.catch(() => held.delete(store));
    return facts;
  };
}

async function readHome(rooms: HomeRooms, sources: Promise<number>, at: number): Promise<HomeFacts> {
  const { store, search, clocks, answerTimes } = rooms;
  const snapshot = search.current();
  const now = clocks.directory();
  const change = await store.db.selectFrom('change').select('at').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return {
    board: { target: `${API_PREFIX}/events?${BOARD_QUERY}`, answer: sampleEvents(BOARD_QUERY, snapshot, now) ?? '' },
    joined: await readJoined(store, findJoined(snapshot, now)),
    figures: {
      upcoming: snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 }).total,
      venues: snapshot.counts.venues,
      neighborhoods: snapshot.counts.neighborhoods,
      sources: await sources,
      changedAt: change ? new Date(change.at).getTime() : null,
      at,
      times: await answerTimes(),
    },
  };
}

/** Who announces what the city holds. Reads every event, so it is asked seldom. */
async function countSources({ store }: HomeRooms): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct source)::integer as count from event, unnest(sources) as source where state = 'published'
  `.execute(store.db);
  return rows[0]?.count ?? 0;
}

/** The first of the best that has the most sources. */
function findJoined(snapshot: Snapshot, now: number): Detail | null {
  const { items } = snapshot.events({ from: now, to: now + LOOKED_AHEAD_MS, limit: MOST_LOOKED_AT, offset: 0 });
  const events = JSON.parse(snapshot.writeEvents(items, 'detail', '[', ']').toString()) as Detail[];
  return events.reduce<Detail | null>(
    (found, event) => (event.sources.length > (found?.sources.length ?? 1) ? event : found),
    null,
  );
}

/** With the titles that its sources wrote. */
async function readJoined({ db }: Store, event: Detail | null): Promise<Joined | null> {
  if (!event) return null;
  const rows = await db
    .selectFrom('record')
    .where('event_id', '=', event.id)
    .where('gone_at', 'is', null)
    .select([sql<string | null>`facts ->> 'provider'`.as('name'), sql<string | null>`listing ->> 'title'`.as('title')])
    .orderBy('id')
    .execute();
  const titles = new Map(rows.map(({ name, title }) => [name, title]));
  const { title, slug, venue, startDatetime } = event;
  const sources = event.sources.map((name) => ({ name, title: titles.get(name) ?? null }));
  return { title, slug, venue: venue.name, startDatetime, sources };
}

interface Detail {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  venue: { name: string };
  sources: string[];
}

/** What the board needs and no more; the hour of a start may be unknown, and says so. */
const BOARD_QUERY = 'limit=5&fields=title,slug,startDatetime,startPrecision,discoveryScore,venue';
const HELD_MS = 10_000;
const SOURCES_HELD_MS = 600_000;
const LOOKED_AHEAD_MS = 30 * 86_400_000;
const MOST_LOOKED_AT = 60;
