/** Names that listings use for areas, though nobody has told of such an area. */

import type { NormalEvent } from '../../normalize/index.ts';

/**
 * Names without coordinates and address at which different events go on at one time, on several days: many streets and parks of
 * `Capitol Hill` have one name in a list of permits, while a house has one event at a time.
 */
export function areaNamesOf(events: readonly NormalEvent[]): ReadonlySet<string> {
  const unlocated = events.filter(({ place }) => place.latitude === null && place.address === null);
  const names = Map.groupBy(unlocated, ({ place }) => place.name);
  return new Set([...names].filter(([, there]) => daysOfSeveral(there) >= MIN_DAYS).map(([name]) => name));
}

function daysOfSeveral(events: readonly NormalEvent[]): number {
  const days = Map.groupBy(events, ({ localStart }) => localStart.slice(0, 10));
  return [...days.values()].filter((there) => there.some((one) => there.some((other) => areAtOnce(one, other)))).length;
}

const areAtOnce = (one: NormalEvent, other: NormalEvent): boolean =>
  one.title !== other.title && one.startsAt < endOf(other) && other.startsAt < endOf(one);

const endOf = ({ startsAt, endsAt }: NormalEvent): number => endsAt ?? startsAt + HOUR_MS;

const MIN_DAYS = 2;
/** How long an event is taken to last whose end is unknown. */
const HOUR_MS = 3_600_000;
