/** Spans as dates that exist: missing months, years and ends are found, and everything said is checked. */

import { DateTextError } from './item.ts';
import { type DateSpan, hasDay, type SpanPoint } from './spans.ts';
import { offsetAt } from './zones.ts';

/** `YYYY-MM-DDThh:mm:00` with or without an offset, or `YYYY-MM-DD`. A day as the end is the last one. */
export interface DatedSpan {
  start: string;
  end: string | null;
}

type Day = Temporal.PlainDate;

/** `today`: the day on which the text was read; null where nobody knows. */
export function occurrencesOf(spans: readonly DateSpan[], today: Day | null, zone: string | null): DatedSpan[] {
  const dated = withDays(spans, today);
  const timed = withTimes(dated);
  if (timed.length > MAX_OCCURRENCES) throw new DateTextError(`it has more than ${MAX_OCCURRENCES} dates`, { isFinal: true });
  return timed.map((span) => occurrenceOf(span, zone));
}

interface DatedPoint {
  day: Day | null;
  time: number | null;
}

/** Each point that has a day, with a day that exists. A list of hours is about the day before them. */
function withDays(spans: readonly DateSpan[], today: Day | null): DatedPoint[][] {
  const points = spans.flat();
  const found = resolveDays(completed(points.filter(hasDay)), today);
  const dayOf = new Map(points.filter(hasDay).map((point, index) => [point, found[index] ?? null]));
  let last: Day | null = null;
  return spans.map((span) => {
    const dated = span.map((point) => ({ day: dayOf.get(point) ?? null, time: point.time }));
    const [first] = dated;
    if (first && dated.every(({ day }) => day === null)) first.day = last;
    last = dated.find(({ day }) => day !== null)?.day ?? last;
    return dated;
  });
}

/** Where only the last of a list has hours, all have them: `3, 4 and 5 July, 8 pm`. */
function withTimes(spans: readonly DatedPoint[][]): DatedPoint[][] {
  const hasTime = (span: readonly DatedPoint[]) => span.some(({ time }) => time !== null);
  const last = spans.at(-1);
  if (last === undefined || !hasTime(last) || spans.filter(hasTime).length > 1) return [...spans];
  const times = last.map(({ time }) => time).filter((time) => time !== null);
  return spans.map((span) => (span === last ? span : [...span, ...times.map((time) => ({ day: null, time }))]));
}

function occurrenceOf(span: readonly DatedPoint[], zone: string | null): DatedSpan {
  const days = span.flatMap(({ day }) => (day ? [day] : []));
  const times = span.flatMap(({ time }) => (time === null ? [] : [time]));
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new DateTextError('it has no date');
  if (days.length > 2 || times.length > 2) throw new DateTextError('it has more than a start and an end', { isFinal: true });
  const lastDay = days.length > 1 ? last : null;
  if (lastDay && Temporal.PlainDate.compare(lastDay, first) < 0) throw endsEarly(lastDay, first);
  const [from, until] = times;
  const end = lastDay?.toString() ?? null;
  if (from === undefined) return { start: first.toString(), end };
  const start = moment(first, from, zone);
  if (until === undefined) return { start, end };
  const isLater = lastDay !== null || until > from;
  if (lastDay?.equals(first) && until <= from) throw endsEarly(lastDay, first);
  return { start, end: moment(isLater ? last : last.add({ days: 1 }), until, zone) };
}

function moment(day: Day, minutes: number, zone: string | null): string {
  const on = day.add({ days: Math.trunc(minutes / DAY_MINUTES) });
  const two = (value: number) => String(value).padStart(2, '0');
  const local = `${on.toString()}T${two(Math.trunc(minutes / 60) % 24)}:${two(minutes % 60)}:00`;
  const offset = zone === null ? '' : offsetAt(zone, local);
  if (offset === null) throw new DateTextError(`${local} is skipped or doubled by a change of clocks`, { isFinal: true });
  return local + offset;
}

function endsEarly(end: Day, start: Day): DateTextError {
  return new DateTextError(`its end, ${end.toString()}, is before its start, ${start.toString()}`, { isFinal: true });
}

// --- Months and years --------------------------------------------------------------------------------------------------------------

/** A month that is missing is that of the next date, as in `du 3 au 7 juillet`, else that of the one before, as in `July 3–7`. */
function completed(points: readonly SpanPoint[]): SpanPoint[] {
  const months = points.map(({ date }) => date?.month ?? null);
  return points.map((point, index) => {
    if (point.date === null || point.date.month !== null) return point;
    const month =
      months.slice(index + 1).find((each) => each !== null) ?? months.slice(0, index).findLast((each) => each !== null);
    if (month === undefined) throw new DateTextError(`the day ${point.date.day} has no month`);
    return { ...point, date: { ...point.date, month } };
  });
}

function resolveDays(points: readonly SpanPoint[], today: Day | null): Day[] {
  if (points.length === 0) throw new DateTextError('it has no date');
  for (const { date } of points) if (date) checkDay(date);
  const years = points.map(({ date }) => date?.year ?? null);
  const stated = years.find((year) => year !== null);
  if (stated !== undefined && stated !== null) return withStatedYears(points, years, today);
  if (today === null) throw new DateTextError('it has no year, and the day on which it was read is unknown', { isFinal: true });
  if (points.every(({ date }) => date === null)) return inOrder(points, today, today.year);
  return nearest(points, today);
}

