/** From what a calendar calls a time zone to one that local times can be told by. */

import { type CityTime, createCityTime } from '../../../city/index.ts';
import { DAY_MS } from '../../../values/duration.ts';
import type { RawCalendar, RawZone } from './components.ts';
import { createOwnZone } from './own-zone.ts';
import { textOf } from './property.ts';
import { formatWall } from './wall.ts';
import {
  createHomeZone,
  exactZoneNames,
  guessZone,
  type HomeZone,
  isAbbreviation,
  plainZoneName,
  respelledZoneNames,
} from './zone-names/zone-names.ts';

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
