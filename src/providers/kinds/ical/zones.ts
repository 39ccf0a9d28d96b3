/** From what a calendar calls a time zone to one that local times can be told by. */

import { type CityTime, createCityTime } from '../../../city/index.ts';
import { DAY_MS } from '../../../values/duration.ts';
import type { RawCalendar } from './components.ts';
import { createOwnZone } from './own-zone.ts';
import { textOf } from './property.ts';
import { formatWall } from './wall.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

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
    if (!known.has(name)) known.set(name, namedZone(name));
    return known.get(name) ?? null;
  };
  // A name that is described twice is described by the first.
  const described = new Map(
    calendar.zones.toReversed().map((raw) => [textOf(raw.lines.find(({ name }) => name === 'TZID')), raw]),
  );
  const ownZone = (tzid: string): Zone | null => {
    const raw = described.get(tzid);
    const made = raw ? createOwnZone(raw, source.window) : null;
    return made && { kind: 'own', name: null, ...made };
  };
  const found = new Map<string, Zone | null>();
  const cityZone = named(source.zone);
  const declared = textOf(calendar.lines.find(({ name }) => name === 'X-WR-TIMEZONE'));
  const calendarZone = declared === null ? null : (named(declared) ?? ownZone(declared));
  const city: Zone = { ...(cityZone ?? UTC), kind: 'floating', name: null };
  return {
    floating: calendarZone ?? city,
    find(tzid) {
      if (!found.has(tzid)) found.set(tzid, named(tzid) ?? ownZone(tzid) ?? calendarZone);
      return found.get(tzid) ?? null;
    },
  };
}

export const UTC: Zone = { kind: 'utc', name: null, instantOf: (wall) => wall, wallOf: (instant) => instant };

function namedZone(tzid: string): Zone | null {
  const time = namesOf(tzid).reduce<CityTime | null>((found, name) => found ?? openZone(name), null);
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

/** What a TZID may mean, the most exact first. */
function namesOf(tzid: string): string[] {
  const plain = tzid.trim().replace(/^"(.*)"$/, '$1');
  const windows = WINDOWS.get(fold(plain));
  // §3.8.3.1: a name that begins with a solidus is of a registry, as in /freeassociation.sourceforge.net/Europe/Berlin.
  const parts = plain.split('/');
  const tails = plain.startsWith('/') ? [parts.slice(-3), parts.slice(-2)].map((tail) => tail.join('/')) : [];
  return [...(windows === undefined ? [] : [windows]), plain.replace(/ /g, '_'), ...tails];
}

function openZone(name: string): CityTime | null {
  // Offsets such as +05:00 are zones to Temporal as well, but no names.
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return null;
  try {
    return createCityTime(name);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Without the offset that Outlook writes before the words, which is that of the winter. */
function fold(text: string): string {
  return text
    .replace(/^\((?:UTC|GMT)[^)]*\)/i, '')
    .replace(/ and /gi, ' & ')
    .trim()
    .toLowerCase();
}

/** By name and by words; a name goes before the same words. */
const WINDOWS: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_ZONES.map(([, zone, words]) => [fold(words), zone] as const),
  ...WINDOWS_ZONES.map(([name, zone]) => [fold(name), zone] as const),
  // Of the Exchange Web Services.
  ['tzone://microsoft/utc', 'Etc/UTC'],
]);
