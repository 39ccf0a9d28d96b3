/**
 * How the records of a list are written: its `meta`, and `include` and `fields`, which ask for other forms than the contract's. The plain
 * path never parses its own bytes; the shaped one does.
 */

import { anyOf, type Parameter } from '../../query/index.ts';
import type { EventExtras, EventForm, Snapshot, VenueForm } from '../../search/index.ts';
import { EVENT_KEYS, EXTRA_KEYS } from '../schemas.ts';

type ExtraKey = keyof EventExtras;

export interface Shape {
  include: readonly ExtraKey[] | undefined;
  fields: readonly string[] | undefined;
}

/** The two parameters for one printed form. */
export function shapeParameters(form: EventForm): { include: Parameter<Shape['include']>; fields: Parameter<Shape['fields']> } {
  const names = [...new Set([...EVENT_KEYS[form], ...EXTRA_KEYS])];
  return {
    include: anyOf(EXTRA_KEYS, 'Extension. Further keys to add to each event.'),
    fields: anyOf(names, 'Extension. Only these top-level keys (`id` is always kept). Keys of `include` may be named here too.'),
  };
}

/** The `meta` of a list, as JSON. */
export function writeMeta(page: { total: number; limit: number; offset: number }, returned: number): string {
  const hasMore = page.offset + returned < page.total;
  return `"meta":{"total":${page.total},"limit":${page.limit},"offset":${page.offset},"hasMore":${hasMore}`;
}

/** Like `snapshot.writeEvents`, in the asked shape: the keys of `fields` (all without it) and of `include`, in the documented order. */
export function writeShapedEvents(
  snapshot: Snapshot,
  items: readonly number[],
  form: EventForm,
  shape: Shape,
  head: string,
  tail: string,
): Buffer {
  if (!isShaped(shape)) return snapshot.writeEvents(items, form, head, tail);
  const { include = [], fields } = shape;
  const printed = JSON.parse(snapshot.writeEvents(items, form, '[', ']').toString()) as Record<string, unknown>[];
  const kept = fields && new Set(['id', ...fields, ...include]);
  const order = EVENT_KEYS[form].filter((key) => !kept || kept.has(key));
  const added = EXTRA_KEYS.filter((key) => !EVENT_KEYS[form].includes(key) && (include.includes(key) || kept?.has(key)));
  const events = printed.map((event, i) => {
    const entries = order.map((key): [string, unknown] => [key, event[key]]);
    const item = items[i];
    if (added.length > 0 && item !== undefined) {
      const extras = snapshot.extras(item);
      for (const key of added) entries.push([key, extras[key]]);
    }
    return JSON.stringify(Object.fromEntries(entries));
  });
  return Buffer.from(head + events.join(',') + tail);
}

export function isShaped(shape: Shape): boolean {
  return shape.include !== undefined || shape.fields !== undefined;
}

const VENUE_EXTRA_KEYS = ['locationPrecision'] as const;
type VenueExtraKey = (typeof VENUE_EXTRA_KEYS)[number];

export const includeOfVenues = anyOf(VENUE_EXTRA_KEYS, 'Extension. Further keys to add to each venue.');

/** Like `snapshot.writeVenues`, with the keys of `include` at the end of each venue. */
export function writeShapedVenues(
  snapshot: Snapshot,
  {
    items,
    form,
    now,
    include = [],
  }: { items: readonly number[]; form: VenueForm; now: number; include?: readonly VenueExtraKey[] | undefined },
  head: string,
  tail: string,
): Buffer {
  if (include.length === 0) return snapshot.writeVenues(items, form, now, head, tail);
  const printed = JSON.parse(snapshot.writeVenues(items, form, now, '[', ']').toString()) as Record<string, unknown>[];
  const venues = printed.map((venue, index) => {
    const item = items[index];
    return JSON.stringify(item === undefined ? venue : { ...venue, ...snapshot.venueExtras(item) });
  });
  return Buffer.from(head + venues.join(',') + tail);
}
