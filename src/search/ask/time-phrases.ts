/** Words of time as spans on the city's clock, such as `friday night`, `june 27` and `after 9pm`. */

import type { CityTime } from '../../values/city-time.ts';
import { type NamedWindow, serviceDay } from '../../values/named-window.ts';
import type { Token } from './tokens.ts';

/** A span of time in the parameters of `GET /events` that name it. */
export interface TimePhrase {
  /** How many tokens it takes. */
  length: number;
  means: string;
  when?: NamedWindow;
  /** Local dates and times; absent: from now on. */
  start?: string;
  end?: string;
  /** It says an hour and no day: it belongs to the day beside it, or to today. */
  hours?: Hours;
}

/** Local hours, `hh:mm`; `to` of a night is on the next day. */
interface Hours {
  from: string | null;
  to: string | null;
  isNextDay: boolean;
}

export interface TimeReader {
  /** The longest phrase that begins at a token. */
  read(tokens: readonly Token[], at: number): TimePhrase | null;
  /** The local day to which `now` belongs. */
  today: string;
}

export function createTimeReader(now: number, city: CityTime): TimeReader {
  const today = serviceDay(now, city);
  const plain = Temporal.PlainDate.from(today);
  const dayAfter = (days: number): string => plain.add({ days }).toString();
  const upcoming = (weekday: number): string => dayAfter((weekday - plain.dayOfWeek + DAYS_A_WEEK) % DAYS_A_WEEK);

  /** A day, or what is left of it. */
  const ofDay = (day: string, length: number): TimePhrase => {
    const means = describeDay(day);
    return day === today ? { length, means, end: day } : { length, means, start: day, end: day };
  };

  const readDay = (tokens: readonly Token[], at: number): { day: string; length: number } | null => {
    const word = (offset: number): string => tokens[at + offset]?.word ?? '';
    if (word(0) === 'today') return { day: today, length: 1 };
    if (TOMORROWS.has(word(0))) return { day: dayAfter(1), length: 1 };
    const isNext = word(0) === 'next';
    const skipped = isNext || word(0) === 'this' || word(0) === 'coming' ? 1 : 0;
    const weekday = WEEKDAYS[word(skipped)];
    if (weekday !== undefined && (skipped > 0 || !UNCLEAR_DAYS.has(word(0)) || DAY_PARTS[word(1)] !== undefined)) {
      const monday = 1 - plain.dayOfWeek + DAYS_A_WEEK;
      return { day: isNext ? dayAfter(monday + weekday - 1) : upcoming(weekday), length: skipped + 1 };
    }
    return readDate(tokens, at, plain);
  };

  const readSpan = (tokens: readonly Token[], at: number): TimePhrase | null => {
    if (!SPAN_BEGINNINGS.has(tokens[at]?.word ?? '')) return null;
    const text = (length: number): string =>
      tokens
        .slice(at, at + length)
        .map(({ word }) => word)
        .join(' ');
    const namedWindow = readNamed(tokens, at);
    if (namedWindow) return namedWindow;
    const sunday = DAYS_A_WEEK - plain.dayOfWeek;
    if (text(2) === 'next week')
      return { length: 2, means: 'next week', start: dayAfter(sunday + 1), end: dayAfter(sunday + DAYS_A_WEEK) };
    const later = LATER_MONTHS[text(2)];
    if (later !== undefined) return ofMonth(later, 2);
    const named = MONTHS[text(1)];
    if (named === undefined || (UNCLEAR_MONTHS.has(text(1)) && tokens[at - 1]?.word !== 'in')) return null;
    return ofMonth((named - plain.month + MONTHS_A_YEAR) % MONTHS_A_YEAR, 1);
  };

  /** So many months from now. */
  const ofMonth = (months: number, length: number): TimePhrase => {
    const first = plain.with({ day: 1 }).add({ months });
    const end = first.with({ day: first.daysInMonth }).toString();
    const means = `${MONTH_NAMES[first.month - 1]} ${first.year}`;
    return { length, means, end, ...(months > 0 && { start: first.toString() }) };
  };

  return {
    today,
    read(tokens, at) {
      const hours = readHours(tokens, at);
      const day = readDay(tokens, at);
      if (day) {
        const next = DAY_PARTS[tokens[at + day.length]?.word ?? ''];
        if (next) return onDay(next, day.day, today, day.length + 1);
        const named = day.length === 1 && TOMORROWS.has(tokens[at]?.word ?? '');
        return named ? { length: 1, means: 'tomorrow', when: 'tomorrow' } : ofDay(day.day, day.length);
      }
      return readSpan(tokens, at) ?? hours;
    },
  };
}

