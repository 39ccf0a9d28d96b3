/** Links that put an event into a calendar on the web. These calendars want an end, and would show no length without one. */

import { HOUR_MS, lastDayOf } from '../../../values/duration.ts';
import type { PublicEvent } from '../../model/records.ts';

type CalendarEvent = Pick<PublicEvent, 'title' | 'startDatetime' | 'endDatetime' | 'startPrecision' | 'url'> & {
  venue: Pick<PublicEvent['venue'], 'name' | 'address'>;
};

/** `timezone`: of the city. */
export function calendarLinks(event: CalendarEvent, timezone: string): PublicEvent['calendars'] {
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

const DAY_CHARS = 10;
/** Of an event whose end nobody lists. A concert, a play or a game takes about as long. */
const ASSUMED_LENGTH_MS = 2 * HOUR_MS;
