/**
 * The moments that a recurrence rule gives, within bounds (RFC 5545 §3.3.10). Everything here is on one wall clock: numbers are the
 * milliseconds since 1970 that UTC would have when it shows that date and time. What a zone makes of them is decided elsewhere.
 */

import { RRuleTemporal } from 'rrule-temporal';
import { DAY_MS, DAY_SECONDS } from '../../../values/duration.ts';
import { expandYearly } from './expand-yearly.ts';
import { BY_PARTS, type RecurrenceRule, WEEKDAYS } from './rule.ts';

export interface Start {
  wall: number;
  /** A date without a time: then the rule's hours, minutes and seconds mean nothing. */
  isDate: boolean;
}

/** From inclusive, until exclusive; `last` is UNTIL, inclusive. */
export interface TimeRange {
  from: number;
  until: number;
  last: number | null;
}

export interface ExpandLimits {
  /** How many moments are given; the earliest. */
  instances: number;
  /** How many periods (days, weeks …) are gone through. */
  periods: number;
  /** How many moments one period may have; it is looked at as a whole. */
  candidates: number;
}

export type Expanded = { ok: true; walls: number[]; isCut: boolean } | { ok: false; reason: string };

/** In order. DTSTART is among them, and counts, only where the rule gives it; see `countingStart`. */
export function expandRule(given: RecurrenceRule, start: Start, range: TimeRange, limits: ExpandLimits): Expanded {
  if (start.isDate && SUB_DAILY.has(given.frequency))
    return { ok: false, reason: `a ${given.frequency.toLowerCase()} rule needs a start with a time` };
  const timed = start.isDate ? { ...given, hours: null, minutes: null, seconds: null } : given;
  const last = Math.min(range.last ?? Number.POSITIVE_INFINITY, lastOfCount(timed, start.wall));
  const until = timed.count === 0 ? start.wall : Math.min(range.until, last + 1);
  const from = Math.max(range.from, start.wall);
  if (until <= from) return { ok: true, walls: [], isCut: false };
  if (slotsPerDay(timed) * (DAYS[timed.frequency] ?? 1) > limits.candidates)
    return { ok: false, reason: `the rule gives more than ${limits.candidates} moments in one period` };
  const rule = hasIdleCount(timed, start.wall, until) ? { ...timed, count: null } : timed;
  const expand = rule.frequency === 'YEARLY' ? expandYearly : expandByLibrary;
  const walls = expand(rule, start.wall, { from, until }, limits);
  if (walls === null) return { ok: false, reason: `the rule takes more than ${limits.periods} periods to follow` };
  return { ok: true, walls: walls.slice(0, limits.instances), isCut: walls.length > limits.instances };
}

/**
 * §3.3.10: "The DTSTART property value always counts as the first occurrence." So where no rule gives it, COUNT=4 leaves three times
 * to a rule, and COUNT=1 none.
 */
export function countingStart(rules: readonly RecurrenceRule[], start: Start): RecurrenceRule[] {
  const isSynchronized = rules.every(({ count }) => count === null) || rules.some((rule) => givesStart(rule, start));
  return rules.map((rule) => (isSynchronized || rule.count === null ? rule : { ...rule, count: rule.count - 1 }));
}

function givesStart(rule: RecurrenceRule, start: Start): boolean {
  if (BY_PARTS.every((part) => rule[part] === null)) return true;
  const range = { from: start.wall, until: start.wall + 1, last: null };
  const expanded = expandRule({ ...rule, count: null }, start, range, START_LIMITS);
  return !expanded.ok || expanded.walls.length > 0;
}

function expandByLibrary(
  rule: RecurrenceRule,
  start: number,
  { from, until }: { from: number; until: number },
  limits: ExpandLimits,
): number[] | null {
  const near = nearer(rule, start, from);
  try {
    const found = new RRuleTemporal({
      ...partsOf(near.rule),
      dtstart: utc(near.start),
      includeDtstart: false,
      maxIterations: limits.periods,
      cache: false,
    }).between(utc(from), utc(until - 1), true);
    return found.map(({ epochMilliseconds }) => epochMilliseconds);
  } catch (error) {
    // The library says by exceptions alone that a bound was reached or that a rule leads past the last day of Temporal.
    if (error instanceof Error) return null;
    throw error;
  }
}

