/** When an event starts and ends, and how exactly that is known. */

import { type EventListing, readIsoMoment } from '../../providers/index.ts';
import type { StartPrecision } from '../../records/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import { wholeSecond } from '../checks.ts';
import { type Fix, type NormalContext, type Rejected, refused } from '../model.ts';
import { folded } from '../text.ts';

export interface Times {
  startsAt: number;
  endsAt: number | null;
  localStart: string;
  precision: StartPrecision;
}

/**
 * Zone of a clock: its offset when there is such a one, else the listing's zone, else the city's. A date alone is a day whose hour is
 * unknown; with `isAllDay` it is the whole day. Nothing is put at 00:00 but days.
 */
export function normalizeTimes(listing: EventListing, context: NormalContext, fix: Fix): { ok: true; times: Times } | Rejected {
  const city = zoneTime(context.city.timezone);
  if (!city) throw new RangeError(`${context.city.timezone} is not a time zone`);
  const start = readStart(listing.start);
  if ('ok' in start) return start;
  const zone = listing.zone === null ? city : (zoneTime(listing.zone) ?? ignored(city, fix));
  const startsAt = start.time === null ? city.dayBounds(start.day).first : instantOf(start, zone, fix);
  const localStart = city.format(startsAt).slice(0, MINUTE_CHARS);
  const end = listing.end === null ? null : readMoment(listing.end);
  const endsAt = end && afterStart(start, startsAt, end, instantOfEnd(end, city, zone, fix));
  const at = { startsAt, localStart, endsAt, start, end };
  const times = listing.isAllDay ? wholeDays(at, city) : timed(at, listing, context, city, fix);
  return withinReason(times, context.now);
}

/** A start that its clock skips is moved on (02:30 to 03:30), past an end at 03:15: then it lasts as long as its clocks say. */
function afterStart(start: ListedTime, startsAt: number, end: ListedTime, endsAt: number): number {
  const isClock = ({ time, offset }: ListedTime): boolean => time !== null && offset === null;
  if (endsAt > startsAt || !isClock(start) || !isClock(end)) return endsAt;
  const wall = ({ day, time }: ListedTime): number => Date.parse(`${day}T${time}Z`);
  const length = wall(end) - wall(start);
  return length > 0 ? startsAt + length : endsAt;
}

interface Read {
  startsAt: number;
  localStart: string;
  endsAt: number | null;
  start: ListedTime;
  end: ListedTime | null;
}

function readStart(text: string | null): ListedTime | Rejected {
  const said = text?.trim() ?? '';
  if (said === '') return refused('start', 'no_start', 'wanted a start, got nothing');
  const moment = readMoment(said);
  if (!moment)
    return refused('start', 'bad_start', `wanted a date that exists, got ${JSON.stringify(said.slice(0, MAX_PRINTED))}`);
  const { day } = moment;
  if (UNKNOWN_DAYS.has(day)) return refused('start', 'no_start', `wanted a start, got ${day}, which stands for unknown`);
  if (day < FIRST_DAY) return refused('start', 'too_long_ago', `wanted a year from 1971 to 2199, got ${day}`);
  if (day > LAST_DAY) return refused('start', 'too_far_ahead', `wanted a year from 1971 to 2199, got ${day}`);
  return moment;
}

function timed(at: Read, listing: EventListing, context: NormalContext, city: CityTime, fix: Fix): Times {
  const { startsAt, localStart, start } = at;
  const day = localStart.slice(0, DAY_CHARS);
  const midnight = city.dayBounds(day).first;
  if (start.time !== null && startsAt === midnight && meansWholeDay(at, city)) {
    fix('midnight_all_day');
    return wholeDays({ ...at, end: null }, city);
  }
  const isPlaceholder = start.time !== null && isPlaceholderTime(localStart, listing, context);
  const isMidnight = start.time !== null && startsAt === midnight && lacksEnd(at) && !saysMidnight(listing);
  if (isPlaceholder || isMidnight) fix(isPlaceholder ? 'placeholder_time' : 'midnight_unknown');
  if (start.time !== null && !isPlaceholder && !isMidnight) {
    return { startsAt, localStart, precision: 'time', endsAt: fixEnd(at, city, fix) };
  }
  const dated = { ...at, startsAt: midnight, localStart: `${day}T00:00` };
  // An end on the same day says as little as the start.
  const endsLater = at.endsAt !== null && at.endsAt > city.dayBounds(day).last + 1;
  return { startsAt: midnight, localStart: dated.localStart, precision: 'date', endsAt: endsLater ? at.endsAt : null };
}