/** A window by its name. */
function readNamed(tokens: readonly Token[], at: number): TimePhrase | null {
  for (let length = Math.min(3, tokens.length - at); length > 0; length -= 1) {
    const text = tokens.slice(at, at + length).map(({ word }) => word);
    const when = NAMED[text.join(' ')];
    if (when) return { length, means: when.replaceAll('_', ' '), when };
  }
  return null;
}

/** `Friday, June 19`. */
function describeDay(day: string): string {
  const { dayOfWeek, month, day: dayOfMonth } = Temporal.PlainDate.from(day);
  return `${WEEKDAY_NAMES[dayOfWeek - 1]}, ${MONTH_NAMES[month - 1]} ${dayOfMonth}`;
}

/** Hours of one day. */
export function onDay({ from, to, isNextDay }: Hours, day: string, today: string, length: number): TimePhrase {
  const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
  const start = from === null ? (day === today ? undefined : day) : `${day}T${from}`;
  const end = to === null ? `${next}T${NEW_DAY}` : `${isNextDay ? next : day}T${to}`;
  const means = `${describeDay(day)}, ${from === null ? `before ${to}` : to === null ? `after ${from}` : `${from} to ${to}`}`;
  return { length, means, end, ...(start !== undefined && { start }) };
}

/** `june 27`, `27 june`, `4th of july`, `6/27` is left alone: it may be a score. The next such day. */
function readDate(tokens: readonly Token[], at: number, today: Temporal.PlainDate): { day: string; length: number } | null {
  const word = (offset: number): string => tokens[at + offset]?.word ?? '';
  if (`${word(0)} ${word(1)}` === 'independence day') return dateOf(7, 4, undefined, today, 2);
  const month = MONTHS[word(0)];
  if (month !== undefined) {
    const day = dayNumber(word(1));
    if (day === null || tokens[at + 1]?.isAmount) return null;
    const year = YEAR.test(word(2)) ? Number(word(2)) : undefined;
    return dateOf(month, day, year, today, year === undefined ? 2 : 3);
  }
  const day = dayNumber(word(0));
  if (day === null) return ISO_YEAR.test(word(0)) ? readIsoDate(tokens, at) : null;
  const gap = word(1) === 'of' ? 2 : 1;
  const later = MONTHS[word(gap)];
  return later === undefined ? null : dateOf(later, day, undefined, today, gap + 1);
}

function readIsoDate(tokens: readonly Token[], at: number): { day: string; length: number } | null {
  const [year, month, day] = [0, 1, 2].map((offset) => tokens[at + offset]?.word ?? '');
  const text = `${year}-${month}-${day}`;
  return ISO_DATE.test(text) && isDate(text) ? { day: text, length: 3 } : null;
}

function dateOf(
  month: number,
  day: number,
  year: number | undefined,
  today: Temporal.PlainDate,
  length: number,
): { day: string; length: number } | null {
  const two = (n: number) => String(n).padStart(2, '0');
  const inYear = (y: number): string => `${y}-${two(month)}-${two(day)}`;
  // Around 2100 a 29 February is eight years away.
  const years = year === undefined ? Array.from({ length: 9 }, (_, ahead) => today.year + ahead) : [year];
  const found = years.map(inYear).find((text) => isDate(text) && (year !== undefined || text >= today.toString()));
  return found === undefined ? null : { day: found, length };
}

