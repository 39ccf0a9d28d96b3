/** A recurrence rule (RFC 5545 §3.3.10) as data, checked before anything is expanded by it. */

export interface RecurrenceRule {
  frequency: Frequency;
  /** How many periods from one to the next, 1 or more. */
  interval: number;
  count: number | null;
  /** `UNTIL` as written: a date, or a date-time with or without `Z`. Whose clock it is on depends on DTSTART. */
  until: string | null;
  /** 1 is Monday, 7 is Sunday. */
  weekStart: number;
  /** Each list is sorted, without repeats; null where the rule has no such part. */
  seconds: readonly number[] | null;
  minutes: readonly number[] | null;
  hours: readonly number[] | null;
  days: readonly RuleDay[] | null;
  monthDays: readonly number[] | null;
  yearDays: readonly number[] | null;
  weeks: readonly number[] | null;
  months: readonly number[] | null;
  positions: readonly number[] | null;
}

/** `-1FR` is `{ nth: -1, weekday: 5 }`; every one of them has `nth: 0`. */
export interface RuleDay {
  nth: number;
  weekday: number;
}

export type Frequency = (typeof FREQUENCIES)[number];

/** Gives the reason, one sentence, where the text is no rule that can be followed. */
export function readRule(text: string): RecurrenceRule | string {
  if (text.length > MAX_RULE_CHARS) return `the rule is longer than ${MAX_RULE_CHARS} characters`;
  const parts = new Map<string, string>();
  // Empty parts (`;;`, a last `;`, `UNTIL=`) and the name once more are written by common programs and mean nothing.
  for (const part of text.replace(/^\s*RRULE:/i, '').split(';')) {
    const [name = '', value = ''] = part.split('=', 2).map((each) => each.trim().toUpperCase());
    if (value === '') continue;
    if (parts.has(name)) return `the rule has ${name} twice`;
    parts.set(name, value);
  }
  try {
    return checkCombination(ruleOf(parts));
  } catch (error) {
    if (error instanceof BadRule) return error.message;
    throw error;
  }
}

class BadRule extends Error {}