function wholeDays({ startsAt, endsAt, end, localStart }: Read, city: CityTime): Times {
  const day = localStart.slice(0, DAY_CHARS);
  const bounds = city.dayBounds(day);
  const last = end?.time === null && end.day > day ? end.day : day;
  const until = end?.time != null && endsAt !== null && endsAt > startsAt ? endsAt : city.dayBounds(last).last + 1;
  return { startsAt: bounds.first, localStart: `${day}T00:00`, precision: 'all_day', endsAt: Math.max(until, bounds.last + 1) };
}

/** An end before the start is often the next morning; anything else of the kind is a mistake, and the end is unknown. */
function fixEnd({ startsAt, endsAt, end, localStart }: Read, city: CityTime, fix: Fix): number | null {
  if (endsAt === null || end === null) return null;
  if (end.time === null) {
    const day = localStart.slice(0, DAY_CHARS);
    if (end.day > day) return endsAt;
    if (end.day < day) fix('end_dropped');
    return null;
  }
  if (endsAt > startsAt) return endsAt;
  const next = endsAt < startsAt ? nextDay(endsAt, city) : endsAt;
  const isOvernight = next > startsAt && next - startsAt <= OVERNIGHT_MS;
  fix(isOvernight ? 'end_next_day' : 'end_dropped');
  return isOvernight ? next : null;
}

/** The same clock a day later: 23 or 25 hours when clocks change. */
function nextDay(instant: number, city: CityTime): number {
  const local = Temporal.PlainDateTime.from(city.format(instant).slice(0, SECOND_CHARS)).add({ days: 1 });
  return city.resolve(local.toString());
}

function instantOfEnd(end: ListedTime, city: CityTime, zone: CityTime, fix: Fix): number {
  return end.time === null ? city.dayBounds(end.day).last + 1 : instantOf(end, zone, fix);
}

function instantOf({ day, time, offset }: ListedTime, zone: CityTime, fix: Fix): number {
  const local = `${day}T${time}`;
  if (offset !== null && isOffset(offset)) return wholeSecond(Temporal.Instant.from(local + offset).epochMilliseconds);
  if (offset !== null) fix('offset_ignored');
  const instant = resolveClock(zone, local);
  if (zone.format(instant).slice(0, MINUTE_CHARS) !== local.slice(0, MINUTE_CHARS)) fix('time_adjusted');
  return wholeSecond(instant);
}

function ignored(city: CityTime, fix: Fix): CityTime {
  fix('zone_ignored');
  return city;
}

const lacksEnd = ({ startsAt, endsAt, end }: Read): boolean => endsAt === null || end?.time === null || endsAt === startsAt;

/** From midnight to 23:59, or to a later midnight. */
function meansWholeDay({ startsAt, endsAt, end }: Read, city: CityTime): boolean {
  if (endsAt === null || end?.time == null || endsAt <= startsAt) return false;
  const clock = city.format(endsAt).slice(DAY_CHARS + 1, MINUTE_CHARS);
  return clock === '00:00' || clock === '23:59';
}

function isPlaceholderTime(localStart: string, listing: EventListing, { sourceName }: NormalContext): boolean {
  const providers = listing.sources.length > 0 ? listing.sources : [sourceName];
  return providers.some((name) => PLACEHOLDER_TIMES[folded(name)]?.includes(localStart.slice(DAY_CHARS + 1)));
}

