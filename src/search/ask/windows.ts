/** The words of time of one text, together: as one range, and as the parameters that say it. */

import type { CityTime } from '../../values/city-time.ts';
import { type NamedWindow, namedWindow, type TimeWindow } from '../../values/named-window.ts';
import type { EventQuery } from '../query.ts';
import { createTimeReader, NEW_DAY, onDay, type TimePhrase } from './time-phrases.ts';
import { readTokens } from './tokens.ts';

export type Range = Pick<EventQuery, 'from' | 'to' | 'ongoing' | 'lastDayEnds'>;

/** Hours without a day take the day beside them, or today; null: beside several days they mean nothing. */
export function placeHours(phrase: TimePhrase, all: readonly TimePhrase[], today: string): TimePhrase | null {
  if (!phrase.hours) return phrase;
  const other = all.find((each) => each !== phrase && !each.hours);
  const day = other === undefined ? today : dayOf(other, today);
  return day === null ? null : { ...onDay(phrase.hours, day, today, phrase.length), means: phrase.means };
}

function dayOf({ when, start, end }: TimePhrase, today: string): string | null {
  if (when === 'tonight') return today;
  if (when === 'tomorrow') return Temporal.PlainDate.from(today).add({ days: 1 }).toString();
  if (when !== undefined || end === undefined) return null;
  const [first = ''] = (start ?? today).split('T');
  return start === undefined || first === end || start.includes('T') ? first : null;
}

/** What all phrases share. */
export function rangeOf(phrases: readonly TimePhrase[], now: number, city: CityTime): Range {
  const range: Range = { from: now, to: Number.POSITIVE_INFINITY };
  phrases.forEach((phrase, index) => {
    const { from, to, lastDayEnds, ongoing } = spanOf(phrase, now, city);
    range.from = index === 0 ? from : Math.max(range.from, from);
    range.to = Math.min(range.to, to);
    range.lastDayEnds = Math.min(range.lastDayEnds ?? Number.POSITIVE_INFINITY, lastDayEnds);
    if (ongoing) range.ongoing = true;
  });
  return range;
}

interface Span {
  from: number;
  to: number;
  lastDayEnds: number;
  ongoing: boolean;
}

function spanOf(phrase: TimePhrase, now: number, city: CityTime): Span {
  const { when, start } = phrase;
  if (when) return currentWindow(when, now, city);
  // What is over is not asked for.
  const from = start === undefined ? now : Math.max(now, startOf(start, city));
  const end = endOf(phrase, now, city);
  if (end === undefined) return { from, to: Number.POSITIVE_INFINITY, lastDayEnds: Number.POSITIVE_INFINITY, ongoing: false };
  const to = lastMomentOf(end, city);
  // A night ends on the next day, which an event without an hour does not belong to.
  const lastDay = (start?.includes('T') ? start : (phrase.end ?? end)).slice(0, ISO_DATE_LENGTH);
  return { from, to, lastDayEnds: Math.min(to, city.dayBounds(lastDay).last), ongoing: false };
}

/** Of a day that is over on the calendar its night is left: it ends when the service day does. */
function endOf({ start, end }: TimePhrase, now: number, city: CityTime): string | undefined {
  if (end === undefined || end.includes('T') || start !== undefined || city.dayBounds(end).last >= now) return end;
  return `${Temporal.PlainDate.from(end).add({ days: 1 }).toString()}T${NEW_DAY}`;
}

/** A window stays the same until its bounds change, but for what moves with the clock. */
function currentWindow(when: NamedWindow, now: number, city: CityTime): Span {
  const known = knownWindows.get(city) ?? new Map<NamedWindow, { at: number; window: TimeWindow }>();
  knownWindows.set(city, known);
  const last = known.get(when);
  if (!last || now < last.at || now >= last.window.changesAt) {
    const window = namedWindow(when, now, city);
    known.set(when, { at: now, window });
    return window;
  }
  const { at, window } = last;
  const to = window.moves.to ? window.to + now - at : window.to;
  const lastDayEnds = window.moves.to ? to : window.lastDayEnds;
  return { from: window.moves.from ? now : window.from, to, lastDayEnds, ongoing: window.ongoing };
}
const knownWindows = new WeakMap<CityTime, Map<NamedWindow, { at: number; window: TimeWindow }>>();

/** When a phrase stands for another time than now. */
export function changesAt(phrase: TimePhrase, now: number, city: CityTime): number {
  const { when, start } = phrase;
  if (when) return namedWindow(when, now, city).changesAt;
  const begins = start === undefined ? now : startOf(start, city);
  if (begins > now) return begins;
  const end = endOf(phrase, now, city);
  const last = end === undefined ? now - 1 : lastMomentOf(end, city);
  return last < now ? Number.POSITIVE_INFINITY : last + 1;
}

const startOf = (start: string, city: CityTime): number =>
  start.includes('T') ? city.resolveBound(start) : city.dayBounds(start).first;

const lastMomentOf = (end: string, city: CityTime): number =>
  end.includes('T') ? city.resolveBound(end) : city.dayBounds(end).last;

/** Null: it is over, and no parameters ask for that. */
export function timeParameters(phrase: TimePhrase, now: number, city: CityTime): Record<string, string> | null {
  const { when, start } = phrase;
  if (when) return { when };
  const end = endOf(phrase, now, city);
  if (end !== undefined && lastMomentOf(end, city) < now) return null;
  const isToCome = start !== undefined && startOf(start, city) > now;
  return { ...(isToCome && { start_date: start }), ...(end !== undefined && { end_date: end }) };
}

/** A text that is a time and nothing else, such as `next saturday` and `friday night`; null: it is none. */
export function readTimeWords(
  text: string,
  now: number,
  city: CityTime,
): { means: string; parameters: Record<string, string> | null } | null {
  const tokens = readTokens(text);
  const reader = createTimeReader(now, city);
  const phrase = reader.read(tokens, 0);
  const placed = phrase?.length === tokens.length ? placeHours(phrase, [phrase], reader.today) : null;
  return placed && { means: placed.means, parameters: timeParameters(placed, now, city) };
}

const ISO_DATE_LENGTH = 10;