function isDate(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function dayNumber(word: string): number | null {
  const ordinal = ORDINALS[word] ?? Number(DAY_NUMBER.exec(word)?.[1] ?? Number.NaN);
  return ordinal >= 1 && ordinal <= 31 ? ordinal : null;
}

/** `after 9pm`, `before 8`, `at 8pm`, `7pm`, `9 30 pm`. */
function readHours(tokens: readonly Token[], at: number): TimePhrase | null {
  const first = tokens[at]?.word ?? '';
  const side = SIDES[first];
  if (side === undefined && !BEGINS_WITH_DIGIT.test(first)) return null;
  const clock = readClock(tokens, side === undefined ? at : at + 1, side !== undefined);
  if (clock === null) return null;
  const length = clock.length + (side === undefined ? 0 : 1);
  const hours = { from: side === 'before' ? null : clock.time, to: side === 'before' ? clock.time : null, isNextDay: false };
  return { length, means: `${side === 'before' ? 'before' : 'after'} ${clock.time}`, hours };
}

/** `isExpected`: after "after", a number alone is an hour of the evening. */
function readClock(tokens: readonly Token[], at: number, isExpected: boolean): { time: string; length: number } | null {
  const word = (offset: number): string => tokens[at + offset]?.word ?? '';
  if (isExpected && CLOCK_NAMES[word(0)] !== undefined) return { time: CLOCK_NAMES[word(0)]!, length: 1 };
  if (tokens[at]?.isAmount) return null;
  // `9 30 pm` is how `9:30 pm` comes here.
  for (const length of [3, 2, 1]) {
    const parts = CLOCK.exec([0, 1, 2].slice(0, length).map(word).join(' ').trimEnd());
    if (!parts || at + length > tokens.length) continue;
    const [, hour = '', minutes = '00', half] = parts;
    const hours = hourOf(Number(hour), half, isExpected);
    if (hours !== null) return { time: `${String(hours).padStart(2, '0')}:${minutes}`, length };
  }
  return null;
}

function hourOf(hour: number, half: string | undefined, isExpected: boolean): number | null {
  if (half !== undefined) return hour >= 1 && hour <= 12 ? (hour % 12) + (half === 'pm' ? 12 : 0) : null;
  if (!isExpected || hour < 1 || hour > 23) return null;
  return hour < 12 ? hour + 12 : hour;
}

const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');
/** The words of the tables are anybody's: none of them is found on a prototype. */
const NAMED: Readonly<Record<string, NamedWindow>> = {
  __proto__: null as never,
  now: 'now',
  'right now': 'now',
  tonight: 'tonight',
  tonite: 'tonight',
  'this evening': 'tonight',
  'this weekend': 'this_weekend',
  'the weekend': 'this_weekend',
  weekend: 'this_weekend',
  'next weekend': 'next_weekend',
  'this week': 'this_week',
  'next 7 days': 'next_7_days',
  'next 30 days': 'next_30_days',
};
const WEEKDAYS: Readonly<Record<string, number>> = {
  __proto__: null as never,
  ...Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((name, i) => [name, i + 1]),
  ),
  ...{ mon: 1, tue: 2, tues: 2, wed: 3, weds: 3, thu: 4, thur: 4, thurs: 4, fri: 5, sat: 6, sun: 7 },
};
/** They are words of their own: a day only beside another word of time. */
const UNCLEAR_DAYS: ReadonlySet<string> = new Set(['mon', 'wed', 'sat', 'sun']);
const MONTHS: Readonly<Record<string, number>> = {
  __proto__: null as never,
  ...Object.fromEntries(
    [
      'january jan',
      'february feb',
      'march mar',
      'april apr',
      'may',
      'june jun',
      'july jul',
      'august aug',
      'september sept sep',
      'october oct',
      'november nov',
      'december dec',
    ].flatMap((names, i) => names.split(' ').map((name) => [name, i + 1])),
  ),
};
const UNCLEAR_MONTHS: ReadonlySet<string> = new Set(['march', 'may', 'mar', 'jan', 'jun', 'dec', 'april', 'june', 'august']);
const SPAN_BEGINNINGS: ReadonlySet<string> = new Set([
  ...Object.keys(NAMED).map((phrase) => phrase.split(' ', 1)[0] ?? ''),
  ...Object.keys(MONTHS),
  'this',
  'next',
]);
const TOMORROWS: ReadonlySet<string> = new Set(['tomorrow', 'tmrw', 'tomorow']);
const DAY_PARTS: Readonly<Record<string, Hours>> = {
  __proto__: null as never,
  morning: { from: '05:00', to: '12:00', isNextDay: false },
  noon: { from: '11:00', to: '14:00', isNextDay: false },
  afternoon: { from: '12:00', to: '17:00', isNextDay: false },
  evening: { from: '17:00', to: '05:00', isNextDay: true },
  night: { from: '17:00', to: '05:00', isNextDay: true },
  nite: { from: '17:00', to: '05:00', isNextDay: true },
};
const SIDES: Readonly<Record<string, 'after' | 'before'>> = {
  __proto__: null as never,
  after: 'after',
  from: 'after',
  at: 'after',
  past: 'after',
  before: 'before',
  until: 'before',
  till: 'before',
};
const CLOCK_NAMES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  noon: '12:00',
  midnight: '23:59',
};
const ORDINALS: Readonly<Record<string, number>> = {
  __proto__: null as never,
  ...{ first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6, seventh: 7, eighth: 8, ninth: 9, tenth: 10 },
};
const DAY_NUMBER = /^(\d{1,2})(?:st|nd|rd|th)?$/;
const YEAR = /^20\d\d$/;
const ISO_YEAR = YEAR;
const ISO_DATE = /^20\d\d-\d\d-\d\d$/;
const BEGINS_WITH_DIGIT = /^\d/;
const CLOCK = /^(\d{1,2})(?: ([0-5]\d))? ?(am|pm)?$/;
const LATER_MONTHS: Readonly<Record<string, number>> = { __proto__: null as never, 'this month': 0, 'next month': 1 };
/** When a service day ends. */
export const NEW_DAY = '05:00';
const DAYS_A_WEEK = 7;
const MONTHS_A_YEAR = 12;
