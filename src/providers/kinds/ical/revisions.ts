/** Which of several accounts of one event counts (RFC 5545 §3.8.7.4: SEQUENCE grows with each change that matters). */

import { textOf } from './property.ts';
import { type CalendarEvent, linesOf } from './read-event.ts';

/** The highest SEQUENCE, then the latest LAST-MODIFIED; between equals what is written decides, never the order. */
export function latestOf(events: readonly CalendarEvent[]): CalendarEvent | null {
  return events.reduce<CalendarEvent | null>((best, event) => (best === null || isLater(event, best) ? event : best), null);
}

/**
 * Of the highest SEQUENCE, one for each start and, between equals, for each title: programs that give one UID to many events do not
 * count them up, and a change of the start without a new SEQUENCE is none (§3.8.7.4).
 */
export function revisionsOf(events: readonly CalendarEvent[]): CalendarEvent[] {
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
