/** What the public page of an event shows: what the API answers of it, and what there is beside it. */

import { data } from 'react-router';
import { describeEventCalendar, EVENT_FORMS, readEventRecord, writeForm } from '../../feeds/index.ts';
import { respondWithBytes } from '../../http/index.ts';
import { pictureOf, shareImageOf } from '../../pictures/index.ts';
import { type EventSummary, loadStoredEvents, runKey, type StartPrecision } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { DAY_CHARS, DAY_MS, HOUR_MS, lastDayOf } from '../../values/duration.ts';
import { serviceDay, serviceDayWindow } from '../../values/named-window.ts';
import type { PageLanguage } from '../model/page-language.ts';
import { providerName } from '../model/provider-names.ts';
import type { AreaName, ProviderLink, PublicEvent, RemovedRecord } from '../model/records.ts';
import { bySoonest, readEventAnswer, readEventCard } from './cards.ts';
import { readRecordMap } from './map-areas.ts';
import { breadcrumbMarkup, eventMarkup, writeMarkup } from './markup.ts';
import { findPublicEvent } from './public-records.ts';
import type { Rooms } from './rooms.ts';

type RecordRooms = Pick<Rooms, 'store' | 'search' | 'clocks' | 'publicUrl'>;

/** Throws as `findPublicEvent`. */
export async function readPublicEvent(
  rooms: RecordRooms,
  slug: string,
  { text }: PageLanguage,
): Promise<PublicEvent | RemovedRecord> {
  const { clocks, publicUrl } = rooms;
  const found = await findPublicEvent(rooms, slug, (current) => `/events/${current}`);
  const { snapshot } = found;
  const now = clocks.directory();
  if ('removedId' in found) return { isGone: true, kind: 'event', teasers: await nearRemoved(rooms, snapshot, found.removedId) };
  const record = readEventRecord(snapshot, found.item);
  const { event, status, startPrecision } = record;
  const { links: stored, movedFrom, organizer } = snapshot.facts(found.item);
  const { city } = snapshot;
  const shared = { ...event, startPrecision };
  const share = shareImageOf(shared, city, publicUrl);
  const picture = pictureOf(event, publicUrl);
  const links = stored.map(linkOf).sort((a, b) => Number(b.sellsTickets) - Number(a.sellsTickets));
  const related = relatedEvents(snapshot, shared, now, publicUrl);
  const neighborhood = neighborhoodOf(snapshot, event.venue.neighborhood, now);
  const images = [...(picture.isPoster ? [] : [picture.src]), share.src].map((path) => publicUrl + path);
  const marked = eventMarkup({
    ...record,
    currency: city.currency,
    cityName: city.name,
    images,
    offerUrl: links[0]?.url ?? event.url,
    movedFrom,
    isSeries: related.nights.length > 0,
  });
  const steps = [
    { name: city.name, url: `${publicUrl}/` },
    { name: text(`category.${event.category}`), url: `${publicUrl}/events/${event.category}` },
    { name: event.title, url: event.url },
  ];
  const precision = snapshot.extras(found.item).locationPrecision;
  const endsAt = Date.parse(event.endDatetime ?? event.startDatetime);
  return {
    ...event,
    sources: event.sources.map((each) => providerName(each).name),
    startPrecision,
    status,
    currency: city.currency,
    movedFrom,
    organizer,
    picture,
    share,
    links,
    venue: { ...event.venue, neighborhood, website: readWebsite(snapshot, event.venue.id, now) },
    map: await readRecordMap(rooms, { ...event.venue, precision }),
    calendars: calendarLinks({ ...event, startPrecision }, city.timezone),
    isOver: endsAt + (event.endDatetime === null ? unknownLength(startPrecision) : 0) < now,
    isOld: endsAt + OLD_AFTER_MS < now,
    ...related,
    markup: [marked, breadcrumbMarkup(steps)].map(writeMarkup),
  };
}

/** Where the end is unknown, an event is over when the day is. */
const unknownLength = (precision: PublicEvent['startPrecision']): number => (precision === 'time' ? DAY_MS / 2 : DAY_MS);

const linkOf = ({ provider, url }: { provider: string; url: string }): ProviderLink => {
  const { name, sellsTickets } = providerName(provider);
  return { url, provider: name, sellsTickets };
};

