/** Hours of doors and of the show: `doors at 7, show at 8pm`, `20.30 Uhr (Einlass 19.30 Uhr)`. The show counts, doors alone are the start. */

import { type DateItem, DateTextError, type TimeItem } from './item.ts';

/** Without the words of doors and show, and without the hour of doors beside one of the show. */
export function withoutDoors(items: readonly DateItem[]): DateItem[] {
  if (!items.some(isMark)) return [...items];
  const doors = doorsOf(items);
  const isShown = items.some((item, index) => item.kind === 'time' && !doors.has(index));
  const dropped = new Set<number>();
  for (const index of isShown ? doors : []) {
    dropped.add(index);
    // The sign between both hours goes with the doors.
    const isSign = (at: number) => ['to', 'to-or-at', 'and'].includes(items[at]?.kind ?? '');
    for (let at = index + 1; at < items.length && (isSign(at) || isMark(items[at] as DateItem)); at++) dropped.add(at);
    for (let at = index - 1; at >= 0 && (isSign(at) || isMark(items[at] as DateItem)); at--) dropped.add(at);
  }
  return items
    .map((item, index) => (item.kind === 'time' && !dropped.has(index) ? withHalf(item, doors.has(index), items, doors) : item))
    .filter((item, index) => !dropped.has(index) && !isMark(item));
}

const isMark = ({ kind }: DateItem): boolean => kind === 'doors' || kind === 'show';

/** Words of doors and show stand before their hours or after them: the first of the text says which, unless the doors would open late. */
function doorsOf(items: readonly DateItem[]): ReadonlySet<number> {
  const isBefore = items.find((item) => isMark(item) || item.kind === 'time')?.kind !== 'time';
  const times = items.flatMap((item, index) => (item.kind === 'time' ? [index] : []));
  const markOf = (index: number, step: 1 | -1): 'doors' | 'show' | null => {
    for (let at = index + step; at >= 0 && at < items.length; at += step) {
      const kind = items[at]?.kind;
      if (kind === 'time') return null;
      if (kind === 'doors' || kind === 'show') return kind;
    }
    return null;
  };
  const doorsBy = (step: 1 | -1) => new Set(times.filter((index) => markOf(index, step) === 'doors'));
  const [usual, other] = isBefore ? [doorsBy(-1), doorsBy(1)] : [doorsBy(1), doorsBy(-1)];
  return !openFirst(items, usual) && openFirst(items, other) ? other : usual;
}

/** Whether there are hours of doors and of the show, and the doors open first. */
function openFirst(items: readonly DateItem[], doors: ReadonlySet<number>): boolean {
  const hours = items.flatMap((item, index) => (item.kind === 'time' ? [{ item, isDoors: doors.has(index) }] : []));
  const [opened, shown] = [hours.filter(({ isDoors }) => isDoors), hours.filter(({ isDoors }) => !isDoors)];
  const isBefore = (one: TimeItem, two: TimeItem) => {
    const modulo = isHalfless(one) || isHalfless(two) ? HALF_DAY : Number.POSITIVE_INFINITY;
    return one.minutes % modulo < two.minutes % modulo;
  };
  return opened.length > 0 && shown.length > 0 && opened.every((one) => shown.every((two) => isBefore(one.item, two.item)));
}

/** An hour of which the text does not say whether it is in the morning. */
const isHalfless = ({ half, minutes }: TimeItem): boolean => half === null && minutes > 0 && minutes < HALF_DAY + 60;

/**
 * Doors and show are of one evening: an hour without a half of the day follows the other one. Throws a `DateTextError` where both could be
 * in the morning.
 */
function withHalf(time: TimeItem, isDoors: boolean, items: readonly DateItem[], doors: ReadonlySet<number>): TimeItem {
  const others = items.filter((item, index): item is TimeItem => item.kind === 'time' && doors.has(index) !== isDoors);
  // `Doors 11 pm, show at midnight`: the day is that of the evening.
  const isNextDay = !isDoors && time.minutes < MORNING && others.some(({ minutes }) => minutes >= EVENING);
  if (!isHalfless(time)) return isNextDay ? { ...time, minutes: time.minutes + 2 * HALF_DAY } : time;
  const other = others.find((item) => item.half !== null);
  if (!other) {
    const hour = Math.trunc(time.minutes / 60);
    if (time.isBare) throw new DateTextError(`"${hour}" may be in the morning or in the evening`, { isFinal: true });
    return time;
  }
  const hour = time.minutes % HALF_DAY;
  const choices = [hour, hour + HALF_DAY, hour + 2 * HALF_DAY];
  const minutes = isDoors ? choices.findLast((each) => each < other.minutes) : choices.find((each) => each > other.minutes);
  return { ...time, minutes: minutes ?? time.minutes };
}

/** Minutes. */
const HALF_DAY = 720;
const MORNING = 360;
const EVENING = 1080;
