/** A schema.org/Schedule into the times at which an event takes place, by the recurrence rules of iCalendar. */

import { DAY_MS } from '../../../values/duration.ts';
import { formatIso, type IsoMoment, readIsoClock, readIsoMoment } from '../../fields/iso.ts';
import { readWholeDays } from '../../fields/whole-days.ts';
import type { EventListing } from '../../listing.ts';
import type { SourceFacts } from '../../provider.ts';
import { type ExpandLimits, expandRule } from '../ical/expand-rule.ts';
import { readRule } from '../ical/rule.ts';
import { type Graph, get, type Node, textOf, textsOf } from './node.ts';
import { ruleOfSchedule } from './schedule-rule.ts';

export type ListedTimes = Pick<EventListing, 'start' | 'end' | 'zone' | 'isAllDay'>;

export interface ScheduleTimes {
  times: ListedTimes[];
  /** It repeats, however many times of it there are. */
  isSeries: boolean;
  flaws: { field: string; reason: string }[];
}

/**
 * Inside the window, where the schedule repeats. All clocks are those of `scheduleTimezone`, else of the city; an offset tells a time on
 * them. `event` says what the schedule leaves out.
 */
export function readSchedule(schedule: Node, event: Node, graph: Graph, source: SourceFacts): ScheduleTimes {
  try {
    return timesOf(schedule, event, graph, source);
  } catch (error) {
    if (error instanceof BadSchedule)
      return { times: [], isSeries: false, flaws: [{ field: 'eventSchedule', reason: error.message }] };
    throw error;
  }
}

class BadSchedule extends Error {}

function timesOf(schedule: Node, event: Node, graph: Graph, source: SourceFacts): ScheduleTimes {
  const zone = zoneOf(schedule);
  const clock = createClock(zone ?? source.zone);
  const said = (key: string): string | null => textOf(get(schedule, key)) ?? textOf(get(event, key));
  const first = said('startDate') === null ? null : momentAt(schedule, event, 'startDate');
  const { rule: ruleText, needsStart } = readRuleText(schedule, graph, first?.day ?? null);
  if (first === null && needsStart) throw new BadSchedule('startDate: wanted a date, got nothing');
  const start = startOf(schedule, first ?? clock.today(source.window.from), clock);
  const length = lengthOf(schedule, event, start, clock);
  const toTimes = (wall: number): ListedTimes => {
    const end = length === null ? null : formatWall(wall + length, start.isDate);
    return { ...readWholeDays(formatWall(wall, start.isDate), end), zone };
  };
  if (ruleText === null) return { times: [onceOf(schedule, toTimes(start.wall), clock, start)], isSeries: false, flaws: [] };

  const rule = readRule(ruleText);
  if (typeof rule === 'string') throw new BadSchedule(rule);
  const range = {
    from: clock.wallOf(source.window.from) - Math.max(DAY_MS, length ?? 0),
    until: clock.wallOf(source.window.until),
    last: lastOf(schedule, clock),
  };
  const expanded = expandRule(rule, start, range, LIMITS);
  if (!expanded.ok) throw new BadSchedule(expanded.reason);
  const isExcepted = exceptionsOf(schedule, clock);
  const within = clock.wallOf(source.window.from);
  const walls = expanded.walls.filter(
    (wall) => !isExcepted(wall) && wall + Math.max(length ?? 0, start.isDate ? DAY_MS : 1) > within,
  );
  const reason = `the schedule gives more than ${LIMITS.instances} times; the first ${LIMITS.instances} are listed`;
  const flaws = expanded.isCut ? [{ field: 'eventSchedule', reason }] : [];
  return { times: walls.map(toTimes), isSeries: true, flaws };
}

function readRuleText(schedule: Node, graph: Graph, day: string | null): { rule: string | null; needsStart: boolean } {
  const read = ruleOfSchedule(schedule, graph, day);
  if (!read.ok) throw new BadSchedule(read.reason);
  return read;
}

function zoneOf(schedule: Node): string | null {
  const text = textOf(get(schedule, 'scheduleTimezone'))?.replaceAll(' ', '_') ?? null;
  const isKnown = text === null || readIsoMoment(`2026-01-01T00:00[${text}]`)?.zone != null;
  if (!isKnown) throw new BadSchedule(`scheduleTimezone: wanted the name of a time zone, got ${print(text)}`);
  return text;
}

interface ScheduleStart {
  wall: number;
  isDate: boolean;
}

/** `startTime` on the first day, else the time of `startDate`, else days whose hour is unknown. */
function startOf(schedule: Node, first: IsoMoment, clock: ScheduleClock): ScheduleStart {
  const time = textOf(get(schedule, 'startTime'));
  if (time === null) return { wall: clock.wallAt(first), isDate: first.time === null };
  const wall = clock.wallOnDay(first.day, time);
  if (wall === null) throw new BadSchedule(`startTime: wanted an ISO 8601 time, got ${print(time)}`);
  return { wall, isDate: false };
}

