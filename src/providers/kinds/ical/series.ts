/** All events of one UID (RFC 5545 §3.8.4.7) into the times at which it takes place within a window. */

import { DAY_MS } from '../../../values/duration.ts';
import { type ExpandLimits, expandRule } from './expand-rule.ts';
import type { CalendarTime, Period } from './moments.ts';
import { type CalendarOccurrence, createWindowTest, endOf, endOfPeriod, spanOf } from './occurrence.ts';
import { textOf } from './property.ts';
import { type CalendarEvent, linesOf } from './read-event.ts';
import type { RecurrenceRule } from './rule.ts';
import { formatBasic, readWall } from './wall.ts';

export interface Series {
  occurrences: CalendarOccurrence[];
  /** What could not be followed, or not to its end. */
  flaws: { event: CalendarEvent; field: string; reason: string }[];
}

export interface Window {
  from: number;
  until: number;
}

/** The order in which the events are given does not matter. */
export function seriesOf(events: readonly CalendarEvent[], window: Window): Series {
  const masters = revisionsOf(events.filter(({ recurrence }) => recurrence === null));
  const changes = events.filter(({ recurrence }) => recurrence !== null);
  const [first, ...others] = masters;
  if (!first) return orphans(changes, window);
  const isSeries = masters.length > 1 || changes.length > 0;
  // A UID that was given to several events: a change belongs to the one that repeats.
  const changed = masters.find(({ rules, dates }) => rules.length + dates.length > 0) ?? first;
  const all = [first, ...others].map((master) => occurrencesOf(master, master === changed ? changes : [], isSeries, window));
  const flaws = all.flatMap((each) => each.flaws);
  return { occurrences: all.flatMap((each) => each.occurrences), flaws };
}

interface Change {
  event: CalendarEvent;
  isThisAndFuture: boolean;
  /** Which time of the series it changes, on the clock of the series. */
  wall: number;
  /** Its own start on that clock, less the time that it changes. */
  shift: number;
}

