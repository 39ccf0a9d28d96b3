/** Port Alder as the read model takes it: the lines of the demo city with ids, slugs and scores, without a database. */

import { DEMO_CITY, demoBundle, type EventLine, type VenueLine } from '../demo/index.ts';
import { contextAlone, listedContexts, scoreOf, type UnscoredEvent } from '../ingest/index.ts';
import { scoreFacts } from '../ranking/index.ts';
import { type Event, type Signal, slugify } from '../records/index.ts';
import type { DirectoryRows, EventRow, NeighborhoodRow, VenueRow } from '../search/index.ts';
import { createCityTime } from '../values/city-time.ts';
import { pointInside } from '../values/polygon.ts';
import { testId } from './test-id.ts';

/** `startOfWeek`: the first instant of a Monday, milliseconds. `publicUrl` without a trailing slash: its posters are those of the demo city. */
export function testCityRows(startOfWeek: number, publicUrl: string): DirectoryRows {
  const bundle = demoBundle({ now: startOfWeek });
  const { center, ...city } = bundle.city;
  const venues = bundle.venues.map(toVenue);
  return {
    seq: 0,
    city: { ...city, ...center },
    neighborhoods: bundle.neighborhoods.features.map(toNeighborhood),
    venues,
    events: toEvents(bundle.events, new Map(venues.map((venue) => [venue.id, venue])), startOfWeek, publicUrl),
  };
}

type Feature = ReturnType<typeof demoBundle>['neighborhoods']['features'][number];

function toNeighborhood({ properties: { slug, name, description }, geometry }: Feature): NeighborhoodRow {
  const [longitude, latitude] = pointInside(geometry);
  return { id: testId('neighborhood', slug), slug, name, description, latitude, longitude };
}

function toVenue({ externalId, metadata, ...line }: VenueLine): VenueRow {
  return {
    ...line,
    ...metadata,
    id: testId('venue', externalId),
    slug: slugify(line.name),
    state: 'published',
    mergedInto: null,
  };
}

function toEvents(
  lines: readonly EventLine[],
  venues: ReadonlyMap<string, VenueRow>,
  now: number,
  publicUrl: string,
): EventRow[] {
  const time = createCityTime(DEMO_CITY.timezone);
  const slugs = new Set<string>();
  const unscored = lines.map((line) => toEvent(line, publicUrl));
  const contexts = listedContexts(unscored, venues, now, time);
  return unscored.map((event, index): EventRow => {
    const signals = (lines[index]?.signals ?? []).map(
      ({ kind, value, observedAt }): Signal => ({ kind, value, observedAt: Date.parse(observedAt) }),
    );
    const scored = scoreOf(scoreFacts(event, contexts.get(event.id) ?? contextAlone(), signals), now);
    const { appeal, ...score } = scored;
    return {
      ...event,
      ...score,
      slug: slugOf(event, slugs),
      signals,
      scores: appeal === null ? [] : [{ day: time.day(now), score: appeal }],
      scoredAt: now,
      updatedAt: now,
      state: 'published',
      mergedInto: null,
    };
  });
}

function toEvent({ externalId, startDatetime, endDatetime, venue, imageUrl, signals: _, ...line }: EventLine, publicUrl: string) {
  return {
    ...line,
    id: testId('event', externalId),
    startsAt: Date.parse(startDatetime),
    endsAt: endDatetime === null ? null : Date.parse(endDatetime),
    precision: 'time',
    organizer: null,
    imageUrl: imageUrl && publicUrl + imageUrl,
    venueId: testId('venue', venue),
  } satisfies UnscoredEvent;
}

/** Titles come back with every date of a production. */
function slugOf({ id, title }: Pick<Event, 'id' | 'title'>, taken: Set<string>): string {
  const plain = slugify(title);
  const slug = plain === '' || taken.has(plain) ? `${plain}-${id.slice(0, SLUG_ID_CHARS)}` : plain;
  taken.add(slug);
  return slug;
}

const SLUG_ID_CHARS = 8;
