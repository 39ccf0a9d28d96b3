/** The time zone that a calendar describes itself (RFC 5545 §3.6.5), where its name is none that the world knows. */

import { DAY_SECONDS } from '../../../values/duration.ts';
import type { RawZone } from './components.ts';
import type { ContentLine } from './content-lines.ts';
import { expandRule } from './expand-rule.ts';
import { readProperty } from './property.ts';
import { readRule } from './rule.ts';
import { readWall, type Wall } from './wall.ts';

export interface OwnZone {
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

/** Exact within the years of `window` and those that lie near. Null where the rules cannot be followed. */
export function createOwnZone(zone: RawZone, window: { from: number; until: number }): OwnZone | null {
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
