/** What a reader of an event may want beside it: its other nights, more at its venue, and the same night nearby. */

import { type EventSummary, runKey, type StartPrecision } from '../../../records/index.ts';
import type { Snapshot } from '../../../search/index.ts';
import { createCityTime } from '../../../values/city-time.ts';
import { serviceDay, serviceDayWindow } from '../../../values/named-window.ts';
import type { PublicEvent } from '../../model/records.ts';
import { bySoonest, readEventAnswer, teaserOf } from './event-teasers.ts';

type Related = Pick<PublicEvent, 'nights' | 'atVenue' | 'nearby'>;

/** `now`: directory time, milliseconds. */
export function relatedEvents(
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
    atVenue: atVenue.map((item) => teaserOf(snapshot, item, publicUrl)).sort(bySoonest),
    nearby: sameNight(snapshot, { at: Date.parse(event.startDatetime), precision: event.startPrecision, ...event.venue }, now)
      .map((item) => teaserOf(snapshot, item, publicUrl))
      .filter(({ id, venueName }) => id !== event.id && venueName !== event.venue.name)
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
export function sameNight(snapshot: Snapshot, { at, precision, latitude, longitude }: Night, now: number): readonly number[] {
  const city = createCityTime(snapshot.city.timezone);
  const { from, ...until } = serviceDayWindow(precision === 'time' ? serviceDay(at, city) : city.day(at), city);
  const within = (radius: number): readonly number[] => {
    const near = { latitude, longitude, radius };
    return snapshot.events({ from: Math.max(now, from), ...until, near, limit: MAX_TEASERS * 3, offset: 0 }).items;
  };
  const walk = within(WALK_METERS);
  return walk.length >= MAX_TEASERS ? walk : within(RIDE_METERS);
}

const WALK_METERS = 2_000;
const RIDE_METERS = 5_000;
const MAX_TEASERS = 6;
const MAX_NIGHTS = 12;
const MAX_LOOKED_AT = 100;
