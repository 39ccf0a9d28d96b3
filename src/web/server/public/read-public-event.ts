/** What the public page of an event shows: what the API answers of it, and what there is beside it. */

import { readEventRecord } from '../../../feeds/index.ts';
import { pictureOf, shareImageOf } from '../../../pictures/index.ts';
import { loadStoredEvents } from '../../../records/index.ts';
import type { Snapshot } from '../../../search/index.ts';
import { DAY_MS } from '../../../values/duration.ts';
import type { PageLanguage } from '../../model/language/page-language.ts';
import { providerName } from '../../model/provider-names.ts';
import type { AreaName, ProviderLink, PublicEvent, RemovedRecord } from '../../model/records.ts';
import { readRecordMap } from '../maps/read-record-map.ts';
import { eventMarkup } from '../markup/event-markup.ts';
import { breadcrumbMarkup, writeMarkup } from '../markup/list-markup.ts';
import type { Rooms } from '../rooms.ts';
import { calendarLinks } from './calendar-links.ts';
import { bySoonest, teaserOf } from './event-teasers.ts';
import { findPublicEvent } from './find-public-record.ts';
import { relatedEvents, sameNight } from './related-events.ts';

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
    .map((item) => teaserOf(snapshot, item, publicUrl))
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

const OLD_AFTER_MS = 30 * DAY_MS;
const MAX_INSTEAD = 6;
