/** Where a venue is, of several points that sources give it. */

import { distanceInCity } from '../values/distance.ts';
import type { VenueRecord } from './record.ts';

/**
 * The record whose exact point lies nearest to all others, each counted by the trust in its source: two that agree outvote a third that
 * is far off, and of two the more trusted counts. Undefined where no point is exact.
 *
 * @param ranked in the order of preference between equals.
 */
export function agreedPoint(ranked: readonly VenueRecord[], trustOf: (sourceId: string) => number): VenueRecord | undefined {
  const exact = ranked.filter(({ listing }) => !listing.isApproximate);
  const cost = ({ listing }: VenueRecord): number =>
    exact.reduce(
      (sum, other) => sum + weightOf(other, trustOf) * Math.min(distanceInCity(listing, other.listing), MAX_METERS),
      0,
    );
  const [first, ...others] = exact;
  if (!first || others.length === 0) return first;
  return others.reduce(
    (best, record) => {
      const costs = cost(record);
      return costs < best.costs - SAME_COST ? { record, costs } : best;
    },
    { record: first, costs: cost(first) },
  ).record;
}

/** A source that nobody trusts has a voice all the same. */
const weightOf = ({ sourceId }: VenueRecord, trustOf: (sourceId: string) => number): number => MIN_WEIGHT + trustOf(sourceId);

const MIN_WEIGHT = 0.1;
/** Further off is no more wrong. */
const MAX_METERS = 2_000;
/** Meters: what rounding makes of equal sums. */
const SAME_COST = 1e-6;
