/** From what a calendar calls a time zone to one that local times can be told by. */

import { type CityTime, createCityTime } from '../../../values/city-time.ts';
import { DAY_MS, DAY_SECONDS } from '../../../values/duration.ts';
import type { RawCalendar, RawZone } from './components.ts';
import type { ContentLine } from './content-lines.ts';
import { expandRule } from './expand-rule.ts';
import { readProperty, textOf } from './property.ts';
import { readRule } from './rule.ts';
import { formatWall, readWall, type Wall } from './wall.ts';
import {
  createHomeZone,
  exactZoneNames,
  guessZone,
  type HomeZone,
  isAbbreviation,
  plainZoneName,
  respelledZoneNames,
} from './zone-names.ts';

export interface Zone {
  /** `floating` is the city's; `own` is described by the calendar itself and has no name that others know. */
  kind: 'utc' | 'named' | 'floating' | 'own';
  /** IANA name of a `named` one. */
  name: string | null;
  /** Walls as in `wall.ts`. A wall time that happens twice is the earlier; one that does not exist takes the offset before the gap. */
  instantOf(wall: number): number;
  wallOf(instant: number): number;
}

export interface Zones {
  /** Null for a name that nothing is known of. */
  find(tzid: string): Zone | null;
  /** Of date-times without one: that of `X-WR-TIMEZONE`, else the city's. */
  floating: Zone;
}

/** Known names, for all calendars of one answer: a zone is opened once. */
export type KnownZones = Map<string, Zone | null>;

export function createZones(
  calendar: RawCalendar,
  source: { zone: string; window: { from: number; until: number } },
  known: KnownZones,
): Zones {
  const named = (name: string): Zone | null => {
    if (!known.has(name)) known.set(name, namedZone(exactZoneNames(name)));
    return known.get(name) ?? null;
  };
  const respelled = (plain: string): Zone | null =>
    respelledZoneNames(plain).reduce<Zone | null>((found, name) => found ?? named(name), null);
  // A name that is described twice is described by the first.
  const described = new Map(calendar.zones.toReversed().map((raw) => [nameOf(raw, 'TZID')?.toLowerCase(), raw]));
  const ownZone = (plain: string): Zone | null => {
    const raw = described.get(plain.toLowerCase());
    const made = raw ? createOwnZone(raw, source.window) : null;
    if (made) return { kind: 'own', name: null, ...made };
    // Rules that cannot be followed may stand beside the name of a zone that everybody knows.
    const location = raw && nameOf(raw, 'X-LIC-LOCATION');
    return location ? named(location) : null;
  };
  const resolver = (homeName: string): ((plain: string) => Zone | null) => {
    let home: HomeZone | null = null;
    const guessed = (plain: string): Zone | null => {
      home ??= createHomeZone(homeName, source.window.from);
      const guess = guessZone(plain, home);
      return typeof guess === 'number' ? fixedZone(guess) : guess === null ? null : named(guess);
    };
    return (plain) => {
      const exact = named(plain);
      if (isAbbreviation(plain)) return ownZone(plain) ?? guessed(plain) ?? exact;
      return exact ?? ownZone(plain) ?? respelled(plain) ?? guessed(plain);
    };
  };
  const declared = plainZoneName(textOf(calendar.lines.find(({ name }) => name === 'X-WR-TIMEZONE')) ?? '');
  const calendarZone = declared === '' ? null : resolver(source.zone)(declared);
  const resolve = resolver(calendarZone?.name ?? source.zone);
  const found = new Map<string, Zone | null>();
  return {
    floating: calendarZone ?? { ...(named(source.zone) ?? UTC), kind: 'floating', name: null },
    find(tzid) {
      const plain = plainZoneName(tzid);
      if (!found.has(plain)) found.set(plain, resolve(plain) ?? calendarZone);
      return found.get(plain) ?? null;
    },
  };
}

function nameOf(raw: RawZone, property: string): string | null {
  const text = textOf(raw.lines.find(({ name }) => name === property));
  return text === null ? null : plainZoneName(text);
}

function fixedZone(offset: number): Zone {
  return { kind: 'own', name: null, instantOf: (wall) => wall - offset, wallOf: (instant) => instant + offset };
}

export const UTC: Zone = { kind: 'utc', name: null, instantOf: (wall) => wall, wallOf: (instant) => instant };

function namedZone(names: readonly string[]): Zone | null {
  const time = names.reduce<CityTime | null>((found, name) => found ?? openZone(name), null);
  if (!time) return null;
  const wallOf = (instant: number): number => Date.parse(`${time.format(instant).slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`);
  const steady = createSteadyDays((instant) => wallOf(instant) - instant);
  return {
    kind: 'named',
    name: time.timezone,
    instantOf: (wall) => {
      const offset = steady(wall);
      return offset === null ? time.resolve(formatWall(wall)) : wall - offset;
    },
    wallOf: (instant) => {
      const offset = steady(instant);
      return offset === null ? wallOf(instant) : instant + offset;
    },
  };
}

/**
 * The offset of a zone on the day of a moment, wall or instant; null near a day on which it changes. Calendars have many events on
 * few days, and a zone is slow to ask.
 */
function createSteadyDays(offsetAt: (instant: number) => number): (moment: number) => number | null {
  const days = new Map<number, number | null>();
  return (moment) => {
    const day = Math.floor(moment / DAY_MS);
    const known = days.get(day);
    if (known !== undefined) return known;
    const [before, after] = [offsetAt((day - 1) * DAY_MS), offsetAt((day + 2) * DAY_MS)];
    const offset = before === after ? before : null;
    days.set(day, offset);
    return offset;
  };
}

