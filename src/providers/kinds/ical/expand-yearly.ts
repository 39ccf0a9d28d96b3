/**
 * Yearly recurrence rules. RFC 5545 §3.3.10, notes 1 and 2 of its table: BYDAY limits where BYMONTHDAY or BYYEARDAY is given, and a
 * week of BYWEEKNO belongs to the year that has its fourth day. rrule-temporal 2.2 adds where it should limit and ical.js 2.2
 * leaves BYWEEKNO out, so these are expanded here: a day belongs to the rule when every part agrees to it.
 */

import { DAY_MS } from '../../../values/duration.ts';
import type { ExpandLimits } from './expand-rule.ts';
import type { RecurrenceRule } from './rule.ts';

/** As `expandRule`, which sees to UNTIL; one more than the limit tells that there are more. Null where a bound was reached. */
export function expandYearly(
  given: RecurrenceRule,
  start: number,
  range: { from: number; until: number },
  limits: Pick<ExpandLimits, 'instances' | 'periods'>,
): number[] | null {
  const rule = completed(given, dayOf(start));
  const firstYear = yearOfStart(rule, dayOf(start));
  // The weeks of a year may begin in the one before.
  const lastYear = partsOfDay(dayOf(range.until)).year + (rule.weeks ? 1 : 0);
  const yearsBefore = partsOfDay(dayOf(range.from)).year - firstYear;
  const skipped = rule.count === null ? Math.max(0, Math.floor(yearsBefore / rule.interval) - 1) : 0;
  const times = timesOf(rule, start);
  const instances = createInstances(rule.count, start, range, limits.instances);
  let periods = 0;
  for (let year = firstYear + skipped * rule.interval; year <= lastYear; year += rule.interval) {
    periods++;
    const days = daysOfYear(year, rule);
    if (periods > limits.periods) return null;
    for (const wall of atPositions(days, times, rule.positions)) if (!instances.take(wall)) return instances.found;
  }
  return instances.found;
}

/** Takes times in their order until the rule, the range or the limit has an end. */
function createInstances(count: number | null, start: number, range: { from: number; until: number }, limit: number) {
  const found: number[] = [];
  let counted = 0;
  return {
    found,
    /** False: no later one is wanted. */
    take(wall: number): boolean {
      if (wall < start) return true;
      counted++;
      if (wall >= range.until || (count !== null && counted > count)) return false;
      if (wall >= range.from) found.push(wall);
      return found.length <= limit;
    },
  };
}

/**
 * The year that INTERVAL is counted from. Days around New Year may be of a week of the other year: they count there as long as the
 * rule has a day left in it.
 */
function yearOfStart(rule: RecurrenceRule, startDay: number): number {
  const { year } = partsOfDay(startDay);
  if (!rule.weeks) return year;
  const weekYear = weekOf(startDay, rule.weekStart).year;
  const hasMore = daysOfYear(weekYear, rule).some((day) => day >= startDay);
  return hasMore ? weekYear : Math.max(weekYear, year);
}

/** With what the rule leaves open, taken from DTSTART (§3.3.10): the month and its day, also the month of a BYMONTHDAY alone. */
function completed(rule: RecurrenceRule, startDay: number): RecurrenceRule {
  const { month, day, weekday } = partsOfDay(startDay);
  if (rule.weeks) return { ...rule, days: rule.days ?? [{ nth: 0, weekday }] };
  if (rule.days || rule.yearDays) return rule;
  return { ...rule, months: rule.months ?? [month], monthDays: rule.monthDays ?? [day] };
}

/** As days since 1970, in order; of the weeks that belong to the year where the rule speaks of weeks. */
function daysOfYear(year: number, rule: RecurrenceRule): number[] {
  const { weeks, weekStart, months } = rule;
  const all = weeks
    ? daysBetween(firstDayOfWeeks(year, weekStart), firstDayOfWeeks(year + 1, weekStart))
    : (months ?? ALL_MONTHS).flatMap((month) => daysBetween(epochDay(year, month, 1), epochDay(year, month + 1, 1)));
  return all.filter((day) => agrees(rule, day));
}

function daysBetween(first: number, next: number): number[] {
  return Array.from({ length: next - first }, (_, at) => first + at);
}

