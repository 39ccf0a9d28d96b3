/** What an event is whose listing came with a bundle. */

import type { EventDraft } from '../drafts.ts';
import type { MergedEvent } from './merge-event.ts';

/** As it is kept. */
export type BundleListing = Omit<EventDraft, 'id'>;

/** The bundle's word counts for all of it; `others` are the sources that list it, too. */
export function bundleWord(
  { externalId: _, venue: __, signals: ___, ...facts }: BundleListing,
  others: readonly string[] = [],
): MergedEvent {
  return { ...facts, precision: 'time', sources: [...new Set([...facts.sources, ...others.toSorted()])] };
}

/** Why its word counts: against sources, and against another of its own listings. */
export const OWN_WORD = 'the imported bundle is the operator’s own word';
export const FIRST_WORD = 'of those that the bundle lists, the one that was known first';
