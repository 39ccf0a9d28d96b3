/** Dates and times as listings write them, into instants. */

import { type CityTime, createCityTime } from '../../city/index.ts';
import { readIsoMoment } from '../../providers/index.ts';

/** A date, perhaps a wall clock time, perhaps its offset from UTC. */
export interface ListedTime {
  /** `YYYY-MM-DD`. */
  day: string;
  /** `hh:mm:ss[.fff]`; null: the day alone. */
  time: string | null;
  /** `Z` or `±hh:mm`; null: a wall clock. */
  offset: string | null;
}

/** Null for text that is no date or none that exists. */
export function readMoment(text: string): ListedTime | null {
  return readIsoMoment(text);
}

/** The instant of a wall clock, as `CityTime.resolve` has it. Remembered: many events start at one hour of one day. */
export function resolveClock(zone: CityTime, local: string): number {
  const key = `${zone.timezone} ${local}`;
  const held = instants.get(key);
  if (held !== undefined) return held;
  const instant = zone.resolve(local);
  if (instants.size >= MAX_INSTANTS) instants.clear();
  instants.set(key, instant);
  return instant;
}

/** Places on Earth are 12 hours behind UTC at most and 14 ahead. */
export function isOffset(offset: string): boolean {
  if (offset === 'Z') return true;
  const [, sign = '', hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && total <= (sign === '-' ? MAX_BEHIND : MAX_AHEAD);
}

/** Null for a zone that does not exist. Zones are remembered: making one costs more than using it. */
export function zoneTime(zone: string): CityTime | null {
  const held = zones.get(zone);
  if (held !== undefined) return held;
  let time: CityTime | null = null;
  try {
    time = createCityTime(zone);
  } catch {
    // Remembered as none.
  }
  if (zones.size >= MAX_ZONES) zones.clear();
  zones.set(zone, time);
  return time;
}

const zones = new Map<string, CityTime | null>();
const instants = new Map<string, number>();

const MAX_BEHIND = 12 * 60;
const MAX_AHEAD = 14 * 60;
const MAX_INSTANTS = 20_000;
/** More than there are. */
const MAX_ZONES = 1000;
