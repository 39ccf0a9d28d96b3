/** What an event is whose listing came with a bundle. */

import { EVENT_FIELDS, rowsOf } from '../../records/index.ts';
import type { EventDraft } from '../drafts.ts';
import type { MergedEvent } from './merge-event.ts';

/** As it is kept. */
export type BundleListing = Omit<EventDraft, 'id'>;

/** The bundle's word counts for all of it; `others` are the sources that list it, too. */
export function bundleWord(listing: BundleListing, others: readonly string[] = []): MergedEvent {
  const event: Record<string, unknown> = {};
  // Field by field: copying all but some takes several times as long, for each line of an import. Lines of 0.1.0 lack later fields.
  for (const field of LISTED) event[field] = listing[field as keyof BundleListing] ?? null;
  event.precision = listing.startPrecision ?? 'time';
  event.sources = [...new Set([...listing.sources, ...others.toSorted()])];
  return event as unknown as MergedEvent;
}

/** The venue is resolved elsewhere, and a bundle has no links. */
const LISTED = rowsOf(EVENT_FIELDS).flatMap(({ field, column }) =>
  column === undefined || field === 'venueId' || field === 'links' ? [] : [field],
);

/** Why its word counts: against sources, and against another of its own listings. */
export const OWN_WORD = 'the imported bundle comes from the operator';
export const FIRST_WORD = 'the first known listing of the bundle';
