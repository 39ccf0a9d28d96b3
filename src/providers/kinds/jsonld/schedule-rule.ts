/** How often a schema.org/Schedule repeats, as a recurrence rule of iCalendar (RFC 5545 §3.3.10). */

import { wordOfTerm } from '../../fields/status-terms.ts';
import { type Graph, get, type Node, textOf, textsOf } from './node.ts';
import { termsOf } from './vocabulary.ts';

export type ScheduleRule =
  /** The text of a rule; null: it takes place once. `needsStart`: the rule says not by itself on which days. */
  { ok: true; rule: string | null; needsStart: boolean } | { ok: false; field: string; reason: string };

/** `startDay` is `YYYY-MM-DD`, where the schedule has a start. What may mean two things is refused. */
export function ruleOfSchedule(schedule: Node, graph: Graph, startDay: string | null): ScheduleRule {
  const days = listed(termsOf(get(schedule, 'byDay'), graph));
  const weekdays = days.map(readDay);
  if (weekdays.includes(null)) return refused('byDay', 'days of the week', days[weekdays.indexOf(null)]);
  const weeks = listed(textsOf(get(schedule, 'byMonthWeek')));
  if (!weeks.every((week) => /^(?:-?[1-5])$/.test(week))) return refused('byMonthWeek', 'weeks from 1 to 5', weeks.join());
  const count = textOf(get(schedule, 'repeatCount'));
  if (count !== null && !/^[1-9]\d{0,8}$/.test(count)) return refused('repeatCount', 'a number from 1', count);
  const [months, monthDays] = ['byMonth', 'byMonthDay'].map((key) => listed(textsOf(get(schedule, key))));
  const by = {
    days: numbered(
      weekdays.filter((day) => day !== null),
      weeks,
      startDay,
    ),
    months: months ?? [],
    monthDays: monthDays ?? [],
  };
  const every = frequencyOf(textOf(get(schedule, 'repeatFrequency')), { ...by, weeks });
  if (!every) return refused('repeatFrequency', 'how often it repeats', textOf(get(schedule, 'repeatFrequency')) ?? undefined);
  if (every.frequency === null) return { ok: true, rule: null, needsStart: true };
  const isNumbered = by.days.every((day) => /\d/.test(day));
  if (/MONTHLY|YEARLY/.test(every.frequency) && !isNumbered) return refused('byMonthWeek', 'which week of the month', undefined);
  const parts = {
    FREQ: every.frequency,
    INTERVAL: every.interval === 1 ? '' : String(every.interval),
    BYDAY: by.days.join(),
    BYMONTH: monthsOf(every.frequency, by, startDay).join(),
    BYMONTHDAY: by.monthDays.join(),
    COUNT: count ?? '',
  };
  const rule = Object.entries(parts).flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]));
  const isPlain = by.days.length + by.monthDays.length === 0 && every.frequency !== 'DAILY';
  return { ok: true, rule: rule.join(';'), needsStart: isPlain || every.interval > 1 || count !== null };
}

interface Every {
  frequency: string | null;
  interval: number;
}

interface ByParts {
  days: readonly string[];
  months: readonly string[];
  monthDays: readonly string[];
}

/** Null for a text that is none, and where it takes a guess. A schedule without one repeats by its days. */
function frequencyOf(text: string | null, by: ByParts & { weeks: readonly string[] }): Every | null {
  const said = text === null ? byParts(by) : (WORDS[wordOfTerm(text)] ?? everyOf(text));
  // The first and third Monday are days of months, however the weeks between are counted.
  return said?.frequency === 'WEEKLY' && by.weeks.length > 0 ? { frequency: 'MONTHLY', interval: 1 } : said;
}

function byParts({ days, months, monthDays }: ByParts): Every {
  if (days.some((day) => /\d/.test(day)) || monthDays.length > 0) return { frequency: 'MONTHLY', interval: 1 };
  if (days.length > 0) return { frequency: 'WEEKLY', interval: 1 };
  return { frequency: months.length > 0 ? 'YEARLY' : null, interval: 1 };
}

