/** What an event says of itself in a news reader: when, where, what it costs, and its description. */

import type { ListFacts, ServedEvent } from './model.ts';

/** Lines of plain text, the description last. */
export function describeEvent({ event, status, startPrecision }: ServedEvent, { currency }: ListFacts): string[] {
  const { venue, performers, description } = event;
  const place = venue.address === null ? venue.name : `${venue.name}, ${venue.address}`;
  const price = formatPrice(event, currency);
  return [
    ...(STATUS_WORDS[status] === undefined ? [] : [STATUS_WORDS[status]]),
    `${formatStart(event.startDatetime, startPrecision)} · ${place}`,
    ...(price === null ? [] : [price]),
    ...(performers.length === 0 ? [] : [`With ${performers.join(', ')}`]),
    ...(description === null ? [] : [description]),
  ];
}

/** `Sat, Nov 21, 2026, 8:00 PM`, on the city's clock. */
function formatStart(start: string, precision: ServedEvent['startPrecision']): string {
  // The local time is read as if it were UTC, so that no zone is looked up.
  const local = Date.parse(`${start.slice(0, LOCAL_CHARS)}Z`);
  return (precision === 'time' ? DAY_AND_HOUR : DAY).format(local).replaceAll('\u202f', ' ');
}

function formatPrice({ isFree, priceMin, priceMax }: ServedEvent['event'], currency: string): string | null {
  if (isFree) return 'Free';
  if (priceMin === null && priceMax === null) return null;
  if (priceMin === null) return `Up to ${priceMax} ${currency}`;
  if (priceMax === null) return `From ${priceMin} ${currency}`;
  return priceMin === priceMax ? `${priceMin} ${currency}` : `${priceMin} to ${priceMax} ${currency}`;
}

const STATUS_WORDS: Readonly<Partial<Record<ServedEvent['status'], string>>> = {
  cancelled: 'Canceled',
  postponed: 'Postponed',
  rescheduled: 'New date',
  sold_out: 'Sold out',
};
const DAY = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});
const DAY_AND_HOUR = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
/** `2026-11-21T20:00:00`. */
const LOCAL_CHARS = 19;

/** GeoRSS Simple, a line; empty where only an area is known. */
export function formatGeorss({ event: { venue }, isInArea }: Pick<ServedEvent, 'event' | 'isInArea'>): string {
  return isInArea ? '' : `<georss:point>${venue.latitude} ${venue.longitude}</georss:point>\n`;
}
