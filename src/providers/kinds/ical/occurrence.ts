/** One time that an event takes place: when it ends, and whether that lies within the window. */

import { DAY_MS } from '../../../values/duration.ts';
import type { CalendarTime, Period, Span } from './moments.ts';
import type { CalendarEvent } from './read-event.ts';
import type { Zone } from './zones.ts';

export interface CalendarOccurrence {
  /** Whose words count: the series', or those of the event that changes this time of it. */
  event: CalendarEvent;
  /** The start as its series has it, before any change; null for an event that takes place once. */
  key: string | null;
  start: CalendarTime;
  /** Days: the first day after it, as a wall time. Else an instant; before the start where the calendar has the two exchanged. */
  end: number | null;
}

/** Of the event's own end or duration, from another start on. */
export function endOf(event: CalendarEvent, start: CalendarTime): number | null {
  return endAfter(start, event.duration, lengthOf(event));
}

/** `RDATE;VALUE=PERIOD` says how long it takes (§3.8.5.2). */
export function endOfPeriod(period: Period, start: CalendarTime): number | null {
  const { end } = period;
  return endAfter(start, period.duration, end && exactLength(period.start, end));
}

/** Milliseconds at most between start and end, daylight saving left aside; zero where it is unknown. */
export function spanOf(event: CalendarEvent): number {
  const { duration } = event;
  return Math.max(0, duration ? duration.days + duration.exact : (lengthOf(event) ?? 0));
}

/** The window is half-open, as `SourceFacts` has it: what still goes on at its first moment is in it. */
export function createWindowTest(window: { from: number; until: number }): (occurrence: CalendarOccurrence) => boolean {
  const bounds = new Map<Zone, { from: number; until: number }>();
  return ({ start, end }) => {
    const { zone, wall } = start;
    const on = bounds.get(zone) ?? { from: zone.wallOf(window.from), until: zone.wallOf(window.until) };
    bounds.set(zone, on);
    if (wall >= on.until) return false;
    if (start.isDate) return Math.max(end ?? 0, wall + DAY_MS) > on.from;
    return wall >= on.from || (end !== null && end > window.from);
  };
}

/** §3.8.5.3: an end given as DTEND makes each time of a series equally long; DURATION counts its days on the calendar. */
function endAfter(start: CalendarTime, duration: Span | null, length: number | null): number | null {
  if (duration) {
    const afterDays = start.wall + duration.days;
    if (start.isDate) return afterDays + Math.ceil(duration.exact / DAY_MS) * DAY_MS;
    return duration.days + duration.exact === 0 ? null : start.zone.instantOf(afterDays) + duration.exact;
  }
  if (length === null || length === 0) return null;
  return start.isDate ? start.wall + length : start.zone.instantOf(start.wall) + length;
}

/** From DTSTART to DTEND: days of the calendar for a date, else exact time. Null where no end is given. */
function lengthOf({ start, end }: CalendarEvent): number | null {
  if (!end) return null;
  if (!start.isDate) return exactLength(start, end);
  const days = Math.ceil((end.wall - start.wall) / DAY_MS);
  // Many write the same day twice for one day. DTEND is the first day after (§3.6.1).
  return days < 0 ? null : Math.max(1, days) * DAY_MS;
}

/** A start that its clock skips is moved on, perhaps past its end: then it lasts as long as the clocks say. */
function exactLength(start: CalendarTime, end: CalendarTime): number {
  const exact = end.zone.instantOf(end.wall) - start.zone.instantOf(start.wall);
  return exact <= 0 && end.zone === start.zone ? Math.max(exact, end.wall - start.wall) : exact;
}