function agrees({ months, monthDays, yearDays, weeks, weekStart, days }: RecurrenceRule, day: number): boolean {
  const parts = partsOfDay(day);
  if (months && !months.includes(parts.month)) return false;
  if (monthDays && !wanted(monthDays, parts.day, parts.daysInMonth)) return false;
  if (yearDays && !wanted(yearDays, parts.dayOfYear, parts.daysInYear)) return false;
  if (weeks) {
    const week = weekOf(day, weekStart);
    if (!wanted(weeks, week.number, week.weeksInYear)) return false;
  }
  if (!days) return true;
  // Numbered within the month where the rule names months, else within the year.
  const [at, length] = months ? [parts.day, parts.daysInMonth] : [parts.dayOfYear, parts.daysInYear];
  return days.some(({ nth, weekday }) => {
    if (weekday !== parts.weekday) return false;
    if (nth === 0) return true;
    return nth > 0 ? Math.ceil(at / 7) === nth : -Math.ceil((length - at + 1) / 7) === nth;
  });
}

/** Whether the list has the number, or has it counted from the end. */
function wanted(list: readonly number[], number: number, length: number): boolean {
  return list.includes(number) || list.includes(number - length - 1);
}

function timesOf(rule: RecurrenceRule, start: number): number[] {
  const date = new Date(start);
  const hours = rule.hours ?? [date.getUTCHours()];
  const minutes = rule.minutes ?? [date.getUTCMinutes()];
  const seconds = rule.seconds ?? [date.getUTCSeconds()];
  return hours.flatMap((hour) =>
    minutes.flatMap((minute) => seconds.map((second) => ((hour * 60 + minute) * 60 + second) * 1_000)),
  );
}

function* atPositions(days: readonly number[], times: readonly number[], positions: readonly number[] | null): Generator<number> {
  const size = days.length * times.length;
  const at = (index: number) => (days[Math.floor(index / times.length)] ?? 0) * DAY_MS + (times[index % times.length] ?? 0);
  if (positions === null) {
    for (let index = 0; index < size; index++) yield at(index);
    return;
  }
  const chosen = new Set(positions.map((position) => (position > 0 ? position - 1 : size + position)));
  for (const index of [...chosen].sort((a, b) => a - b)) if (index >= 0 && index < size) yield at(index);
}

function weekOf(day: number, weekStart: number): { year: number; number: number; weeksInYear: number } {
  let { year } = partsOfDay(day);
  if (day >= firstDayOfWeeks(year + 1, weekStart)) year++;
  else if (day < firstDayOfWeeks(year, weekStart)) year--;
  const first = firstDayOfWeeks(year, weekStart);
  return {
    year,
    number: Math.floor((day - first) / 7) + 1,
    weeksInYear: (firstDayOfWeeks(year + 1, weekStart) - first) / 7,
  };
}

/** Week 1 is the first with at least four days in the year, so it has January 4 (§3.3.10, BYWEEKNO). */
function firstDayOfWeeks(year: number, weekStart: number): number {
  const fourth = epochDay(year, 1, 4);
  return fourth - ((weekdayOf(fourth) - weekStart + 7) % 7);
}

function partsOfDay(day: number) {
  const date = new Date(day * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1];
  const first = epochDay(year, 1, 1);
  return {
    year,
    month,
    day: date.getUTCDate(),
    weekday: weekdayOf(day),
    dayOfYear: day - first + 1,
    daysInYear: epochDay(year + 1, 1, 1) - first,
    daysInMonth: epochDay(year, month + 1, 1) - epochDay(year, month, 1),
  };
}

/** 1 is Monday: 1970-01-01 was a Thursday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS);
}

/** Days since 1970-01-01 in the Gregorian calendar, month 13 being January of the next year. `Date` would do, many times slower. */
function epochDay(year: number, month: number, day: number): number {
  if (month > MONTHS) return epochDay(year + 1, month - MONTHS, day);
  // Counted from March 1 of the year 0, so that a leap day is the last day of its year.
  const years = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leapDays + Math.floor((monthsSinceMarch * 153 + 2) / 5) + day - 1 - DAYS_TO_1970;
}

/** From March 1 of the year 0. */
const DAYS_TO_1970 = 719_468;
const MONTHS = 12;
const ALL_MONTHS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
