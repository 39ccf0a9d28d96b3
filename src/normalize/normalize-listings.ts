/** Listings as they were read into normalized ones, each refusal with its reason. */

import type { ReadListing } from '../providers/index.ts';
import type { Reject } from './drafts.ts';
import type { NormalContext, NormalEvent, NormalVenue } from './model.ts';
import { normalizeEvent, normalizeVenue } from './normalize-event.ts';
import { collectRejects } from './rejects.ts';

export interface NormalizedListings {
  /** One for each external id. */
  events: NormalEvent[];
  venues: NormalVenue[];
  /** External ids of listings that are there and were refused. */
  unreadable: ReadonlySet<string>;
  dropped: number;
  rejected: Reject[];
  rejectedCount: number;
  reasons: Record<string, number>;
}

/** Of two listings with one external id the one whose content sorts first counts, whatever their order; the other is rejected. */
export function normalizeListings(
  listings: readonly ReadListing[],
  context: NormalContext,
  onReject: ((reject: Reject) => void) | undefined,
): NormalizedListings {
  const rejects = collectRejects(onReject);
  const reasons: Record<string, number> = {};
  const events = new Map<string, { event: NormalEvent; line: number; text: string }>();
  const venues: NormalVenue[] = [];
  const unreadable = new Set<string>();
  let dropped = 0;
  const reject = (line: number, code: string, field: string | null, reason: string): void => {
    reasons[code] = (reasons[code] ?? 0) + 1;
    rejects.add({ file: context.sourceName, line, field, reason });
  };
  for (const read of listings) {
    const { index: line } = read;
    if (read.ok === 'dropped') dropped++;
    else if (!read.ok) {
      if (read.externalId !== null) unreadable.add(read.externalId);
      reject(line, 'unreadable', read.field, read.reason);
    } else if (read.listing.target === 'venues') {
      const result = normalizeVenue(read.listing.venue, context);
      if (result.ok) venues.push(result.venue);
      else reject(line, result.code, result.field, result.reason);
    } else {
      const { event: listing } = read.listing;
      const result = normalizeEvent(listing, context);
      if (!result.ok) {
        if (listing.externalId !== null) unreadable.add(listing.externalId);
        reject(line, result.code, result.field, result.reason);
        continue;
      }
      const { event } = result;
      const entry = { event, line, text: JSON.stringify(event) };
      const twin = events.get(event.externalId);
      if (twin && twin.text === entry.text) continue;
      const loser = twin && twin.text < entry.text ? entry : twin;
      if (!twin || loser === twin) events.set(event.externalId, entry);
      if (loser) {
        reject(loser.line, 'repeated', 'externalId', `${JSON.stringify(event.externalId)} is the id of another listing too`);
      }
    }
  }
  return {
    events: [...events.values()].map(({ event }) => event),
    venues,
    unreadable,
    dropped,
    rejected: rejects.kept,
    rejectedCount: rejects.count,
    reasons,
  };
}
