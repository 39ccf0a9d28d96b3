/** Queries of lists as callers write them, most filters of which are absent. */

import { CATEGORIES, EVENT_STATUSES } from '../../../src/records/index.ts';
import { EVENT_SORTS } from '../../../src/search/index.ts';
import type { Random } from '../../search/random-directory.ts';

/** Filters and order of `GET /events`, without a page. */
export const randomEventFilters = (random: Random): [string, string][] =>
  chooseSome(random, {
    q: () => random.one(['calle', '"a b"', 'xyz', 'é']),
    category: () => random.some(CATEGORIES.slice(0, 4)).join(),
    neighborhood: () => `n${random.below(4)}`,
    start_date: () => random.one(['2026-03-07', '2026-03-08T01:00', '2026-03-01']),
    free: () => random.one(['', 'true', '0']),
    price_max: () => random.one(['0', '12.5', '100']),
    tags: () => random.one(['jazz', 'a,b', 'live']),
    updated_since: () => random.one(['2026-03-08', '2026-03-01']),
    status: () => random.one(['any', random.one(EVENT_STATUSES)]),
    ongoing: () => random.one(['1', 'false']),
    bbox: () => random.one(['-180,-90,180,90', '170,-10,-170,10']),
    sort: () => random.one(EVENT_SORTS.filter((sort) => sort !== 'distance' && sort !== 'relevance')),
  });

export const randomVenueFilters = (random: Random): [string, string][] =>
  chooseSome(random, {
    q: () => random.one(['hall', 'calle', 'xyz']),
    neighborhood: () => `n${random.below(4)}`,
    type: () => random.some(['bar', 'restaurant', 'arena']).join(),
    capacity: () => random.some(['intimate', 'small', 'medium']).join(),
    verified: () => 'any',
  });

const chooseSome = (random: Random, values: Record<string, () => string>): [string, string][] =>
  Object.entries(values)
    .filter(() => random.chance(0.15))
    .map(([name, value]) => [name, value()]);