function partsOf(rule: RecurrenceRule) {
  return {
    freq: rule.frequency,
    interval: rule.interval,
    wkst: WEEKDAYS[rule.weekStart - 1] ?? 'MO',
    ...(rule.count === null ? {} : { count: rule.count }),
    ...(rule.seconds && { bySecond: [...rule.seconds] }),
    ...(rule.minutes && { byMinute: [...rule.minutes] }),
    ...(rule.hours && { byHour: [...rule.hours] }),
    ...(rule.days && { byDay: rule.days.map(({ nth, weekday }) => `${nth === 0 ? '' : nth}${WEEKDAYS[weekday - 1]}`) }),
    ...(rule.monthDays && { byMonthDay: [...rule.monthDays] }),
    ...(rule.yearDays && { byYearDay: [...rule.yearDays] }),
    ...(rule.months && { byMonth: [...rule.months] }),
    ...(rule.positions && { bySetPos: [...rule.positions] }),
  };
}

/**
 * The same rule with a start shortly before `from`: without COUNT nothing depends on how long it has run, only on the phase of its
 * interval. So a weekly rule of 1970 costs as much as one of last week.
 */
function nearer(rule: RecurrenceRule, start: number, from: number): { rule: RecurrenceRule; start: number } {
  const unit = UNIT_MS[rule.frequency];
  if (rule.count !== null) return { rule, start };
  if (unit !== undefined) {
    const step = unit * rule.interval;
    // One period is left before `from`, so that BYSETPOS sees each of the others whole.
    const steps = Math.floor((from - start) / step) - 1;
    return { rule, start: start + Math.max(0, steps) * step };
  }
  const date = new Date(start);
  const target = new Date(from);
  const months = (target.getUTCFullYear() - date.getUTCFullYear()) * 12 + target.getUTCMonth() - date.getUTCMonth();
  const steps = Math.floor(months / rule.interval) - 1;
  if (steps <= 0) return { rule, start };
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + steps * rule.interval);
  return { rule: rule.days || rule.monthDays ? rule : { ...rule, monthDays: [day] }, start: date.getTime() };
}

/** Without BY parts each period gives one moment, so that COUNT is a last moment; else infinity. */
function lastOfCount(rule: RecurrenceRule, start: number): number {
  const unit = UNIT_MS[rule.frequency];
  const isPlain = BY_PARTS.every((part) => rule[part] === null);
  if (rule.count === null || unit === undefined || !isPlain) return Number.POSITIVE_INFINITY;
  return start + (rule.count - 1) * rule.interval * unit;
}

/** A COUNT that need not be counted: it is a last moment, or cannot be reached before `until` (`COUNT=1000000000`). */
function hasIdleCount(rule: RecurrenceRule, start: number, until: number): boolean {
  if (rule.count === null) return true;
  if (lastOfCount(rule, start) !== Number.POSITIVE_INFINITY) return true;
  const days = Math.ceil((until - start) / DAY_MS) + 1;
  return rule.count > days * (SUB_DAILY.has(rule.frequency) ? DAY_SECONDS : slotsPerDay(rule));
}

function slotsPerDay({ hours, minutes, seconds }: RecurrenceRule): number {
  return (hours?.length ?? 1) * (minutes?.length ?? 1) * (seconds?.length ?? 1);
}

function utc(wall: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC');
}

/** A rule that cannot be followed within them is refused with those of its series. */
const START_LIMITS: ExpandLimits = { instances: 1, periods: 10_000, candidates: 100_000 };
const SUB_DAILY: ReadonlySet<string> = new Set(['SECONDLY', 'MINUTELY', 'HOURLY']);
/** At most, in one period. */
const DAYS: Readonly<Record<string, number | undefined>> = { WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };
/** Periods of one length; months and years have none. */
const UNIT_MS: Readonly<Record<string, number | undefined>> = {
  SECONDLY: 1_000,
  MINUTELY: 60_000,
  HOURLY: 3_600_000,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
};
