/** What the dates of a series mean on the clock that the series is told in: its own DTSTART's (RFC 5545 §3.8.5). */

import { DAY_MS } from '../../../values/duration.ts';
import type { CalendarTime } from './moments.ts';
import type { CalendarEvent } from './read-event.ts';
import type { RecurrenceRule } from './rule.ts';
import { formatBasic, readWall } from './wall.ts';

/** The wall time of the series at a moment that may be told in another zone; a whole day where the moment is a date. */
export function wallIn(start: CalendarTime, moment: CalendarTime): { wall: number; isDay: boolean } {
  const isDay = start.isDate || moment.isDate;
  const isSame = moment.isDate || moment.isLocal || moment.zone === start.zone;
  // The day of whole days is the one that is written, unless it is their midnight told in UTC.
  const isWritten = start.isDate && (moment.zone.kind !== 'utc' || moment.wall % DAY_MS === 0);
  const wall = isSame || isWritten ? moment.wall : start.zone.wallOf(moment.zone.instantOf(moment.wall));
  return { wall: isDay ? dayOf(wall) : wall, isDay };
}

/** As `wallIn`; a day alone names the time of the series on that day. */
export function timeOfSeries(start: CalendarTime, moment: CalendarTime): number {
  const { wall, isDay } = wallIn(start, moment);
  return isDay && !start.isDate ? wall + start.wall - dayOf(start.wall) : wall;
}

/** Membership in a list of moments, any of which may be a whole day. */
export function momentSet(start: CalendarTime, moments: readonly CalendarTime[]): (wall: number) => boolean {
  const [days, walls] = [new Set<number>(), new Set<number>()];
  for (const moment of moments) {
    const at = wallIn(start, moment);
    (at.isDay ? days : walls).add(at.wall);
  }
  return (wall) =>
    walls.has(wall) ||
    (days.size > 0 && days.has(dayOf(wall))) ||
    (walls.size > 0 && isMovedOnto(start, wall, (shown) => walls.has(shown)));
}

/**
 * Whether a time that the clock of the series skips is moved onto one of these, such as 02:30 onto 03:30: both are one time, and a
 * calendar may call it by either (§3.3.5).
 */
export function isMovedOnto({ zone, isDate }: CalendarTime, wall: number, isOneOf: (wall: number) => boolean): boolean {
  if (isDate) return false;
  const shown = zone.wallOf(zone.instantOf(wall));
  return shown !== wall && isOneOf(shown);
}

/**
 * The last wall time of a rule, inclusive (§3.3.10, UNTIL). It should be in UTC beside a zone; where it is a date, or local time, it
 * is meant on the clock of the series.
 */
export function lastOf(rule: RecurrenceRule, { start }: Pick<CalendarEvent, 'start'>): number | null {
  const until = rule.until === null ? null : readWall(rule.until);
  if (!until) return null;
  if (until.isDate) return start.isDate ? until.wall : until.wall + DAY_MS - 1;
  if (!until.isUtc || start.zone.kind === 'utc') return until.wall;
  if (!start.isDate) return start.zone.wallOf(until.wall);
  // Beside a date some programs write the midnight of the last day in UTC, some that of the day itself, or its last second.
  const isBare = until.wall % DAY_MS === 0 || (until.wall + 1_000) % DAY_MS === 0;
  return isBare ? until.wall : start.zone.wallOf(until.wall);
}

/** A wall time of the series as the calendar writes its start: `20260701T190000Z`. */
export function formatKey(start: CalendarTime, wall: number): string {
  return `${formatBasic(wall, start.isDate)}${start.zone.kind === 'utc' && !start.isDate ? 'Z' : ''}`;
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}
