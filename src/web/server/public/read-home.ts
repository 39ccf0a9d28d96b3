/** What the front page shows of the running city: what is on, what was joined, how much there is. */

import { sql } from 'kysely';
import { API_PREFIX, sampleEvents } from '../../../api/index.ts';
import type { Snapshot } from '../../../search/index.ts';
import type { Store } from '../../../store/index.ts';
import { DAY_MS } from '../../../values/duration.ts';
import type { HomeFacts } from '../../model/home.ts';
import type { Rooms } from '../rooms.ts';

/** Made at most once in a while for all readers: a front page that many look at must not slow the API. */
export function createHome(now: () => number = Date.now): (rooms: HomeRooms) => Promise<HomeFacts> {
  const sources = hold(SOURCES_HELD_MS, now, countSources);
  const change = hold(HELD_MS, now, readLastChange);
  return hold(HELD_MS, now, (rooms: HomeRooms) => readHome(rooms, { sources, change }, now()));
}

interface HomeRooms extends Pick<Rooms, 'store' | 'search' | 'clocks' | 'answerTimes'> {
  /** Whether the database is away: the page then shows what was read before, or shows less. */
  isAway(): boolean;
}

type Reading<Facts> = (rooms: HomeRooms) => Promise<Facts>;

/** What `read` gave of a store, for `heldMs`; a failure is not held. */
function hold<Facts>(heldMs: number, now: () => number, read: Reading<Facts>): Reading<Facts> {
  const held = new WeakMap<Store, { facts: Promise<Facts>; until: number }>();
  return (rooms) => {
    const { store } = rooms;
    const before = held.get(store);
    if (before && now() < before.until) return before.facts;
    const facts = read(rooms).catch((error: unknown) => {
      if (!before || !rooms.isAway()) throw error;
      return before.facts;
    });
    held.set(store, { facts, until: now() + heldMs });
    facts.catch(() => held.delete(store));
    return facts;
  };
}

async function readHome(
  rooms: HomeRooms,
  read: { sources: Reading<number>; change: Reading<number | null> },
  at: number,
): Promise<HomeFacts> {
  const { store, search, clocks, answerTimes, isAway } = rooms;
  const snapshot = search.current();
  const now = clocks.directory();
  const orElse = <Fallback>(fallback: Fallback) => {
    return (error: unknown) => {
      if (!isAway()) throw error;
      return fallback;
    };
  };
  const joined = findJoined(snapshot, now);
  const [sources, changedAt, titles] = await Promise.all([
    read.sources(rooms).catch(orElse(null)),
    read.change(rooms).catch(orElse(undefined)),
    joined ? readTitles(store, joined.id).catch(orElse(new Map<string | null, string | null>())) : new Map(),
  ]);
  return {
    board: { target: `${API_PREFIX}/events?${BOARD_QUERY}`, answer: sampleEvents(BOARD_QUERY, snapshot, now) ?? '' },
    joined: joined && {
      ...{ title: joined.title, slug: joined.slug, venue: joined.venue.name, startDatetime: joined.startDatetime },
      sources: joined.sources.map((name) => ({ name, title: titles.get(name) ?? null })),
    },
    figures: {
      upcoming: snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 }).total,
      venues: snapshot.counts.venues,
      neighborhoods: snapshot.counts.neighborhoods,
      sources,
      changedAt,
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

async function readLastChange({ store }: HomeRooms): Promise<number | null> {
  const change = await store.db.selectFrom('change').select('at').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return change ? new Date(change.at).getTime() : null;
}

/** The first of the best that has the most sources. */
function findJoined(snapshot: Snapshot, now: number): Detail | null {
  const { items } = snapshot.events({ from: now, to: now + LOOKED_AHEAD_MS, limit: MAX_LOOKED_AT, offset: 0 });
  const events = JSON.parse(snapshot.writeEvents(items, 'detail', '[', ']').toString()) as Detail[];
  return events.reduce<Detail | null>(
    (found, event) => (event.sources.length > (found?.sources.length ?? 1) ? event : found),
    null,
  );
}

/** The titles that the sources of an event wrote, by their names. */
async function readTitles({ db }: Store, eventId: string): Promise<Map<string | null, string | null>> {
  const rows = await db
    .selectFrom('record')
    .where('event_id', '=', eventId)
    .where('gone_at', 'is', null)
    .select([sql<string | null>`facts ->> 'provider'`.as('name'), sql<string | null>`listing ->> 'title'`.as('title')])
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ name, title }) => [name, title]));
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
const HELD_MS = 4_000;
const SOURCES_HELD_MS = 600_000;
const LOOKED_AHEAD_MS = 30 * DAY_MS;
const MAX_LOOKED_AT = 60;
