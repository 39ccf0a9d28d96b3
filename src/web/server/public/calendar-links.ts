/** Links that put an event into a calendar on the web. Where the end is unknown, none is made up: the event ends when it starts. */

import { lastDayOf } from '../../../values/duration.ts';
import type { PublicEvent } from '../../model/records.ts';

type CalendarEvent = Pick<PublicEvent, 'title' | 'startDatetime' | 'endDatetime' | 'startPrecision' | 'url'> & {
  venue: Pick<PublicEvent['venue'], 'name' | 'address'>;
};

/** `timezone`: of the city. */
export function calendarLinks(event: CalendarEvent, timezone: string): PublicEvent['calendars'] {
  const { title, startDatetime: start, endDatetime, startPrecision, url, venue } = event;
  const isTimed = startPrecision === 'time';
  const end = endDatetime ?? start;
  const location = [venue.name, venue.address].filter(Boolean).join(', ');
  const [firstDay, lastDay] = [start.slice(0, DAY_CHARS), endDatetime === null ? start.slice(0, DAY_CHARS) : lastDayOf(end)];
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    // Google counts the day after the last one.
    dates: isTimed ? `${inUtc(start)}/${inUtc(end)}` : `${basic(firstDay)}/${basic(dayAfter(lastDay))}`,
    ctz: timezone,
    location,
    details: url,
  });
  const outlook = new URLSearchParams({
    rru: 'addevent',
    subject: title,
    startdt: isTimed ? start : firstDay,
    enddt: isTimed ? end : lastDay,
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
/** `20261129T020000Z`: an hour on the wall comes twice when the clocks are set back. */
const inUtc = (local: string): string => basic(Temporal.Instant.from(local).toString({ smallestUnit: 'second' }));
const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

const DAY_CHARS = 10;
