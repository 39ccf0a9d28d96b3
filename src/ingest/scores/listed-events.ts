/** The listed events of the directory as ranking looks at them, and what they together say about each. */

import type { Kysely } from 'kysely';
import { type ContextEvent, type ScoreContext, scoreContexts } from '../../ranking/index.ts';
import {
  type Event,
  LISTED_STATUSES,
  loadNextListed,
  loadVenueScoreFacts,
  readCity,
  runKey,
  type VenueScoreFacts,
} from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';

export type ShownEvent = Pick<
  Event,
  | 'id'
  | 'title'
  | 'venueId'
  | 'sources'
  | 'startsAt'
  | 'precision'
  | 'status'
  | 'category'
  | 'isFree'
  | 'priceMin'
  | 'priceMax'
  | 'imageUrl'
  | 'performers'
>;

export interface DirectoryContexts {
  contexts: ReadonlyMap<string, ScoreContext>;
  /** What the stored scores were computed of, by event. */
  stored: ReadonlyMap<string, { showing: number; context: readonly number[] | null }>;
}

interface Given {
  /** Events that are about to be written, in the state that is given. */
  events?: readonly ShownEvent[];
  /** Their venues, where these are about to be written as well. */
  venues?: ReadonlyMap<string, VenueScoreFacts>;
  /** Ids of events that are about to leave. */
  without?: readonly string[];
}

/** As of `now` (milliseconds, directory clock). */
export async function readContexts(db: Kysely<Database>, now: number, given: Given = {}): Promise<DirectoryContexts> {
  const cityTime = createCityTime((await readCity(db))?.timezone ?? 'UTC');
  const shown = listedEvents(given.events ?? [], now, cityTime);
  const replaced = new Set([...(given.events ?? []).map(({ id }) => id), ...(given.without ?? [])]);
  const stored = new Map<string, { showing: number; context: readonly number[] | null }>();
  const events = [...shown];
  const since = now - PAST_MS;
  for (let after = FIRST_ID; ; ) {
    const page = await loadNextListed(db, { since, after, limit: PAGE });
    for (const { showing, context, ...row } of page) {
      if (replaced.has(row.id)) continue;
      stored.set(row.id, { showing, context });
      events.push(listedEvent(row, now, cityTime));
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = last.id;
  }
  const venues = await loadVenueScoreFacts(
    db,
    events.map(({ venueId }) => venueId),
  );
  for (const [id, facts] of given.venues ?? []) venues.set(id, facts);
  return { contexts: scoreContexts(events, venues, now), stored };
}

/** What these events alone say about each other. */
export function listedContexts(
  events: readonly ShownEvent[],
  venues: ReadonlyMap<string, VenueScoreFacts>,
  now: number,
  cityTime: CityTime = UTC,
): Map<string, ScoreContext> {
  return scoreContexts(listedEvents(events, now, cityTime), venues, now);
}

/** Those that are listed and have not long been over. */
function listedEvents(events: readonly ShownEvent[], now: number, cityTime: CityTime): ContextEvent[] {
  return events
    .filter(({ status, startsAt }) => (LISTED_STATUSES as readonly string[]).includes(status) && startsAt > now - PAST_MS)
    .map((event) => listedEvent({ ...event, run: runKey(event.title), price: event.priceMax ?? event.priceMin }, now, cityTime));
}

type Row = Omit<ContextEvent, 'isComing' | 'day' | 'isLeisure'> & Pick<Event, 'precision'>;

function listedEvent(row: Row, now: number, cityTime: CityTime): ContextEvent {
  const { startsAt, precision } = row;
  const isComing = startsAt >= now || (precision !== 'time' && startsAt > now - DAY_MS);
  const local = cityTime.format(startsAt);
  const day = local.slice(0, 'YYYY-MM-DD'.length);
  const isLeisure = precision !== 'time' || isLeisureTime(day, Number(local.slice(11, 13)));
  return { ...row, isComing, day, isLeisure };
}

/** Evenings, and the days of a weekend. */
function isLeisureTime(day: string, hour: number): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  const from = weekday === 0 || weekday === 6 ? LEISURE.weekendFrom : LEISURE.from;
  return hour >= from && hour < LEISURE.until;
}

const UTC = createCityTime('UTC');
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 5000;
/** What is over says so long what a venue and a performer are. */
const PAST_MS = 30 * DAY_MS;
/** Local hours. */
const LEISURE = { from: 17, weekendFrom: 10, until: 23 } as const;
