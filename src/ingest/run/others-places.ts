import { placeFacts, type VenueRecord } from '../../merge/index.ts';

/**
 * Exact places of the directory that this source has not brought itself. What it knows of its own places stands in the answer at hand:
 * a place that was guessed in one run would be taken for known in the next.
 */
export function othersPlaces(records: readonly VenueRecord[], sourceId: string) {
  return records.filter((record) => record.sourceId !== sourceId && !record.listing.isApproximate).map(placeFacts);
}
