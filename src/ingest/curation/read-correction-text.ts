/** What a person types for a field, as the value that is checked. */

import { WEEKDAYS } from '../../facts/index.ts';
import { EVENT_FIELDS, type FieldKind, type OpeningHours, rowsOf, VENUE_FIELDS, type Weekday } from '../../records/index.ts';
import type { CorrectedEntity } from '../decisions/active-corrections.ts';
import { findField } from '../decisions/correctable-fields.ts';

/**
 * `none` says that nothing is known. Prices: `free`, `12`, `12-20`, `unknown`; coordinates: `40.7, -73.9`; lists: separated by
 * commas; `links`: each a provider and a URL, on lines of their own or separated by commas; `organizer`: a name and, if there is one, a URL; `verified`: `yes` or `no`; opening hours: lines as `readHours` takes them, on the clocks of `zone`, or the JSON of
 * docs/bundle.md. All else is taken as it is. Parts of fields by the names of the API: numbers, and `isFree`: `yes` or `no`.
 */
export function readCorrectionText(entity: CorrectedEntity, field: string, text: string, zone: string): unknown {
  const typed = text.trim();
  const read = readerOf(entity, field) ?? readerOf(entity, findField(entity, field)?.field ?? field);
  if (read) return read(typed, zone);
  return typed === 'none' ? null : text;
}

type Reader = (typed: string, zone: string) => unknown;

/** By a name in reports, or in the API. */
function readerOf(entity: CorrectedEntity, name: string): Reader | undefined {
  if (Object.hasOwn(READER_OF_WHOLE, name)) return READER_OF_WHOLE[name];
  const row = rowsOf(entity === 'event' ? EVENT_FIELDS : VENUE_FIELDS).find(
    ({ field, shownAs, reportName = field, column }) => column !== undefined && (reportName === name || shownAs === name),
  );
  if (!row) return undefined;
  // A text that must be there is never `none`.
  if (row.kind === 'text' && !row.nullable) return (typed) => typed;
  return READER_OF_KIND[row.kind];
}

/** Of fields that are corrected together. */
const READER_OF_WHOLE: Readonly<Record<string, Reader>> = { price, coordinates: point };
const READER_OF_KIND: Partial<Record<FieldKind, Reader>> = {
  flag: yesOrNo,
  amount: number,
  degrees: number,
  texts: listOf,
  links,
  hours,
  organizer,
};

function yesOrNo(typed: string): unknown {
  return { yes: true, true: true, no: false, false: false }[typed.toLowerCase()] ?? typed;
}

function number(typed: string): unknown {
  if (typed === 'none') return null;
  return /^-?\d+(\.\d+)?$/.test(typed) ? Number(typed) : typed;
}

function price(typed: string): unknown {
  const word = typed.toLowerCase();
  if (word === 'free') return { isFree: true };
  if (word === 'unknown' || word === 'none') return { isFree: false };
  const [, least, , most] = /^(\d+(\.\d+)?)(?:\s*[-–]\s*(\d+(?:\.\d+)?))?$/.exec(typed) ?? [];
  if (least === undefined) return typed;
  return { isFree: false, priceMin: Number(least), priceMax: Number(most ?? least) };
}

function point(typed: string): unknown {
  const [, latitude, longitude] = /^(-?\d+(?:\.\d+)?)\s*[,\s]\s*(-?\d+(?:\.\d+)?)$/.exec(typed) ?? [];
  return latitude === undefined ? typed : { latitude: Number(latitude), longitude: Number(longitude) };
}

function listOf(typed: string): string[] {
  if (typed === 'none') return [];
  return typed
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** `Box office https://…`; a URL alone is named by its host. */
function links(typed: string): unknown {
  if (typed === 'none') return [];
  const entries = typed.split(/,\s|\n/).map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, provider, url = entry] = /^(.*\S)\s+(\S+)$/.exec(entry) ?? [];
      return { provider: provider ?? URL.parse(url)?.hostname.replace(/^www\./, '') ?? url, url };
    });
}

/** `Harbor Arts https://…`; the URL may be missing. */
function organizer(typed: string): unknown {
  if (typed === '' || typed === 'none') return null;
  const [, name = typed, url = null] = /^(.*\S)\s+(https?:\S+)$/i.exec(typed) ?? [];
  return { name, url };
}

function hours(typed: string, zone: string): unknown {
  if (typed === '' || typed === 'none') return null;
  if (!typed.startsWith('{')) return readHours(typed, zone);
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

/**
 * Lines such as `Mon-Thu, Sun 17:00-02:00`, `2026-12-24 to 2026-12-26 closed: Christmas`, `2026-12-31 18:00-05:00`, and
 * `zone Europe/Berlin` where the clocks are not those of `zone`. The order of the lines is kept. Gives the first line that is none of
 * these as it was typed.
 */
function readHours(text: string, zone: string): OpeningHours | string {
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
