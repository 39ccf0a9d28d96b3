/** How true what is read from calendars is, measured on the samples and tests of other programs. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type EventListing,
  type ListingPage,
  openReader,
  ProviderError,
  type SourceFacts,
  type SourceResponse,
} from '../src/providers/index.ts';
import { expandRule } from '../src/providers/kinds/ical/expand-rule.ts';
import { readRule } from '../src/providers/kinds/ical/rule.ts';
import { formatBasic, readWall } from '../src/providers/kinds/ical/wall.ts';
import { ical } from '../src/providers/kinds/ical.ts';
import type { Figure } from './figure.ts';
import { KNOWN_ANSWERS } from './ical-answers.ts';

const DATA = new URL('../../shared/data/', import.meta.url).pathname;
const CALENDARS = join(DATA, 'conformance/ical');

export const ICAL_DATA = { missing: !existsSync(CALENDARS) } as const;

export interface RuleCase {
  rule: string;
  start: string;
  expected: string;
  given: string;
}

/** The cases of libical's recurrence tests. What libical says that it does not do, is refused here as well. */
export function readRuleCases(): RuleCase[] {
  const text = readFileSync(join(CALENDARS, 'libical-recur/icalrecur_test.txt'), 'utf8');
  return text.split(/\n\s*\n/).flatMap((block) => {
    const [rule, start, expected] = ['RRULE', 'DTSTART', 'INSTANCES'].map((name) =>
      new RegExp(`^${name}:(.*)$`, 'm').exec(block)?.[1]?.trim(),
    );
    if (rule === undefined || start === undefined || expected === undefined) return [];
    return [{ rule, start, expected, given: expand(rule, start) }];
  });
}

export function holds({ expected, given }: RuleCase): boolean {
  return given === expected || (expected.includes('UNIMPLEMENTED') && given.startsWith('refused'));
}

function expand(text: string, dtstart: string): string {
  const [rule, start] = [readRule(text), readWall(dtstart)];
  if (typeof rule === 'string' || !start) return `refused: ${rule}`;
  const last = rule.until === null ? null : (readWall(rule.until)?.wall ?? null);
  const range = { from: start.wall, until: Date.UTC(2100, 0), last };
  const expanded = expandRule(rule, start, range, { instances: 1_000, periods: 10_000, candidates: 1_000_000 });
  if (!expanded.ok) return `refused: ${expanded.reason}`;
  return expanded.walls.map((wall) => formatBasic(wall, start.isDate) + (start.isUtc ? 'Z' : '')).join(',');
}

export interface ReadCalendar {
  /** Under `conformance/ical`. */
  file: string;
  /** What the file was refused for; null for one that was read. */
  refusal: ProviderError['code'] | null;
  listed: number;
  /** Of records: the reasons, each once. */
  reasons: string[];
  /** Of this thread's processor, not of the clock on the wall. */
  milliseconds: number;
}

export function readCalendars(): ReadCalendar[] {
  return calendarFiles().map((file) => {
    const { answer, source } = calendar(file);
    const begun = process.threadCpuUsage();
    let outcome: Omit<ReadCalendar, 'file' | 'milliseconds'>;
    try {
      const { listings } = ical.read(answer, source) as ListingPage;
      const reasons = listings.flatMap((each) => (each.ok === false ? [each.reason] : []));
      const listed = listings.filter((each) => each.ok === true).length;
      outcome = { refusal: null, listed, reasons: [...new Set(reasons)] };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      outcome = { refusal: error.code, listed: 0, reasons: [error.message] };
    }
    const { user, system } = process.threadCpuUsage(begun);
    return { file, ...outcome, milliseconds: (user + system) / 1_000 };
  });
}

/** Of the known answers: those that are given, and what is given in place of the others. */
export function compareAnswers(): { file: string; expected: readonly string[]; given: string[] }[] {
  return KNOWN_ANSWERS.map(({ file, from, until, starts }) => {
    const window = { from: Date.parse(from), until: Date.parse(until) };
    const body = readFileSync(join(DATA, file));
    const { listings } = ical.read({ url: `file:///${file}`, body, contentType: null }, { ...SOURCE, window }) as ListingPage;
    const events = listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
    return { file, expected: starts, given: events.map(momentOf).sort() };
  });
}

/** The title of each event of a recorded calendar, read by us and, line by line, without a parser. */
export function compareTitles(file: string): { ours: string[]; written: string[] } {
  const body = readFileSync(join(DATA, 'events', file));
  const { listings } = ical.read({ url: file, body, contentType: null }, { ...SOURCE, ...ALWAYS }) as ListingPage;
  const ours = new Map<number, string>();
  for (const each of listings)
    if (each.ok === true && each.listing.target === 'events') ours.set(each.index, each.listing.event.title ?? '');
  const lines = body.toString('utf8').replace(/\r?\n[ \t]/g, '');
  const written = [...lines.matchAll(/^SUMMARY[^:\r\n]*:(.*)$/gm)].map(([, title = '']) => title.replace(/\\(.)/g, '$1').trim());
  return { ours: [...ours.values()], written };
}