/** The year that one of the dates states counts for all; at a turn of the year, one more or less. */
function withStatedYears(points: readonly SpanPoint[], years: readonly (number | null)[], today: Day | null): Day[] {
  const at = years.findIndex((year) => year !== null);
  const days: Day[] = [];
  const base = years[at] ?? 0;
  for (const [index, point] of points.entries()) {
    const before = days.at(-1);
    const year = years[index] ?? (index < at ? base : (before?.year ?? base));
    const day = dayIn(point, year, today);
    if (day === null) throw wrongDay(point, year);
    const turned = years[index] === null && index > at && before ? dayIn(point, year + 1, today) : null;
    days.push(before && turned && isTurnOfYear(before, day, turned) ? turned : day);
  }
  // `Dec 30 – Jan 2, 2027` starts in 2026.
  const stated = days[at];
  const turned = days.map((day, index) => {
    const point = points[index];
    const earlier = index < at && point ? dayIn(point, base - 1, today) : null;
    return stated && earlier && isTurnOfYear(day, stated, stated, earlier) ? earlier : day;
  });
  for (const [index, day] of turned.entries()) checkWeekday(points[index], day);
  return turned;
}

/** Whether `last`, which is before `first` in the same year, is meant of the year after: not for a whole year. */
function isTurnOfYear(first: Day, last: Day, moved: Day, from = first): boolean {
  return Temporal.PlainDate.compare(last, first) < 0 && from.until(moved).days <= MAX_TURN_DAYS;
}

/** The first year in which all of them are days, on the weekdays that are stated, and the last is not over; else the year that just was. */
function nearest(points: readonly SpanPoint[], today: Day): Day[] {
  const isLeapDay = points.some(({ date }) => date?.day === 29 && date.month === 2);
  const years = Array.from({ length: isLeapDay ? MAX_LEAP_YEARS + 2 : 3 }, (_, index) => today.year - 1 + index);
  const readings = years.flatMap((year) => {
    try {
      return [inOrder(points, today, year)];
    } catch (error) {
      if (error instanceof DateTextError) return [];
      throw error;
    }
  });
  const yesterday = today.subtract({ days: 1 });
  const isAhead = (days: readonly Day[]) => Temporal.PlainDate.compare(days.at(-1) ?? today, yesterday) >= 0;
  const isRecent = (days: readonly Day[]) => days.every((day) => day.until(today).days <= YEAR_DAYS);
  const isChecked = points.some(({ weekday }) => weekday !== null);
  const found = readings.find(isAhead) ?? (isChecked ? readings.findLast(isRecent) : undefined);
  const [first] = points;
  if (!found) throw first ? wrongDay(first, null) : new DateTextError('it has no date');
  return found;
}

/** From a year on, each date after the one before it. */
function inOrder(points: readonly SpanPoint[], today: Day, firstYear: number): Day[] {
  const days: Day[] = [];
  for (const point of points) {
    const before = days.at(-1);
    const year = before?.year ?? firstYear;
    const day = dayIn(point, year, before ?? today);
    const turned = before ? dayIn(point, year + 1, before) : null;
    const later = day && before && turned && isTurnOfYear(before, day, turned) ? turned : day;
    if (later === null) throw wrongDay(point, year);
    checkWeekday(point, later);
    days.push(later);
  }
  return days;
}

/** Null for February 29 of another year. `from`: where days without a date are counted from. */
function dayIn({ date, weekday, relative }: SpanPoint, year: number, from: Day | null): Day | null {
  if (date) {
    const fields = { year: date.year ?? year, month: date.month ?? 0, day: date.day };
    try {
      return Temporal.PlainDate.from(fields, { overflow: 'reject' });
    } catch {
      return null;
    }
  }
  if (from === null) throw new DateTextError('the day on which it was read is unknown', { isFinal: true });
  if (relative !== null) return from.add({ days: relative });
  return from.add({ days: ((weekday ?? from.dayOfWeek) - from.dayOfWeek + 7) % 7 });
}

function checkDay({ day, month }: { day: number; month: number | null }): void {
  // In a leap year, which has all of them.
  const length = month !== null && month >= 1 && month <= 12 ? new Date(Date.UTC(2024, month, 0)).getUTCDate() : 0;
  if (length === 0) throw new DateTextError(`${month} is no month`);
  if (day < 1 || day > length) throw new DateTextError(`the month ${month} has no day ${day}`);
}

function checkWeekday(point: SpanPoint | undefined, day: Day): void {
  if (point?.date && point.weekday !== null && point.weekday !== day.dayOfWeek) {
    throw new DateTextError(`${day.toString()} is not the weekday that it states`, { isFinal: true });
  }
}

function wrongDay({ date, weekday }: SpanPoint, year: number | null): DateTextError {
  const day = `${date?.month}-${date?.day}`;
  const reason =
    weekday === null || year !== null ? `does not exist in ${year ?? 'any near year'}` : 'is not the weekday that it states';
  return new DateTextError(`the day ${day} ${reason}`, { isFinal: true });
}

const DAY_MINUTES = 1440;
const YEAR_DAYS = 366;
/** A season that ends in the next year. */
const MAX_TURN_DAYS = 300;
const MAX_OCCURRENCES = 60;
/** Between two of February 29, around 1900 and 2100. */
const MAX_LEAP_YEARS = 8;
