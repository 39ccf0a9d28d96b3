/** The items of a text as spans: from a first point in time to a last one, some of their parts still unknown. */

import { type DateItem, DateTextError } from './item.ts';

/** What the text says of one end of a span. */
export interface SpanPoint {
  date: { day: number; month: number | null; year: number | null } | null;
  weekday: number | null;
  /** Days from today. */
  relative: number | null;
  /** Minutes since midnight. */
  time: number | null;
}

/** Its points in the order of the text: one, two, or three where hours follow the days (`July 3 – July 7, 10 am – 6 pm`). */
export type DateSpan = SpanPoint[];

/** `none`: nothing follows, as in `8 pm – late`. */
type Join = 'to' | 'list' | 'none';

/** A range is one span; days or hours in a list are a span each. */
export function spansOf(items: readonly DateItem[]): DateSpan[] {
  const builder = createBuilder();
  for (const item of items) builder.add(item);
  return builder.finish();
}

/** The points so far. The last one is the current one: what the text says next belongs to it. */
function createPoints() {
  let current = emptyPoint();
  const spans: DateSpan[] = [[current]];
  return {
    spans,
    current: (): SpanPoint => current,
    /** `to`: the end of the same span. `list`: another span. */
    next(how: 'to' | 'list'): SpanPoint {
      current = emptyPoint();
      if (how === 'list') spans.push([current]);
      else spans.at(-1)?.push(current);
      return current;
    },
  };
}

const emptyPoint = (): SpanPoint => ({ date: null, weekday: null, relative: null, time: null });

function createBuilder() {
  const points = createPoints();
  let join: Join | null = null;
  let weekdays: { weekday: number; join: Join | null }[] = [];

  /** A date or a day of another kind: into the current point if that has none, else into a new one. */
  function addDay(day: Partial<SpanPoint>): void {
    const current = points.current();
    const pending = weekdays.shift();
    const how = pending?.join ?? join;
    const isLonely = current.date === null && current.relative === null && (current.time === null || how !== 'to');
    const hasOtherWeekday = current.weekday !== null && pending !== undefined;
    const point = !isLonely || hasOtherWeekday ? points.next(how === 'to' ? 'to' : 'list') : current;
    if (pending) point.weekday = pending.weekday;
    Object.assign(point, day);
    join = null;
  }

  function addWeekday(weekday: number): void {
    const { date, weekday: known } = points.current();
    if (join === null && weekdays.length === 0 && date !== null && known === null) {
      weekdays = [{ weekday, join: null }];
      return;
    }
    weekdays.push({ weekday, join });
    join = null;
  }

  /** `Fri 9pm`: a weekday alone is a day. `16 March, Saturday` speaks of the day before it. */
  function placeWeekdays(): void {
    for (const { weekday, join: how } of weekdays) {
      const current = points.current();
      const isOfDate = how === null && current.date !== null && current.weekday === null;
      const isTaken = !isOfDate && (hasDay(current) || current.time !== null);
      const point = isTaken ? points.next(how === 'to' ? 'to' : 'list') : current;
      point.weekday = weekday;
    }
    weekdays = [];
  }

  function addTime(minutes: number): void {
    placeWeekdays();
    const current = points.current();
    const point = current.time === null ? current : points.next(join === 'to' ? 'to' : 'list');
    point.time = minutes;
    join = null;
  }

  return {
    add(item: DateItem): void {
      if (item.kind === 'date') addDay({ date: { day: item.day, month: item.month, year: item.year } });
      else if (item.kind === 'relative') addDay({ relative: item.days });
      else if (item.kind === 'weekday') addWeekday(item.weekday);
      else if (item.kind === 'time') addTime(item.minutes);
      else join = joinOf(item.kind, points.current(), weekdays.length > 0) ?? join;
    },
    finish(): DateSpan[] {
      placeWeekdays();
      return points.spans;
    },
  };
}

/** How the next part is joined to the point before it; null: as it was. `hasWeekdays`: some wait for their date. */
function joinOf(kind: DateItem['kind'], before: SpanPoint, hasWeekdays: boolean): Join | null {
  if (kind === 'and') return 'list';
  if (kind === 'late') return 'none';
  if (kind === 'to-or-at') return before.time === null && before.date === null ? null : 'to';
  if (kind !== 'to') return null;
  if (!hasDay(before) && before.time === null && !hasWeekdays) {
    throw new DateTextError('it says when it ends and not when it starts', { isFinal: true });
  }
  return 'to';
}

export const hasDay = ({ date, weekday, relative }: SpanPoint): boolean => date !== null || weekday !== null || relative !== null;