function openZone(name: string): CityTime | null {
  // Offsets such as +05:00 are zones to Temporal as well, but no names.
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return null;
  try {
    // The name in its own case: programs write it in any.
    return createCityTime(Temporal.Now.zonedDateTimeISO(name).timeZoneId);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface OwnZone {
  /** Local time of an instant, and the reverse, as `CityTime.resolve` decides it. Milliseconds; walls as in `expand-rule.ts`. */
  wallOf(instant: number): number;
  instantOf(wall: number): number;
}

interface Observance {
  isDaylight: boolean;
  start: number;
  /** Milliseconds ahead of UTC. */
  offsetFrom: number;
  offsetTo: number;
  /** Onsets, on the clock that was valid before. */
  onsets: number[];
}

interface Transition {
  instant: number;
  offset: number;
}

/**
 * The time zone that a calendar describes itself (RFC 5545 §3.6.5), where its name is none that the world knows. Exact within the years of
 * `window` and those that lie near. Null where the rules cannot be followed.
 */
function createOwnZone(zone: RawZone, window: { from: number; until: number }): OwnZone | null {
  const observances = zone.observances.map((lines) => readObservance(lines, window));
  if (observances.length === 0 || observances.some((each) => each === null)) return null;
  const all = (observances as Observance[]).sort((a, b) => a.start - b.start);
  const transitions = all
    .flatMap((each) =>
      onsetsOf(each, all).map((onset): Transition => ({ instant: onset - each.offsetFrom, offset: each.offsetTo })),
    )
    .sort((a, b) => a.instant - b.instant);
  const before = all[0]?.offsetFrom ?? 0;
  const offsetAt = (instant: number): number => {
    let [low, high] = [0, transitions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((transitions[middle]?.instant ?? 0) <= instant) low = middle + 1;
      else high = middle;
    }
    return transitions[low - 1]?.offset ?? before;
  };
  const offsets = [...new Set([before, ...transitions.map(({ offset }) => offset)])];
  return {
    wallOf: (instant) => instant + offsetAt(instant),
    instantOf(wall) {
      const fitting = offsets.map((offset) => wall - offset).filter((instant) => instant + offsetAt(instant) === wall);
      if (fitting.length > 0) return Math.min(...fitting);
      // In a gap the offset before it counts: that of the transition that skips this wall time.
      const offsetBefore = ({ instant }: Transition): number => offsetAt(instant - 1);
      const skips = transitions.findLast((each) => each.instant + offsetBefore(each) <= wall);
      return wall - (skips ? offsetBefore(skips) : before);
    },
  };
}

/** Old rules without an end stand beside newer ones in some calendars: the newer of a kind ends the older. */
function onsetsOf(observance: Observance, all: readonly Observance[]): number[] {
  const next = all.find(({ isDaylight, start }) => isDaylight === observance.isDaylight && start > observance.start);
  return next ? observance.onsets.filter((onset) => onset < next.start) : observance.onsets;
}

function readObservance([kind, ...lines]: readonly ContentLine[], window: { from: number; until: number }): Observance | null {
  const valuesOf = (name: string): string[] =>
    lines.filter((line) => line.name === name).flatMap((line) => readProperty(line)?.values[0] ?? []);
  const start = readWall(valuesOf('DTSTART')[0] ?? '');
  const offsetFrom = readOffset(valuesOf('TZOFFSETFROM')[0]);
  const offsetTo = readOffset(valuesOf('TZOFFSETTO')[0]);
  if (!start || offsetFrom === null || offsetTo === null) return null;
  const onsets = [start.wall];
  for (const text of valuesOf('RDATE').flatMap((list) => list.split(','))) {
    const wall = readWall(text.split('/', 1)[0] ?? '');
    if (wall) onsets.push(wall.wall);
  }
  for (const text of valuesOf('RRULE')) {
    const found = ruleOnsets(text, start, offsetFrom, window);
    if (!found) return null;
    onsets.push(...found);
  }
  return { isDaylight: kind?.text.toUpperCase().includes('DAYLIGHT') ?? false, start: start.wall, offsetFrom, offsetTo, onsets };
}

function ruleOnsets(text: string, start: Wall, offset: number, window: { from: number; until: number }): number[] | null {
  const rule = readRule(text);
  if (typeof rule === 'string' || !FREQUENCIES.has(rule.frequency)) return null;
  const until = rule.until === null ? null : readWall(rule.until);
  const last = until && (until.isUtc ? until.wall + offset : until.wall);
  // A rule that has ended is needed to its end, as its last onset may still hold; there are but a few hundred of them.
  const from = last !== null || rule.count !== null ? start.wall : window.from - NEAR_MS;
  const expanded = expandRule(rule, { wall: start.wall, isDate: false }, { from, until: window.until + NEAR_MS, last }, LIMITS);
  return expanded.ok && !expanded.isCut ? expanded.walls : null;
}

/** §3.3.14: `+0200`, `-0345`, `+012345`. */
function readOffset(text: string | undefined): number | null {
  const match = /^([+-])(\d{2}):?(\d{2}):?(\d{2})?$/.exec(text?.trim() ?? '');
  if (!match) return null;
  const [, sign, hours, minutes, seconds = '0'] = match;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return size >= DAY_SECONDS ? null : (sign === '-' ? -size : size) * 1_000;
}

const FREQUENCIES: ReadonlySet<string> = new Set(['YEARLY', 'MONTHLY']);
/** Two years: so that the transition before the first day of the window is among those found. */
const NEAR_MS = 2 * 366 * DAY_SECONDS * 1_000;
const LIMITS = { instances: 2_000, periods: 10_000, candidates: 10_000 };