function ruleOf(parts: ReadonlyMap<string, string>): RecurrenceRule {
  const frequency = FREQUENCIES.find((each) => each === parts.get('FREQ'));
  if (frequency === undefined) throw new BadRule(`the rule has no frequency that is known, but ${print(parts.get('FREQ'))}`);
  if ((parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN' || (parts.get('SKIP') ?? 'OMIT') !== 'OMIT')
    throw new BadRule('the rule is of another calendar (RFC 7529), which is not followed');
  const numbers = (name: string, least: number, most: number): number[] | null => {
    const value = parts.get(name);
    return value === undefined ? null : sorted(value.split(',').map((each) => wholeNumber(each, name, least, most)));
  };
  return {
    frequency,
    interval: parts.has('INTERVAL') ? wholeNumber(parts.get('INTERVAL'), 'INTERVAL', 1, MAX_INTERVAL) : 1,
    // Some programs write -1 for "without end".
    count: parts.has('COUNT') && parts.get('COUNT') !== '-1' ? wholeNumber(parts.get('COUNT'), 'COUNT', 1, MAX_COUNT) : null,
    until: lastOf(parts.get('UNTIL')),
    weekStart: parts.has('WKST') ? weekday(parts.get('WKST') ?? '') : 1,
    // A leap second is the second before it (§3.3.12).
    seconds: limited(numbers('BYSECOND', 0, 60), 59),
    minutes: numbers('BYMINUTE', 0, 59),
    hours: numbers('BYHOUR', 0, 23),
    days: daysOf(parts.get('BYDAY')),
    monthDays: numbers('BYMONTHDAY', -31, 31),
    yearDays: numbers('BYYEARDAY', -366, 366),
    weeks: numbers('BYWEEKNO', -53, 53),
    months: numbers('BYMONTH', 1, 12),
    positions: numbers('BYSETPOS', -366, 366),
  };
}

/** §3.3.10: what MUST NOT be together, and what no two programs read alike. */
function checkCombination(rule: RecurrenceRule): RecurrenceRule {
  const { frequency, days, monthDays, yearDays, weeks, positions } = rule;
  const forbid = (is: boolean, reason: string) => {
    if (is) throw new BadRule(reason);
  };
  forbid(weeks !== null && frequency !== 'YEARLY', 'BYWEEKNO is for yearly rules only');
  forbid(
    yearDays !== null && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency),
    'BYYEARDAY is not for daily, weekly and monthly rules',
  );
  forbid(monthDays !== null && frequency === 'WEEKLY', 'BYMONTHDAY is not for weekly rules');
  const isNth = days?.some(({ nth }) => nth !== 0) === true;
  forbid(isNth && frequency !== 'MONTHLY' && frequency !== 'YEARLY', 'a numbered BYDAY is for monthly and yearly rules only');
  forbid(isNth && weeks !== null, 'a numbered BYDAY cannot be combined with BYWEEKNO');
  forbid(weeks !== null && (monthDays !== null || yearDays !== null), 'BYWEEKNO beside BYMONTHDAY or BYYEARDAY is not followed');
  const hasOther = BY_PARTS.some((part) => rule[part] !== null);
  forbid(positions !== null && !hasOther, 'BYSETPOS needs another BY part');
  return rule;
}

/** In the basic form, also where it is written with the signs of ISO 8601 or without seconds. */
function lastOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const match = UNTIL.exec(text);
  if (!match) throw new BadRule(`UNTIL is not a date: ${print(text)}`);
  const [, year, month, day, hour, minute, second = '00', utc = ''] = match;
  return `${year}${month}${day}${hour === undefined ? '' : `T${hour}${minute}${second}${utc}`}`;
}

function daysOf(text: string | undefined): RuleDay[] | null {
  if (text === undefined) return null;
  const days = new Map<string, RuleDay>();
  for (const each of text.split(',')) {
    const [, nth = '0', name = ''] = /^\s*([+-]?\d{1,2})?\s*([A-Z]{2})\s*$/.exec(each) ?? [];
    const day = { nth: Number(nth), weekday: weekday(name) };
    if (Math.abs(day.nth) > 53 || (nth !== '0' && day.nth === 0)) throw new BadRule(`BYDAY is not a day: ${print(each)}`);
    days.set(`${day.nth} ${day.weekday}`, day);
  }
  return [...days.values()];
}

function weekday(name: string): number {
  const at = WEEKDAYS.indexOf(name);
  if (at === -1) throw new BadRule(`${print(name)} is not a day of the week`);
  return at + 1;
}

function wholeNumber(text: string | undefined, name: string, least: number, most: number): number {
  const value = /^\s*[+-]?\d{1,10}\s*$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most) || (value === 0 && least < 0))
    throw new BadRule(`${name} wants a whole number from ${least} to ${most}, got ${print(text)}`);
  return value;
}

function limited(values: number[] | null, most: number): number[] | null {
  return values && sorted(values.map((value) => Math.min(value, most)));
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function print(text: string | undefined): string {
  return text === undefined ? 'nothing' : JSON.stringify(text.slice(0, MAX_PRINTED));
}

export const WEEKDAYS: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const FREQUENCIES = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
/** Of a rule, beside BYSETPOS. */
export const BY_PARTS = ['seconds', 'minutes', 'hours', 'days', 'monthDays', 'yearDays', 'weeks', 'months'] as const;
const UNTIL = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d{1,9})?(Z)?)?$/;
const MAX_RULE_CHARS = 4_096;
const MAX_INTERVAL = 1_000_000;
/** Of ten digits, the most that are read. */
const MAX_COUNT = 9_999_999_999;
const MAX_PRINTED = 40;
