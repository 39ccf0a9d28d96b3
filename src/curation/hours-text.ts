/** Opening hours as people write them: a line for each time of the week, and one for each exception. */

import type { OpeningHours, Weekday } from '../catalog/index.ts';
import { WEEKDAYS } from '../normalize/index.ts';

/**
 * Lines such as `Mon-Thu, Sun 17:00-02:00`, `2026-12-24 to 2026-12-26 closed: Christmas`, `2026-12-31 18:00-05:00`, and
 * `zone Europe/Berlin` where the clocks are not those of `zone`. The order of the lines is kept. Gives the first line that is none of
 * these as it was typed.
 */
export function readHours(text: string, zone: string): OpeningHours | string {
  const hours: OpeningHours = { timezone: zone, weekly: [], exceptions: [] };
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, timezone] = ZONE.exec(line) ?? [];
    if (timezone !== undefined) hours.timezone = timezone;
    else if (!readException(line, hours) && !readWeekly(line, hours)) return line;
  }
  return hours;
}

function readException(line: string, { exceptions }: OpeningHours): boolean {
  const [, from = '', to = from, times = '', reason = null] = EXCEPTION.exec(line) ?? [];
  if (from === '') return false;
  const [, opens = null, closes = null] = TIMES.exec(times) ?? [];
  exceptions.push({ from, to, closed: opens === null, opens: opens && padded(opens), closes: closes && padded(closes), reason });
  return true;
}

function readWeekly(line: string, { weekly }: OpeningHours): boolean {
  const [, named = '', opens, closes] = WEEKLY.exec(line) ?? [];
  const days = readDays(named);
  if (days === null || opens === undefined || closes === undefined) return false;
  weekly.push({ days, opens: padded(opens), closes: padded(closes) });
  return true;
}

/** In the order of the week. Null for a word that is no day. */
function readDays(text: string): Weekday[] | null {
  if (/^(?:daily|every day)$/i.test(text)) return [...WEEKDAYS];
  const chosen = new Set<number>();
  for (const part of text.split(',')) {
    const [first = -1, last = first, ...more] = part.split(/[-–]/).map((word) => dayOf(word));
    if (first < 0 || last < 0 || more.length > 0) return null;
    for (let day = first; ; day = (day + 1) % WEEKDAYS.length) {
      chosen.add(day);
      if (day === last) break;
    }
  }
  return WEEKDAYS.filter((_, day) => chosen.has(day));
}

/** `Mon`, `monday`, `Tues`; −1 for anything else. */
function dayOf(word: string): number {
  const typed = word.trim().toLowerCase();
  return FULL_NAMES.findIndex((name) => typed.length >= MIN_DAY && name.startsWith(typed));
}

/** As `readHours` reads it. */
export function formatHours({ timezone, weekly, exceptions }: OpeningHours, zone: string): string {
  const lines = [
    ...weekly.map(({ days, opens, closes }) => `${formatDays(days)} ${opens}-${closes}`),
    ...exceptions.map(({ from, to, closed, opens, closes, reason }) => {
      const days = from === to ? from : `${from} to ${to}`;
      return `${days} ${closed ? 'closed' : `${opens}-${closes}`}${reason === null ? '' : `: ${reason}`}`;
    }),
  ];
  return [...(timezone === zone ? [] : [`zone ${timezone}`]), ...lines].join('\n');
}

/** Three days or more that follow each other become a range. */
function formatDays(days: readonly Weekday[]): string {
  const ranges: number[][] = [];
  for (const day of [...new Set(days.map((each) => WEEKDAYS.indexOf(each)))].sort((left, right) => left - right)) {
    const range = ranges.at(-1);
    if (range && day === (range.at(-1) ?? day) + 1) range.push(day);
    else ranges.push([day]);
  }
  const name = (day: number | undefined) => NAMES[day ?? 0] ?? '';
  return ranges
    .flatMap((range) => (range.length < MIN_RANGE ? range.map(name) : `${name(range[0])}-${name(range.at(-1))}`))
    .join(', ');
}

const padded = (time: string): string => time.padStart('00:00'.length, '0');

const FULL_NAMES = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const NAMES = WEEKDAYS.map((day) => day.charAt(0).toUpperCase() + day.slice(1));
const MIN_DAY = 3;
const MIN_RANGE = 3;
const ZONE = /^zone\s+(\S+)$/i;
const TIMES = /^(\d{1,2}:\d\d)\s*[-–]\s*(\d{1,2}:\d\d)$/;
const WEEKLY = /^([a-z ,–-]+?)\s+(\d{1,2}:\d\d)\s*[-–]\s*(\d{1,2}:\d\d)$/i;
const EXCEPTION =
  /^(\d{4}-\d\d-\d\d)(?:\s+to\s+(\d{4}-\d\d-\d\d))?\s+(closed|\d{1,2}:\d\d\s*[-–]\s*\d{1,2}:\d\d)(?::\s*(\S.*))?$/i;