function occurrencesOf(master: CalendarEvent, allChanges: readonly CalendarEvent[], isPart: boolean, window: Window): Series {
  const { start, rules, dates, exceptDates } = master;
  const isSeries = isPart || rules.length > 0 || dates.length > 0;
  const isExcepted = momentSet(start, exceptDates);
  const changes = changesOf(master, allChanges, isExcepted);
  const futures = changes.filter(({ isThisAndFuture }) => isThisAndFuture);
  const generated = generate(master, futures, isExcepted, window);
  if (!generated.ok) return { ...orphans(allChanges, window), flaws: [{ event: master, ...generated.flaw }] };

  const isTaken = createTakenTest(start, changes, generated.times);
  const occurrences: CalendarOccurrence[] = [];
  for (const [wall, period] of generated.times) {
    if (isTaken(wall)) continue;
    const future = futures.findLast((each) => each.wall <= wall);
    const event = future?.event ?? master;
    const at: CalendarTime = { ...start, wall: wall + (future?.shift ?? 0) };
    const end = period && !future ? endOfPeriod(period, at) : endOf(event, at);
    occurrences.push({ event, key: isSeries ? formatKey(start, wall) : null, start: at, end });
  }
  for (const { event, wall } of changes)
    occurrences.push({ event, key: formatKey(start, wall), start: event.start, end: endOf(event, event.start) });

  const within = occurrences
    .filter(createWindowTest(window))
    .sort((a, b) => a.start.wall - b.start.wall || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  const isCut = generated.isCut || within.length > LIMITS.instances;
  const reason = `the rule gives more than ${LIMITS.instances} times; the first ${LIMITS.instances} are listed`;
  return {
    occurrences: within.slice(0, LIMITS.instances),
    flaws: isCut ? [{ event: master, field: 'RRULE', reason }] : [],
  };
}

/** By a change, or by another time of the series where the clock skips it. */
function createTakenTest(start: CalendarTime, changes: readonly Change[], times: ReadonlyMap<number, unknown>) {
  const taken = new Set(changes.map(({ wall }) => wall));
  return (wall: number): boolean => taken.has(wall) || isMovedOnto(start, wall, (shown) => taken.has(shown) || times.has(shown));
}

type Generated =
  | { ok: true; times: Map<number, Period | null>; isCut: boolean }
  | { ok: false; flaw: { field: string; reason: string } };

/** §3.8.5: DTSTART, what the rules give and what RDATE lists, without what EXRULE and EXDATE take away. Walls, in order. */
function generate(
  master: CalendarEvent,
  futures: readonly Change[],
  isExcepted: (wall: number) => boolean,
  window: Window,
): Generated {
  const { start, rules, exceptRules, dates } = master;
  const spans = [master, ...futures.map(({ event }) => event)].map(spanOf);
  const longest = Math.min(MAX_SPAN_MS, Math.max(DAY_MS, ...spans));
  const shifts = futures.map(({ shift }) => shift);
  const range = {
    from: start.zone.wallOf(window.from) - longest - Math.min(MAX_SPAN_MS, Math.max(0, ...shifts)),
    until: start.zone.wallOf(window.until) + Math.min(MAX_SPAN_MS, Math.max(0, ...shifts.map((shift) => -shift))),
  };
  const lasts = rules.map((rule) => lastOf(rule, master));
  const times = new Map<number, Period | null>();
  // A series that is over before it begins has been ended by its UNTIL.
  if (lasts.every((last) => last === null) || lasts.some((last) => last !== null && last >= start.wall))
    times.set(start.wall, null);
  let isCut = false;
  const follow = (rule: RecurrenceRule, take: (wall: number) => void): { field: string; reason: string } | null => {
    const expanded = expandRule(rule, start, { ...range, last: lastOf(rule, master) }, LIMITS);
    if (!expanded.ok) return { field: 'RRULE', reason: expanded.reason };
    isCut ||= expanded.isCut;
    for (const wall of expanded.walls) take(wall);
    return null;
  };
  for (const rule of rules) {
    const flaw = follow(rule, (wall) => times.set(wall, null));
    if (flaw) return { ok: false, flaw };
  }
  for (const period of dates) times.set(timeOfSeries(start, period.start), period.end || period.duration ? period : null);
  for (const rule of exceptRules) {
    const flaw = follow(rule, (wall) => times.delete(wall));
    if (flaw) return { ok: false, flaw: { ...flaw, field: 'EXRULE' } };
  }
  const kept = [...times].filter(([wall]) => !isExcepted(wall)).sort(([a], [b]) => a - b);
  return { ok: true, times: new Map(kept), isCut };
}

function changesOf(master: CalendarEvent, events: readonly CalendarEvent[], isExcepted: (wall: number) => boolean): Change[] {
  const { start } = master;
  const found = events.flatMap((event): Change[] => {
    if (!event.recurrence) return [];
    const changed = timeOfSeries(start, event.recurrence.of);
    const shift = wallIn(start, event.start).wall - changed;
    return [{ event, wall: changed, shift, isThisAndFuture: event.recurrence.isThisAndFuture }];
  });
  return [...Map.groupBy(found, ({ wall }) => wall).values()]
    .flatMap((same) => {
      const latest = latestOf(same.map(({ event }) => event));
      return same.filter(({ event }) => event === latest);
    })
    .filter((change) => !isStale(change, master, isExcepted))
    .sort((a, b) => a.wall - b.wall);
}

/** A change of an older series that the newer one has taken back, or that was of a series with another rule. */
function isStale({ event, wall }: Change, master: CalendarEvent, isExcepted: (wall: number) => boolean): boolean {
  if (event.sequence >= master.sequence) return false;
  if (isExcepted(wall)) return true;
  if (event.rules.length > 0 && ruleText(event) !== ruleText(master)) return true;
  const { start, rules, dates } = master;
  if (wall === start.wall || dates.some((period) => timeOfSeries(start, period.start) === wall)) return false;
  return !rules.some((rule) => {
    const expanded = expandRule(rule, start, { from: wall, until: wall + 1, last: lastOf(rule, master) }, LIMITS);
    return expanded.ok && expanded.walls.length > 0;
  });
}

function ruleText(event: CalendarEvent): string {
  return linesOf(event, 'RRULE')
    .map(({ text }) => text)
    .join('\n');
}

/** Changes of a series that the file does not have: each is told for itself. */
function orphans(changes: readonly CalendarEvent[], window: Window): Series {
  const keyOf = ({ recurrence, start }: CalendarEvent): string => {
    const of = recurrence?.of ?? start;
    return formatKey(of, of.wall);
  };
  const occurrences = [...Map.groupBy(changes, keyOf)].flatMap(([key, same]): CalendarOccurrence[] => {
    const event = latestOf(same);
    return event ? [{ event, key, start: event.start, end: endOf(event, event.start) }] : [];
  });
  return { occurrences: occurrences.filter(createWindowTest(window)), flaws: [] };
}

/**
 * What the dates of a series mean on the clock that the series is told in: its own DTSTART's (RFC 5545 §3.8.5). The wall time of the
 * series at a moment that may be told in another zone; a whole day where the moment is a date.
 */
function wallIn(start: CalendarTime, moment: CalendarTime): { wall: number; isDay: boolean } {
  const isDay = start.isDate || moment.isDate;
  const isSame = moment.isDate || moment.isLocal || moment.zone === start.zone;
  // The day of whole days is the one that is written, unless it is their midnight told in UTC.
  const isWritten = start.isDate && (moment.zone.kind !== 'utc' || moment.wall % DAY_MS === 0);
  const wall = isSame || isWritten ? moment.wall : start.zone.wallOf(moment.zone.instantOf(moment.wall));
  return { wall: isDay ? dayOf(wall) : wall, isDay };
}

/** As `wallIn`; a day alone names the time of the series on that day. */
function timeOfSeries(start: CalendarTime, moment: CalendarTime): number {
  const { wall, isDay } = wallIn(start, moment);
  return isDay && !start.isDate ? wall + start.wall - dayOf(start.wall) : wall;
}

/** Membership in a list of moments, any of which may be a whole day. */
function momentSet(start: CalendarTime, moments: readonly CalendarTime[]): (wall: number) => boolean {
  const [days, walls] = [new Set<number>(), new Set<number>()];
  for (const moment of moments) {
    const at = wallIn(start, moment);
    (at.isDay ? days : walls).add(at.wall);
  }
  return (wall) =>
    walls.has(wall) ||
    (days.size > 0 && days.has(dayOf(wall))) ||
    (walls.size > 0 && isMovedOnto(start, wall, (shown) => walls.has(shown)));
}

/**
 * Whether a time that the clock of the series skips is moved onto one of these, such as 02:30 onto 03:30: both are one time, and a
 * calendar may call it by either (§3.3.5).
 */
function isMovedOnto({ zone, isDate }: CalendarTime, wall: number, isOneOf: (wall: number) => boolean): boolean {
  if (isDate) return false;
  const shown = zone.wallOf(zone.instantOf(wall));
  return shown !== wall && isOneOf(shown);
}

/**
 * The last wall time of a rule, inclusive (§3.3.10, UNTIL). It should be in UTC beside a zone; where it is a date, or local time, it
 * is meant on the clock of the series.
 */
function lastOf(rule: RecurrenceRule, { start }: Pick<CalendarEvent, 'start'>): number | null {
  const until = rule.until === null ? null : readWall(rule.until);
  if (!until) return null;
  if (until.isDate) return start.isDate ? until.wall : until.wall + DAY_MS - 1;
  if (!until.isUtc || start.zone.kind === 'utc') return until.wall;
  if (!start.isDate) return start.zone.wallOf(until.wall);
  // Beside a date some programs write the midnight of the last day in UTC, some that of the day itself, or its last second.
  const isBare = until.wall % DAY_MS === 0 || (until.wall + 1_000) % DAY_MS === 0;
  return isBare ? until.wall : start.zone.wallOf(until.wall);
}

/** A wall time of the series as the calendar writes its start: `20260701T190000Z`. */
function formatKey(start: CalendarTime, wall: number): string {
  return `${formatBasic(wall, start.isDate)}${start.zone.kind === 'utc' && !start.isDate ? 'Z' : ''}`;
}

function dayOf(wall: number): number {
  return Math.floor(wall / DAY_MS) * DAY_MS;
}

/**
 * Which of several accounts of one event counts (RFC 5545 §3.8.7.4: SEQUENCE grows with each change that matters). The highest SEQUENCE,
 * then the latest LAST-MODIFIED; between equals what is written decides, never the order.
 */
function latestOf(events: readonly CalendarEvent[]): CalendarEvent | null {
  return events.reduce<CalendarEvent | null>((best, event) => (best === null || isLater(event, best) ? event : best), null);
}

/**
 * Of the highest SEQUENCE, one for each start and, between equals, for each title: programs that give one UID to many events do not
 * count them up, and a change of the start without a new SEQUENCE is none (§3.8.7.4).
 */
function revisionsOf(events: readonly CalendarEvent[]): CalendarEvent[] {
  const highest = Math.max(...events.map(({ sequence }) => sequence));
  const current = events.filter(({ sequence }) => sequence === highest);
  const byStart = Map.groupBy(current, ({ start }) => `${start.wall} ${start.isDate} ${start.zone.kind} ${start.zone.name}`);
  return [...byStart.values()]
    .flatMap((same) => {
      const revised = same
        .map((event) => event.revised)
        .sort()
        .at(-1);
      const latest = same.filter((event) => event.revised === revised);
      return [...Map.groupBy(latest, titleOf).values()].flatMap((twins) => latestOf(twins) ?? []);
    })
    .sort((a, b) => a.start.wall - b.start.wall || (textsOf(a) < textsOf(b) ? -1 : 1));
}

export function titleOf(event: CalendarEvent): string {
  return textOf(linesOf(event, 'SUMMARY')[0]) ?? '';
}

function isLater(event: CalendarEvent, than: CalendarEvent): boolean {
  if (event.sequence !== than.sequence) return event.sequence > than.sequence;
  if (event.revised !== than.revised) return event.revised > than.revised;
  return textsOf(event) > textsOf(than);
}

function textsOf({ raw }: CalendarEvent): string {
  return raw.lines.map(({ text }) => text).join('\n');
}

/** How far before the window a time of a series may begin and still last into it. */
const MAX_SPAN_MS = 400 * DAY_MS;
const LIMITS: ExpandLimits = { instances: 750, periods: 10_000, candidates: 100_000 };
