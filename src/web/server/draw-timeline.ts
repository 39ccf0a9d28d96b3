/** Two events on one axis of the city's time. */

import type { CityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { DrawnTimeline } from '../model/desk.ts';
import { formatAge } from '../model/format.ts';
import type { MomentFormat } from './desk.ts';

export interface TimedSide {
  letter: string;
  /** Milliseconds since 1970 UTC. */
  startsAt: number;
  /** Exclusive; null: not said. */
  endsAt: number | null;
  precision: 'time' | 'date' | 'all_day';
}

export function drawTimeline(sides: readonly TimedSide[], time: CityTime, moments: MomentFormat): DrawnTimeline {
  const spans = sides.map((side) => spanOf(side, time));
  const first = Math.min(...spans.map(({ from }) => from));
  const last = Math.max(...spans.map(({ to }) => to));
  const room = Math.max((last - first) * ROOM, MIN_ROOM_MS);
  const [from, to] = [first - room, last + room];
  const x = (instant: number): number => Math.round(((instant - from) / (to - from)) * WIDTH * 10) / 10;
  return {
    width: WIDTH,
    height: AXIS + 24,
    bars: sides.map((side, i) => {
      const { from: start, to: end, kind } = spans[i] ?? spanOf(side, time);
      return {
        letter: side.letter,
        x: x(start),
        y: i * ROW + 18,
        width: Math.max(4, x(end) - x(start)),
        kind,
        text: formatTime(side, moments),
      };
    }),
    ticks: labelTicks(ticksOf(from, to, time, moments).map(({ at, text }) => ({ x: x(at), text }))),
    axis: AXIS,
    says: sides.map((side) => `${side.letter}: ${formatTime(side, moments)}.`).join(' ') + formatGap(sides),
  };
}

function spanOf(
  { startsAt, endsAt, precision }: TimedSide,
  time: CityTime,
): { from: number; to: number; kind: DrawnTimeline['bars'][number]['kind'] } {
  if (precision === 'time') {
    return endsAt === null
      ? { from: startsAt, to: startsAt + GUESS_MS, kind: 'open' }
      : { from: startsAt, to: endsAt, kind: 'whole' };
  }
  const day = time.dayBounds(time.day(startsAt));
  return { from: day.first, to: endsAt ?? day.last, kind: precision === 'all_day' ? 'whole' : 'vague' };
}

/** `Tue, Jun 16, 8:00 PM – 10:30 PM`. */
export function formatTime({ startsAt, endsAt, precision }: Omit<TimedSide, 'letter'>, { day, clock }: MomentFormat): string {
  if (precision !== 'time') {
    const days = endsAt !== null && endsAt - startsAt > MAX_DAY_MS ? `${day(startsAt)} – ${day(endsAt - 1)}` : day(startsAt);
    return `${days}, ${precision === 'all_day' ? 'all day' : 'time unknown'}`;
  }
  if (endsAt === null) return `${day(startsAt)}, ${clock(startsAt)}, end unknown`;
  const end =
    day(endsAt) === day(startsAt) || endsAt - startsAt < HALF_DAY_MS ? clock(endsAt) : `${day(endsAt)}, ${clock(endsAt)}`;
  return `${day(startsAt)}, ${clock(startsAt)} – ${end}`;
}

function formatGap([a, b]: readonly TimedSide[]): string {
  if (!a || !b || a.precision !== 'time' || b.precision !== 'time') return '';
  const gap = Math.abs(a.startsAt - b.startsAt);
  return gap === 0 ? ' They start at the same minute.' : ` They start ${formatAge(gap)} apart.`;
}

function ticksOf(from: number, to: number, time: CityTime, { clock, day }: MomentFormat): { at: number; text: string }[] {
  const step = STEPS_MS.find((each) => (to - from) / each <= MAX_TICKS) ?? Math.ceil((to - from) / MAX_TICKS / DAY_MS) * DAY_MS;
  const midnight = time.dayBounds(time.day(from)).first;
  const ticks: { at: number; text: string }[] = [];
  for (let at = midnight; at <= to; at += step) {
    if (at < from) continue;
    const isDay = step >= DAY_MS || at === time.dayBounds(time.day(at)).first;
    ticks.push({ at, text: isDay ? shortDay(day(at)) : clock(at).replace(':00', '') });
  }
  return ticks;
}

/** Labels are moved inside at the edges, and left out where they would lie on one another. */
function labelTicks(ticks: readonly { x: number; text: string }[]): DrawnTimeline['ticks'] {
  let end = 0;
  return ticks.map(({ x, text }) => {
    const half = (text.length * LETTER_WIDTH) / 2;
    const textX = Math.min(Math.max(x, half + EDGE), WIDTH - half - EDGE);
    const isFree = textX - half >= end;
    if (isFree) end = textX + half + EDGE;
    return { x, textX, text: isFree ? text : '' };
  });
}

/** Without the weekday: below the axis there is little room. */
const shortDay = (day: string): string => day.replace(/^\w+, /, '');

const MINUTE_MS = 60_000;
const HALF_DAY_MS = 43_200_000;
/** The day on which clocks go back. */
const MAX_DAY_MS = 90_000_000;
/** How long an event without an end is drawn. */
const GUESS_MS = 90 * MINUTE_MS;
const STEPS_MS = [15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS);
const MAX_TICKS = 6;
const ROOM = 0.12;
const MIN_ROOM_MS = 20 * MINUTE_MS;
const WIDTH = 420;
/** Of a letter below the axis, at the size that the page gives it, and the least room around a label. */
const LETTER_WIDTH = 8.8;
const EDGE = 6;
const ROW = 46;
const AXIS = 104;
