/** What the public page of a venue shows: what the API answers of it, and what is on there. */

import { readEventRecord } from '../../feeds/index.ts';
import { shareImageOf } from '../../pictures/index.ts';
import type { VenueFields, VenueSummary } from '../../records/index.ts';
import type { PageLanguage } from '../model/page-language.ts';
import type { PublicVenue, RemovedRecord } from '../model/records.ts';
import { bySoonest, readEventCard } from './cards.ts';
import { neighborhoodOf, upcoming } from './event-page.ts';
import { readRecordMap } from './map-areas.ts';
import { breadcrumbMarkup, eventMarkup, venueMarkup, writeMarkup } from './markup.ts';
import { findPublicVenue } from './public-records.ts';
import type { Rooms } from './rooms.ts';

/** Throws as `findPublicVenue`. */
export async function readPublicVenue(
  rooms: Pick<Rooms, 'store' | 'search' | 'clocks' | 'publicUrl'>,
  slug: string,
  { text }: PageLanguage,
): Promise<PublicVenue | RemovedRecord> {
  const { clocks, publicUrl } = rooms;
  const now = clocks.directory();
  const found = await findPublicVenue(rooms, slug);
  const { snapshot } = found;
  if ('removedId' in found) {
    const teasers = upcoming(snapshot, now).map((item) => readEventCard(snapshot, item, publicUrl));
    return { isGone: true, kind: 'venue', teasers: teasers.sort(bySoonest) };
  }
  const { city } = snapshot;
  const json = snapshot.writeVenues([found.item], 'detail', now, '', '').toString();
  const { metadata, ...venue } = JSON.parse(json) as VenueAnswer;
  const { openingHours, ...others } = metadata;
  const coming = {
    venueId: venue.id,
    from: now,
    to: Number.POSITIVE_INFINITY,
    sort: 'start',
    limit: MAX_COMING,
    offset: 0,
  } as const;
  const { items, total } = snapshot.events(coming);
  const marked = items.slice(0, MAX_MARKED).map((item) => {
    const record = readEventRecord(snapshot, item);
    const { links, movedFrom } = snapshot.facts(item);
    const { event } = record;
    const share = shareImageOf({ ...event, startPrecision: record.startPrecision }, city, publicUrl);
    const facts = { currency: city.currency, cityName: city.name, images: [publicUrl + share.src], movedFrom, isSeries: false };
    return eventMarkup({ ...record, ...facts, offerUrl: links[0]?.url ?? event.url });
  });
  const steps = [
    { name: city.name, url: `${publicUrl}/` },
    { name: text(`venueType.${venue.type}`), url: `${publicUrl}/venues/${venue.type}` },
    { name: venue.name, url: venue.url },
  ];
  const [first] = items;
  const precision = snapshot.venueExtras(found.item).locationPrecision;
  const markedVenue = { ...venue, website: others.website, openingHours, isInArea: precision === 'area' };
  const firstEvent = first !== undefined && readEventRecord(snapshot, first);
  return {
    ...venue,
    ...others,
    neighborhood: neighborhoodOf(snapshot, venue.neighborhood, now),
    hours: openingHours,
    map: await readRecordMap(rooms, { ...venue, precision }),
    upcoming: { total, events: items.map((item) => readEventCard(snapshot, item, publicUrl)) },
    share: firstEvent ? shareImageOf({ ...firstEvent.event, startPrecision: firstEvent.startPrecision }, city, publicUrl) : null,
    markup: [venueMarkup(markedVenue, city.name, marked), breadcrumbMarkup(steps)].map(writeMarkup),
  };
}

/** As `GET /venues/{id}` answers. */
interface VenueAnswer extends VenueSummary {
  metadata: Pick<VenueFields, 'website' | 'parking' | 'transitNearby' | 'openingHours'>;
}

const MAX_COMING = 60;
const MAX_MARKED = 10;