const saysMidnight = ({ title, description }: EventListing): boolean =>
  /midnight|minuit|mitternacht|medianoche|mezzanotte|middernacht|\b12(?::00)?\s?am\b|\b00[:h]00\b/i.test(
    `${title} ${description?.slice(0, MAX_READ)}`,
  );

function withinReason(times: Times, now: number | undefined): { ok: true; times: Times } | Rejected {
  const { startsAt, endsAt, localStart } = times;
  const day = localStart.slice(0, DAY_CHARS);
  if (now !== undefined && startsAt > now + MAX_AHEAD_MS) return refused('start', 'too_far_ahead', `it starts on ${day}`);
  if (endsAt !== null && endsAt - startsAt > MAX_MS) {
    const days = Math.ceil((endsAt - startsAt) / DAY_MS);
    return refused('end', 'too_long', `wanted an event of at most ${MAX_DAYS} days, got ${days}`);
  }
  if (now !== undefined && (endsAt ?? startsAt) < now - MAX_PAST_MS) {
    return refused('start', 'too_long_ago', `it was over on ${new Date(endsAt ?? startsAt).toISOString().slice(0, DAY_CHARS)}`);
  }
  return { ok: true, times };
}

/** A date, perhaps a wall clock time, perhaps its offset from UTC. */
interface ListedTime {
  /** `YYYY-MM-DD`. */
  day: string;
  /** `hh:mm:ss[.fff]`; null: the day alone. */
  time: string | null;
  /** `Z` or `±hh:mm`; null: a wall clock. */
  offset: string | null;
}

/** Dates and times as listings write them, into instants. Null for text that is no date or none that exists. */
function readMoment(text: string): ListedTime | null {
  return readIsoMoment(text);
}

/** The instant of a wall clock, as `CityTime.resolve` has it. Remembered: many events start at one hour of one day. */
function resolveClock(zone: CityTime, local: string): number {
  const key = `${zone.timezone} ${local}`;
  const held = instants.get(key);
  if (held !== undefined) return held;
  const instant = zone.resolve(local);
  if (instants.size >= MAX_INSTANTS) instants.clear();
  instants.set(key, instant);
  return instant;
}

/** Places on Earth are 12 hours behind UTC at most and 14 ahead. */
function isOffset(offset: string): boolean {
  if (offset === 'Z') return true;
  const [, sign = '', hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const total = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && total <= (sign === '-' ? MAX_BEHIND : MAX_AHEAD);
}

/** Null for a zone that does not exist. Zones are remembered: making one costs more than using it. */
function zoneTime(zone: string): CityTime | null {
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

/** By provider: hours it prints when it knows none. They are not shown as if somebody had said them. */
const PLACEHOLDER_TIMES: Readonly<Record<string, readonly string[]>> = { __proto__: null as never, todaytix: ['19:30'] };
/** What an empty date prints. */
const UNKNOWN_DAYS = new Set(['0001-01-01', '1899-12-30', '1899-12-31', '1900-01-01', '1969-12-31', '1970-01-01']);
const DAY_CHARS = 10;
const MINUTE_CHARS = 16;
const SECOND_CHARS = 19;
const MAX_PRINTED = 64;
/** Of a description. */
const MAX_READ = 2000;
/** Longer than any night out that ends before it began. */
const OVERNIGHT_MS = 12 * 3_600_000;
/** Long exhibitions last for years; what claims to last longer is permanent, or a mistake. */
const MAX_DAYS = 5 * 366;
const MAX_MS = MAX_DAYS * DAY_MS;
const MAX_PAST_MS = 366 * DAY_MS;
const MAX_AHEAD_MS = MAX_MS;
const FIRST_DAY = '1971-01-01';
const LAST_DAY = '2199-12-31';
const zones = new Map<string, CityTime | null>();
const instants = new Map<string, number>();
const MAX_BEHIND = 12 * 60;
const MAX_AHEAD = 14 * 60;
const MAX_INSTANTS = 20_000;
/** More than there are. */
const MAX_ZONES = 1000;
