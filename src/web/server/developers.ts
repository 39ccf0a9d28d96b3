/** What the page for developers shows of the running city: what is on, what was joined, how much there is. */

import { type AnswerTimes, API_PREFIX, sampleEvents } from '../../api/index.ts';
import { loadTitlesByProvider } from '../../ingest/index.ts';
import { countNamedSources, loadLastChangeTime, type StartPrecision } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { type HeldRooms, holdFacts } from './hold-facts.ts';
import type { Rooms } from './rooms.ts';

/** Made at most once in a while for all readers. */
export function createDeveloperFacts(now: () => number = Date.now): (rooms: FactsRooms) => Promise<DeveloperFacts> {
  const sources = holdFacts(SOURCES_HELD_MS, now, ({ store }: FactsRooms) => countNamedSources(store.db));
  const change = holdFacts(HELD_MS, now, ({ store }: FactsRooms) => loadLastChangeTime(store.db));
  return holdFacts(HELD_MS, now, (rooms: FactsRooms) => readFacts(rooms, { sources, change }, now()));
}

interface FactsRooms extends HeldRooms, Pick<Rooms, 'search' | 'clocks' | 'answerTimes'> {}

type Reading<Facts> = (rooms: FactsRooms) => Promise<Facts>;

async function readFacts(
  rooms: FactsRooms,
  read: { sources: Reading<number>; change: Reading<number | null> },
  at: number,
): Promise<DeveloperFacts> {
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
    joined ? loadTitlesByProvider(store.db, joined.id).catch(orElse(new Map<string | null, string | null>())) : new Map(),
  ]);
  return {
    board: { target: `${API_PREFIX}/events?${BOARD_QUERY}`, answer: sampleEvents(BOARD_QUERY, snapshot, now) ?? '' },
    joined: joined && {
      title: joined.title,
      slug: joined.slug,
      venue: joined.venue.name,
      startDatetime: joined.startDatetime,
      startPrecision: joined.startPrecision,
      sources: joined.sources.map((name) => ({ name, title: titles.get(name) ?? null })),
    },
    stats: {
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

/** The first of the best that has the most sources. */
function findJoined(snapshot: Snapshot, now: number): JoinedEvent | null {
  const { items } = snapshot.events({ from: now, to: now + LOOKED_AHEAD_MS, limit: MAX_LOOKED_AT, offset: 0 });
  const events = JSON.parse(snapshot.writeEvents(items, 'detail', '[', ']').toString()) as Detail[];
  const most = Math.max(...events.map(({ sources }) => sources.length));
  const at = most > 1 ? events.findIndex(({ sources }) => sources.length === most) : -1;
  const [event, item] = [events[at], items[at]];
  return event && item !== undefined ? { ...event, startPrecision: snapshot.lifecycle(item).startPrecision } : null;
}

interface Detail {
  id: string;
  slug: string;
  title: string;
  startDatetime: string;
  venue: { name: string };
  sources: string[];
}

type JoinedEvent = Detail & { startPrecision: StartPrecision };

interface DeveloperFacts {
  board: {
    /** Below the public address, as it would be asked for. */
    target: string;
    /** The answer to it, byte for byte what a key would get. */
    answer: string;
  };
  /** An event that several sources announced; null where the city has none. */
  joined: Joined | null;
  stats: {
    /** Events to come. */
    upcoming: number;
    venues: number;
    neighborhoods: number;
    /** Null while the database that counts them is away. */
    sources: number | null;
    /** Milliseconds; null before the first change, undefined while the database is away. */
    changedAt: number | null | undefined;
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
  startPrecision: StartPrecision;
  sources: {
    name: string;
    /** As it wrote it; null where its own words are not at hand, as of an imported bundle. */
    title: string | null;
  }[];
}

/** What the board needs and no more; the hour of a start may be unknown, and says so. */
const BOARD_QUERY = 'limit=5&fields=title,slug,startDatetime,startPrecision,discoveryScore,venue';
const HELD_MS = 4_000;
const SOURCES_HELD_MS = 600_000;
const LOOKED_AHEAD_MS = 30 * DAY_MS;
const MAX_LOOKED_AT = 60;
