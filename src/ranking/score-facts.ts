/** From the directory's records to the facts a score is computed of. */

import type { CapacityTier, Event, Signal } from '../catalog/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ScoreFacts } from './model.ts';

type ScoredEvent = Pick<
  Event,
  'description' | 'imageUrl' | 'endsAt' | 'priceMin' | 'priceMax' | 'isFree' | 'performers' | 'sources' | 'startsAt' | 'precision'
>;

/**
 * `trusts` holds the trust (0–1) of the registered sources by name; a name that is not registered has `DEFAULT_TRUST`.
 * An event that names no source has one all the same: whoever loaded it. `showing`: see `showings`.
 */
export function scoreFacts(
  event: ScoredEvent,
  venue: { capacityTier: CapacityTier | null; isVerified: boolean },
  trusts: ReadonlyMap<string, number>,
  showing: number,
  signals: readonly Signal[],
): ScoreFacts {
  const providers = [...new Set(event.sources)].sort();
  return {
    hasDescription: event.description !== null,
    hasImage: event.imageUrl !== null,
    hasEnd: event.endsAt !== null,
    hasPrice: event.isFree || event.priceMin !== null || event.priceMax !== null,
    performers: event.performers.length,
    sources: providers.length === 0 ? [DEFAULT_TRUST] : providers.map((name) => trusts.get(name) ?? DEFAULT_TRUST),
    venue,
    startsAt: event.startsAt,
    latestStart: event.precision === 'time' ? event.startsAt : event.startsAt + DAY_MS - 1,
    showing,
    signals,
  };
}

/** As the store's default for a source. */
const DEFAULT_TRUST = 0.5;
