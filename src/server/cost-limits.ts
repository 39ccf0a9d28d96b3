/**
 * What may be spent on documents that need no key and are no pages: posters, share images and others. Each network has a bucket of
 * processor time that fills again by the second. A whole site shares one, for it can ask from any of its addresses.
 */

import type { Problem } from '../http/index.ts';
import { siteNetwork } from '../values/ip-network.ts';
import { createBuckets, type PageLimits } from './page-limits.ts';

export interface CostLimiter {
  /** Takes what something costs from the bucket of a client's network. A problem: it had nothing left, and nothing was taken. */
  take(address: string, costMs: number): Problem | null;
}

export function createCostLimiter(
  limits: Pick<PageLimits, 'documentBurstMs' | 'documentPerSecondMs'>,
  now: () => number = () => performance.now(),
): CostLimiter {
  const bucketOf = createBuckets({ burst: limits.documentBurstMs, perSecond: limits.documentPerSecondMs, now });
  return {
    take(address, costMs) {
      const bucket = bucketOf(siteNetwork(address));
      if (bucket.left >= costMs) {
        bucket.left -= costMs;
        return null;
      }
      const retryAfterSeconds = Math.ceil((costMs - bucket.left) / limits.documentPerSecondMs);
      const detail = `this network requested too many images or documents; wait ${retryAfterSeconds} s`;
      return { code: 'page_limit', detail, members: { retryAfterSeconds } };
    },
  };
}

/** What a request costs about, by its route: milliseconds. A share image that has to be drawn is charged by `pictures` on top. */
export const ROUTE_COSTS_MS: Readonly<Record<string, number>> = {
  '/posters/:name.svg': 1,
  '/images/:id/:version/:file': 1,
  '/status.json': 1,
  '/status.rss': 1,
  '/openapi.json': 1,
  '/embed/v1/marquee-events.js': 1,
};