/** On the clock. An end at or before the start is on the next day; one that cannot be read is unknown. */
function lengthOf(schedule: Node, event: Node, { wall, isDate }: ScheduleStart, clock: ScheduleClock): number | null {
  if (isDate) return null;
  const end = clock.wallOnDay(formatWall(wall, true), textOf(get(schedule, 'endTime')) ?? '');
  if (end !== null) return end > wall ? end - wall : end - wall + DAY_MS;
  const duration = textOf(get(schedule, 'duration')) ?? textOf(get(event, 'duration'));
  try {
    const after = duration === null ? null : Temporal.PlainDateTime.from(formatWall(wall, false)).add(duration);
    const length = after === null ? 0 : Date.parse(`${after.toString({ smallestUnit: 'second' })}Z`) - wall;
    return length > 0 ? length : null;
  } catch {
    return null;
  }
}

/** What takes place once may last until a later day. */
function onceOf(schedule: Node, times: ListedTimes, clock: ScheduleClock, start: ScheduleStart): ListedTimes {
  const text = textOf(get(schedule, 'endDate'));
  const last = text === null ? null : readIsoMoment(text);
  if (last === null || last.day <= formatWall(start.wall, true)) return times;
  const end = clock.wallOnDay(last.day, textOf(get(schedule, 'endTime')) ?? '');
  const isDay = end === null && last.time === null;
  return {
    ...readWholeDays(formatWall(start.wall, start.isDate), formatWall(end ?? clock.wallAt(last), isDay)),
    zone: times.zone,
  };
}

/** The last time, inclusive: a date, and a midnight that a program made of one, count to the end of the day. */
function lastOf(schedule: Node, clock: ScheduleClock): number | null {
  if (textOf(get(schedule, 'endDate')) === null) return null;
  const last = momentAt(schedule, schedule, 'endDate');
  return isDayOnly(last) ? wallOfDay(last.day) + DAY_MS - 1 : clock.wallAt(last);
}

/** `exceptDate`: a day, or one time of it. */
function exceptionsOf(schedule: Node, clock: ScheduleClock): (wall: number) => boolean {
  const [days, walls] = [new Set<string>(), new Set<number>()];
  for (const text of textsOf(get(schedule, 'exceptDate')).flatMap((each) => each.split(/,(?=\s*\d{4})/))) {
    const moment = readIsoMoment(text);
    if (moment === null) throw new BadSchedule(`exceptDate: wanted ISO 8601 dates, got ${print(text)}`);
    const wall = clock.wallAt(moment);
    if (isDayOnly(moment)) days.add(moment.day);
    else if (wall % DAY_MS === 0) days.add(formatWall(wall, true));
    else walls.add(wall);
  }
  return (wall) => walls.has(wall) || days.has(formatWall(wall, true));
}

function momentAt(schedule: Node, event: Node, key: string): IsoMoment {
  const text = textOf(get(schedule, key)) ?? textOf(get(event, key)) ?? '';
  const moment = readIsoMoment(text);
  if (moment === null) throw new BadSchedule(`${key}: wanted an ISO 8601 date, got ${print(text)}`);
  return moment;
}

type ScheduleClock = ReturnType<typeof createClock>;

/** Wall times are the milliseconds since 1970 that UTC would have when it shows that date and time. */
function createClock(zone: string) {
  const wallOf = (instant: number): number =>
    wallOfText(
      Temporal.Instant.fromEpochMilliseconds(instant)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' }),
    );
  const wallAt = (moment: IsoMoment): number => {
    const { day, time, offset } = moment;
    if (time === null) return wallOfDay(day);
    return offset === null ? wallOfText(`${day}T${time}`) : wallOf(Date.parse(formatIso(moment)));
  };
  return {
    wallOf,
    wallAt,
    /** A time of day, perhaps with a day of its own, which does not count. */
    wallOnDay(day: string, text: string): number | null {
      const told = readIsoMoment(text);
      const clock = readIsoClock((told?.time ?? text).trim().replace(/^T/i, ''));
      if (clock === null) return null;
      const offset = told?.offset ?? clock.offset;
      return wallAt({ day, time: clock.time, offset, zone: null }) + (clock.isNextDay ? DAY_MS : 0);
    },
    today: (instant: number): IsoMoment => ({ day: formatWall(wallOf(instant), true), time: null, offset: null, zone: null }),
  };
}

const isDayOnly = ({ time }: IsoMoment): boolean => time === null || /^00:00:00(?:\.0+)?$/.test(time);
const wallOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const wallOfText = (local: string): number => Math.floor(Date.parse(`${local}Z`) / SECOND_MS) * SECOND_MS;
const formatWall = (wall: number, isDate: boolean): string =>
  new Date(wall).toISOString().slice(0, isDate ? 'YYYY-MM-DD'.length : 'YYYY-MM-DDThh:mm:ss'.length);
const print = (text: string | null): string => JSON.stringify((text ?? '').slice(0, MAX_PRINTED));

/** As in calendars. */
const LIMITS: ExpandLimits = { instances: 750, periods: 10_000, candidates: 100_000 };
const SECOND_MS = 1_000;
const MAX_PRINTED = 64;
