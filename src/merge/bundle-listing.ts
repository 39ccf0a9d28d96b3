/** What an event is whose listing came with a bundle. */

import type { EventDraft } from '../normalize/index.ts';
import type { MergedEvent } from './merge-event.ts';

/** As it is kept. */
export type BundleListing = Omit<EventDraft, 'id'>;

/** The bundle's word counts for all of it; `others` are the sources that list it, too. */
export function bundleWord(listing: BundleListing, others: readonly string[] = []): MergedEvent {
  // Field by field: copying all but some takes several times as long, for each line of an import.
  return {
    title: listing.title,
    category: listing.category,
    startsAt: listing.startsAt,
    endsAt: listing.endsAt,
    precision: listing.startPrecision ?? 'time',
    description: listing.description,
    imageUrl: listing.imageUrl,
    isFree: listing.isFree,
    priceMin: listing.priceMin,
    priceMax: listing.priceMax,
    status: listing.status,
    performers: listing.performers,
    tags: listing.tags,
    // Lines that were imported into 0.1.0 lack it.
    organizer: listing.organizer ?? null,
    sources: [...new Set([...listing.sources, ...others.toSorted()])],
  };
}

/** Why its word counts: against sources, and against another of its own listings. */
export const OWN_WORD = 'the imported bundle comes from the operator';
export const FIRST_WORD = 'the first known listing of the bundle';