/** A duration of one unit (ISO 8601-1 §5.5.2.2); without end, it may be told as a recurring one (`R/P1W`). */
function everyOf(text: string): Every | null {
  const [, amount = '', unit = ''] = /^(?:R\/)?P(?:(?=T\d+H)T)?(\d{1,4})([YMWDH])$/i.exec(text.trim()) ?? [];
  const [frequency, factor] = UNITS[unit.toUpperCase()] ?? [];
  const interval = Number(amount) * (factor ?? 0);
  if (frequency === undefined || interval === 0 || (unit.toUpperCase() === 'H') !== /T/i.test(text)) return null;
  return frequency === 'DAILY' && interval % 7 === 0 ? { frequency: 'WEEKLY', interval: interval / 7 } : { frequency, interval };
}

/** Each weekday in each of the weeks; without weekdays, that of the start. */
function numbered(weekdays: readonly string[], weeks: readonly string[], startDay: string | null): string[] {
  if (weeks.length === 0) return [...weekdays];
  const ofStart = startDay === null ? [] : [WEEKDAYS[Temporal.PlainDate.from(startDay).dayOfWeek - 1] ?? ''];
  const named = weekdays.length > 0 ? weekdays : ofStart;
  return weeks.flatMap((week) => named.map((day) => (/\d/.test(day) ? day : week + day)));
}

/** A day of the month in a yearly schedule is in the month of the start, where no other is told. */
function monthsOf(frequency: string, { months, monthDays }: ByParts, startDay: string | null): readonly string[] {
  const isOfStart = frequency === 'YEARLY' && months.length === 0 && monthDays.length > 0 && startDay !== null;
  return isOfStart ? [String(Number(startDay.slice('YYYY-'.length, 'YYYY-MM'.length)))] : months;
}

/** `https://schema.org/Wednesday`, `Wednesdays`, `Wed`, `WE`, `2WE`. */
function readDay(text: string): string | null {
  const [, nth = '', name = ''] = /^([+-]?[1-5])?(\D+)$/.exec(/^[+-]?\d/.test(text) ? text.trim() : wordOfTerm(text)) ?? [];
  const word = name.trim().toLowerCase();
  const day = WEEKDAYS.find((_, at) => DAY_NAMES[at]?.test(word));
  return day === undefined ? null : nth.replace('+', '') + day;
}

const listed = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((text) => text.trim() || []);

function refused(field: string, wanted: string, got: string | undefined): ScheduleRule {
  const printed = got === undefined ? 'nothing' : JSON.stringify(got.slice(0, MAX_PRINTED));
  return { ok: false, field: 'eventSchedule', reason: `${field}: wanted ${wanted}, got ${printed}` };
}

const WORDS: Readonly<Record<string, Every>> = {
  __proto__: null as never,
  daily: { frequency: 'DAILY', interval: 1 },
  weekly: { frequency: 'WEEKLY', interval: 1 },
  fortnightly: { frequency: 'WEEKLY', interval: 2 },
  monthly: { frequency: 'MONTHLY', interval: 1 },
  quarterly: { frequency: 'MONTHLY', interval: 3 },
  yearly: { frequency: 'YEARLY', interval: 1 },
  annually: { frequency: 'YEARLY', interval: 1 },
  annual: { frequency: 'YEARLY', interval: 1 },
};
const UNITS: Readonly<Record<string, readonly [frequency: string, factor: number]>> = {
  H: ['HOURLY', 1],
  D: ['DAILY', 1],
  W: ['WEEKLY', 1],
  M: ['MONTHLY', 1],
  Y: ['YEARLY', 1],
};
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const DAY_NAMES = [
  /^mo(?:n|ndays?)?$/,
  /^tu(?:es?|esdays?)?$/,
  /^we(?:d|dnesdays?)?$/,
  /^th(?:urs?|u|ursdays?)?$/,
  /^fr(?:i|idays?)?$/,
  /^sa(?:t|turdays?)?$/,
  /^su(?:n|ndays?)?$/,
] as const;
const MAX_PRINTED = 64;
