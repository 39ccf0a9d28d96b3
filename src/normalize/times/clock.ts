/** Dates and times as listings write them, into instants. */

import { type CityTime, createCityTime } from '../../city/index.ts';

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
  const [, day = '', clock, seconds = ':00', offset] = MOMENT.exec(text.trim()) ?? [];
  if (day === '') return null;
  if (!isDay(day)) return null;
  const upper = offset?.toUpperCase().replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  return { day, time: clock === undefined ? null : clock + seconds, offset: upper ?? null };
}

/** Not February 30. */
function isDay(day: string): boolean {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const read = new Date(Date.UTC(year, month - 1, date));
  return read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === date;
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

const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]([01]\d:[0-5]\d|2[0-3]:[0-5]\d)(:[0-5]\d(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const MAX_BEHIND = 12 * 60;
const MAX_AHEAD = 14 * 60;
const MAX_INSTANTS = 20_000;
/** More than there are. */
const MAX_ZONES = 1000;