/** Best first where it took place; without its venue, the best that comes. */
async function nearRemoved(
  { store, clocks, publicUrl }: RecordRooms,
  snapshot: Snapshot,
  id: string,
): Promise<RemovedRecord['teasers']> {
  const now = clocks.directory();
  const fields = (await loadStoredEvents(store.db, [id])).get(id)?.fields;
  const venue = fields && snapshot.venue(fields.venueId, now);
  const items =
    fields && venue?.found === 'published'
      ? sameNight(snapshot, { at: fields.startsAt, precision: fields.precision, ...pointOf(snapshot, venue.item, now) }, now)
      : [];
  const chosen = items.length > 0 ? items : upcoming(snapshot, now);
  return chosen
    .slice(0, MAX_INSTEAD)
    .map((item) => readEventCard(snapshot, item, publicUrl))
    .sort(bySoonest);
}

/** The best of the next days. */
export const upcoming = (snapshot: Snapshot, now: number): readonly number[] =>
  snapshot.events({ from: now, to: now + 7 * DAY_MS, limit: MAX_INSTEAD, offset: 0 }).items;

function pointOf(snapshot: Snapshot, item: number, now: number): { latitude: number; longitude: number } {
  return JSON.parse(snapshot.writeVenues([item], 'list', now, '', '').toString()) as { latitude: number; longitude: number };
}

function readWebsite(snapshot: Snapshot, venueId: string, now: number): string | null {
  const found = snapshot.venue(venueId, now);
  if (found.found !== 'published') return null;
  const { metadata } = JSON.parse(snapshot.writeVenues([found.item], 'detail', now, '', '').toString()) as {
    metadata: { website: string | null };
  };
  return metadata.website;
}

export function neighborhoodOf(snapshot: Snapshot, slug: string | null, now: number): AreaName | null {
  if (slug === null) return null;
  const found = snapshot.neighborhoods(now).items.find((each) => each.slug === slug);
  return found ? { slug, name: found.name } : null;
}

type Related = Pick<PublicEvent, 'nights' | 'atVenue' | 'nearby'>;

/** `now`: directory time, milliseconds. */
function relatedEvents(
  snapshot: Snapshot,
  event: EventSummary & { startPrecision: StartPrecision },
  now: number,
  publicUrl: string,
): Related {
  const program = runKey(event.title);
  const { items } = snapshot.venueEvents(event.venue.id, now, MAX_LOOKED_AT, 0);
  const others = items
    .map((item) => ({ item, listed: readEventAnswer(snapshot, item) }))
    .filter(({ listed }) => listed.id !== event.id);
  const nights = others
    .filter(({ listed }) => runKey(listed.title) === program)
    .map(({ item, listed: { id, slug, title, startDatetime } }) => {
      return { id, slug, title, startDatetime, startPrecision: snapshot.lifecycle(item).startPrecision };
    })
    .sort(bySoonest);
  // The best of each program, which comes first in the order of the list.
  const programs = new Map(
    others
      .filter(({ listed }) => runKey(listed.title) !== program)
      .toReversed()
      .map(({ item, listed }) => [runKey(listed.title), item]),
  );
  const atVenue = [...programs.values()].toReversed().slice(0, MAX_TEASERS);
  return {
    nights: nights.slice(0, MAX_NIGHTS),
    atVenue: atVenue.map((item) => readEventCard(snapshot, item, publicUrl)).sort(bySoonest),
    nearby: sameNight(snapshot, { at: Date.parse(event.startDatetime), precision: event.startPrecision, ...event.venue }, now)
      .map((item) => readEventCard(snapshot, item, publicUrl))
      .filter(({ id, venue }) => id !== event.id && venue.name !== event.venue.name)
      .slice(0, MAX_TEASERS)
      .sort(bySoonest),
  };
}

interface Night {
  at: number;
  /** Midnight belongs to the night before; a day without an hour is its own. */
  precision: StartPrecision;
  latitude: number;
  longitude: number;
}