export async function icalFigures(): Promise<Figure[]> {
  if (ICAL_DATA.missing) return [];
  const command = 'npm run quality';
  const rules = readRuleCases();
  const answers = compareAnswers();
  const same = answers.filter(({ expected, given }) => expected.join() === given.join());
  const files = readCalendars();
  const valid = files.filter(({ file }) => file.startsWith(VALID));
  const read = files.filter(({ refusal }) => refusal === null);
  const repairs = read.filter(({ reasons }) => reasons.length > 0);
  const killed = await killedByReader();
  return [
    {
      name: 'recurrence cases of libical',
      value: `${rules.filter(holds).length} of ${rules.length}`,
      command,
      note: 'one of them is that a rule is refused',
    },
    {
      name: 'calendars that ical4j calls valid, read',
      value: `${valid.filter(({ refusal }) => refusal === null).length} of ${valid.length}`,
      command,
      note: 'the other one has bytes that somebody replaced by question marks, and is refused as garbled',
    },
    {
      name: 'files of all sets: read whole, read without some records, refused',
      value: `${read.length - repairs.length}, ${repairs.length}, ${files.length - read.length} of ${files.length}`,
      command,
      note: `each record or file that is left out has a reason; the slowest took ${slowest(files).toFixed(0)} ms of a processor`,
    },
    {
      name: 'files that took a reading process more than 256 MB or 2 s',
      value: `${killed} of ${files.length}`,
      command,
    },
    {
      name: 'starts as the tests of other programs have them',
      value: `${same.length} of ${answers.length} files and spans`,
      command,
      note: 'quality/ical-answers.ts',
    },
  ];
}

function slowest(files: readonly ReadCalendar[]): number {
  return Math.max(...files.map(({ milliseconds }) => milliseconds));
}

async function killedByReader(): Promise<number> {
  const reader = openReader({ limits: { processes: 1, timeMsPerMb: 0 } });
  let killed = 0;
  for (const file of calendarFiles()) {
    const { answer, source } = calendar(file);
    const code = await reader.read(ical.kind, answer, source).then(
      () => null,
      (error: unknown) => (error instanceof ProviderError ? error.code : 'crashed'),
    );
    if (code === 'too_slow' || code === 'too_large' || code === 'crashed') killed++;
  }
  await reader.close();
  return killed;
}

function calendarFiles(): string[] {
  const all = readdirSync(CALENDARS, { recursive: true }).map(String);
  return all.filter((file) => !NO_CALENDARS.test(file) && statSync(join(CALENDARS, file)).isFile()).sort();
}

/** A file with a window that begins with its first event: many are decades old. */
function calendar(file: string): { answer: SourceResponse; source: SourceFacts } {
  const body = readFileSync(join(CALENDARS, file));
  const events = body.toString('latin1').replace(/^BEGIN:VTIMEZONE[\s\S]*?^END:VTIMEZONE/gim, '');
  const years = [...events.matchAll(/^DTSTART[^:\n]*:(\d{4})/gim)].map(([, year]) => Number(year));
  const known = years.filter((year) => year > 1900 && year < 2100);
  const first = known.length > 0 ? Math.min(...known) : 2000;
  const window = { from: Date.UTC(first, 0), until: Date.UTC(first, 0) + WINDOW_MS };
  return { answer: { url: `file:///${file}`, body, contentType: null }, source: { ...SOURCE, window } };
}

/** A day, or an instant in UTC. */
function momentOf({ start, zone }: EventListing): string {
  if (start === null || !start.includes('T')) return start ?? '';
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(start);
  const instant = hasOffset
    ? Temporal.Instant.from(start)
    : Temporal.PlainDateTime.from(start).toZonedDateTime(zone ?? SOURCE.zone);
  return new Date(instant.epochMilliseconds).toISOString().replace('.000', '');
}

const VALID = 'ical4j-samples/valid/';
/** Licences and the recurrence cases. */
const NO_CALENDARS = /^(?:LICENSES|libical-recur)(?:\/|$)/;
const WINDOW_MS = 401 * 86_400_000;
const ALWAYS = { window: { from: 0, until: Date.UTC(2100, 0) } };
const SOURCE: SourceFacts = {
  name: 'calendar',
  location: 'https://calendar.example/all.ics',
  mapping: null,
  key: null,
  zone: 'America/New_York',
  locales: ['en-US'],
  window: { from: 0, until: 0 },
};
