/** `include` of venues: keys beside those of the contract's forms. */

import { anyOf } from '../../query/index.ts';
import type { Snapshot, VenueForm } from '../../search/index.ts';

const VENUE_EXTRA_KEYS = ['locationPrecision'] as const;
export type VenueExtraKey = (typeof VENUE_EXTRA_KEYS)[number];

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