/** The best of the service day around `at`, within walking distance, or a short ride where few are; nothing of what has begun. */
function sameNight(snapshot: Snapshot, { at, precision, latitude, longitude }: Night, now: number): readonly number[] {
  const city = createCityTime(snapshot.city.timezone);
  const { from, ...until } = serviceDayWindow(precision === 'time' ? serviceDay(at, city) : city.day(at), city);
  const within = (radius: number): readonly number[] => {
    const near = { latitude, longitude, radius };
    return snapshot.events({ from: Math.max(now, from), ...until, near, limit: MAX_TEASERS * 3, offset: 0 }).items;
  };
  const walk = within(WALK_METERS);
  return walk.length >= MAX_TEASERS ? walk : within(RIDE_METERS);
}

type CalendarEvent = Pick<PublicEvent, 'title' | 'startDatetime' | 'endDatetime' | 'startPrecision' | 'url'> & {
  venue: Pick<PublicEvent['venue'], 'name' | 'address'>;
};

/** Links that put an event into a calendar on the web. These calendars want an end, and would show no length without one. `timezone`: of the city. */
function calendarLinks(event: CalendarEvent, timezone: string): PublicEvent['calendars'] {
  const { title, startDatetime: start, endDatetime, startPrecision, url, venue } = event;
  const isTimed = startPrecision === 'time';
  const startsAt = Date.parse(start);
  const listedEnd = endDatetime === null ? startsAt : Date.parse(endDatetime);
  const endsAt = listedEnd > startsAt ? listedEnd : startsAt + ASSUMED_LENGTH_MS;
  const location = [venue.name, venue.address].filter(Boolean).join(', ');
  const [firstDay, lastDay] = [
    start.slice(0, DAY_CHARS),
    endDatetime === null ? start.slice(0, DAY_CHARS) : lastDayOf(endDatetime),
  ];
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    // Google counts the day after the last one.
    dates: isTimed ? `${basic(inUtc(startsAt))}/${basic(inUtc(endsAt))}` : `${basic(firstDay)}/${basic(dayAfter(lastDay))}`,
    ctz: timezone,
    location,
    details: url,
  });
  const outlook = new URLSearchParams({
    rru: 'addevent',
    subject: title,
    startdt: isTimed ? inUtc(startsAt) : firstDay,
    enddt: isTimed ? inUtc(endsAt) : lastDay,
    allday: String(!isTimed),
    location,
    body: url,
  });
  return {
    google: `https://calendar.google.com/calendar/render?${google}`,
    outlook: `https://outlook.live.com/calendar/0/action/compose?${outlook}`,
  };
}

/** `20261128`: the basic form of ISO 8601. */
const basic = (text: string): string => text.replace(/[-:]/g, '');
/** `2026-11-29T02:00:00Z`: an hour on the wall comes twice when the clocks are set back. */
const inUtc = (instant: number): string => Temporal.Instant.fromEpochMilliseconds(instant).toString({ smallestUnit: 'second' });
const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

/**
 * The event as a calendar, for everybody: what "Add to calendar" downloads and what a calendar program may subscribe to. Throws 404, 410
 * and redirects as the page of the event.
 */
export async function answerEventCalendar(
  rooms: Pick<Rooms, 'store' | 'search'>,
  slug: string,
  request: Request,
): Promise<Response> {
  const found = await findPublicEvent(rooms, slug, eventCalendarPath);
  if ('removedId' in found) throw data(null, { status: 410 });
  const { snapshot, item } = found;
  const record = readEventRecord(snapshot, item);
  const body = new Uint8Array(writeForm(EVENT_FORMS.ics, describeEventCalendar(record, snapshot.city), [record]));
  const disposition = `attachment; filename="${slug}.ics"`;
  const further = { 'Content-Type': EVENT_FORMS.ics.contentType, 'Content-Disposition': disposition };
  return respondWithBytes(request, body, { 'Cache-Control': CACHE }, further);
}

const eventCalendarPath = (slug: string): string => `/events/${slug}/event.ics`;

const OLD_AFTER_MS = 30 * DAY_MS;
const MAX_INSTEAD = 6;
const WALK_METERS = 2_000;
const RIDE_METERS = 5_000;
const MAX_TEASERS = 6;
const MAX_NIGHTS = 12;
const MAX_LOOKED_AT = 100;
/** Of an event whose end nobody lists. A concert, a play or a game takes about as long. */
const ASSUMED_LENGTH_MS = 2 * HOUR_MS;
/** A quarter of an hour: a calendar program asks no more often. */
const CACHE = 'public, max-age=900';
