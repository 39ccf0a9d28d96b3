/** All events of one UID (RFC 5545 §3.8.4.7) into the times at which it takes place within a window. */

import { DAY_MS } from '../../../values/duration.ts';
import { formatKey, isMovedOnto, lastOf, momentSet, timeOfSeries, wallIn } from './clock-of-series.ts';
import { type ExpandLimits, expandRule } from './expand-rule.ts';
import type { CalendarTime, Period } from './moments.ts';
import { type CalendarOccurrence, createWindowTest, endOf, endOfPeriod, spanOf } from './occurrence.ts';
import { type CalendarEvent, linesOf } from './read-event.ts';
import { latestOf, revisionsOf } from './revisions.ts';
import type { RecurrenceRule } from './rule.ts';

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

/** How far before the window a time of a series may begin and still last into it. */
const MAX_SPAN_MS = 400 * DAY_MS;
const LIMITS: ExpandLimits = { instances: 750, periods: 10_000, candidates: 100_000 };
