/** Lists of events for news readers and calendar programs, for everybody: the head of the list that a page shows. */

import { EVENT_FORMS, type ListFacts, readEventRecords, writeForm } from '../../feeds/index.ts';
import { respondWithBytes } from '../../http/index.ts';
import { eventsPath, type ListQuery } from '../model/lists.ts';
import { itemsOf, type ListPlaces, openListPlace, readSent, searchList } from './list-search.ts';
import type { Rooms } from './rooms.ts';

type EventFeedForm = keyof typeof FEED_LIMITS;

/** Null for a list whose filters a document does not take. */
export function eventFeedPaths(query: ListQuery): { rss: string; ics: string } | null {
  const { sort: _, ...filters } = query;
  if (Object.keys(filters).some((name) => !FEED_NAMES.has(name))) return null;
  const text = new URLSearchParams(filters).toString();
  const pathOf = (form: EventFeedForm) => `/events.${form}${text === '' ? '' : `?${text}`}`;
  return { rss: pathOf('rss'), ics: pathOf('ics') };
}

/**
 * The list in the form that `url`, the address of the page, ends with. Parameters beside these filters do not count; a filter that
 * cannot be read is 400.
 */
export function answerEventFeed(
  rooms: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>,
  request: Request,
  { pathname, searchParams }: URL,
): Response {
  const form: EventFeedForm = decodeURIComponent(pathname).endsWith('.rss') ? 'rss' : 'ics';
  const place = openListPlace(rooms);
  const { query } = readSent(searchParams, { known: FEED_NAMES, own: [], lists: ['category'] });
  const limit = FEED_LIMITS[form];
  const found = searchList(place, { ...query, sort: 'start', limit: String(limit) });
  if (!found.ok) return new Response(`${found.errors.map(({ detail }) => detail).join('\n')}\n`, { status: 400, headers: PLAIN });
  const records = readEventRecords(place.snapshot, itemsOf(found));
  const facts = describe(place, { form, query, total: found.page.total, limit, updatedAt: newest(records) });
  const body = new Uint8Array(writeForm(EVENT_FORMS[form], facts, records));
  return respondWithBytes(request, body, { 'Cache-Control': CACHE }, { 'Content-Type': EVENT_FORMS[form].contentType });
}

interface FeedPage extends Pick<ListFacts, 'total' | 'updatedAt'> {
  form: EventFeedForm;
  query: ListQuery;
  limit: number;
}

function describe({ snapshot, publicUrl }: ListPlaces, { form, query, total, limit, updatedAt }: FeedPage): ListFacts {
  const { name, locale, timezone, currency } = snapshot.city;
  const selfUrl = publicUrl + (eventFeedPaths(query)?.[form] ?? '');
  return {
    title: `Events in ${name}`,
    description: `The next events in ${name}.`,
    selfUrl,
    homeUrl: publicUrl + eventsPath(query),
    language: locale,
    timezone,
    currency,
    updatedAt,
    total,
    maxRecords: limit,
  };
}

const newest = (records: readonly { updatedAt: number }[]): number => Math.max(0, ...records.map(({ updatedAt }) => updatedAt));

/** Events in one document. The whole directory is for the API. */
const FEED_LIMITS = { rss: 50, ics: 100 } as const;
const FEED_NAMES: ReadonlySet<string> = new Set(['category', 'neighborhood', 'venue_id', 'when', 'free', 'price_max', 'tags']);
const PLAIN = { 'Content-Type': 'text/plain; charset=utf-8' };
/** A quarter of an hour, as the calendar of one event. */
const CACHE = 'public, max-age=900';
