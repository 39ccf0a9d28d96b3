/**
 * How many pages are made. A page costs a thousand times what an answer of the API costs, and needs no key: without limits a few readers
 * who reload without end would slow the API for everybody. Each network has a bucket of pages that fills again by the second.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../http/index.ts';
import { hostNetwork, siteNetwork } from '../values/ip-network.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';

export interface PageLimits {
  /** Pages of one network at once, and how many more each second. */
  burst: number;
  perSecond: number;
  /** Pages in the making, of all networks. */
  maxInFlight: number;
  /** A refused reader waits so long for the answer: whoever asks again and again does so slowly. */
  refusalDelayMs: number;
  /** Readers of one network who wait so; the next ones are refused at once. */
  maxDelayed: number;
  /** A reader waits no longer for a page: sooner than a connection on which nothing moves is closed without an answer. */
  maxMakingMs: number;
  /** Milliseconds of a processor that documents without a page may cost one network at once, and how many more each second. */
  documentBurstMs: number;
  documentPerSecondMs: number;
  /** How late the event loop may be before pages are refused: the API and the health checks come first. */
  maxStallMs: number;
}

export interface PageLimiter {
  /** What `make` gives, or why no page is made. `address`: of the client. */
  run<T>(address: string, make: () => Promise<T>): Promise<T | Problem>;
}

export function createPageLimiter(
  limits: PageLimits,
  isStalled: () => boolean,
  now: () => number = () => performance.now(),
): PageLimiter {
  const bucketOf = createBuckets(limits.burst, limits.perSecond, now);
  /** How many readers of a network wait for a refusal. */
  const delayed = new Map<string, number>();
  let inFlight = 0;

  async function refuseSlowly(network: string, bucket: FillingBucket): Promise<Problem> {
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - bucket.left) / limits.perSecond));
    const waiting = delayed.get(network) ?? 0;
    if (waiting < limits.maxDelayed) {
      delayed.set(network, waiting + 1);
      await pause(limits.refusalDelayMs);
      const left = (delayed.get(network) ?? 1) - 1;
      if (left > 0) delayed.set(network, left);
      else delayed.delete(network);
    }
    const detail = `this network requested too many pages; wait ${retryAfterSeconds} s`;
    return { code: 'page_limit', detail, members: { retryAfterSeconds } };
  }

  return {
    async run(address, make) {
      if (isStalled() || inFlight >= limits.maxInFlight) return OVERLOADED;
      const network = hostNetwork(address);
      const bucket = bucketOf(network);
      if (bucket.left < 1) return await refuseSlowly(network, bucket);
      bucket.left -= 1;
      inFlight += 1;
      // It may be made after all: until then it counts.
      const made = make().finally(() => {
        inFlight -= 1;
      });
      return await withTimeout(made, limits.maxMakingMs, () => LATE);
    },
  };
}

interface FillingBucket {
  left: number;
  /** Milliseconds. */
  filledAt: number;
}

/** Gives the bucket of a network, filled up to this moment. `burst`: what a full one holds; `perSecond`: how much more comes in each second. The network that has not asked for longest is forgotten first. */
function createBuckets(burst: number, perSecond: number, now: () => number): (network: string) => FillingBucket {
  const buckets = new Map<string, FillingBucket>();
  return (network) => {
    const bucket = buckets.get(network) ?? { left: burst, filledAt: now() };
    buckets.delete(network);
    buckets.set(network, bucket);
    if (buckets.size > MAX_NETWORKS) buckets.delete(buckets.keys().next().value ?? '');
    bucket.left = Math.min(burst, bucket.left + ((now() - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now();
    return bucket;
  };
}

/** Whether the event loop stands still, or has just stood still and works off what came meanwhile. */
interface StallWatch {
  isStalled(): boolean;
  stop(): void;
}

/** `maxStallMs`: how late the loop may be. It counts as stalled until it has been on time once more. */
export function watchStalls(maxStallMs: number, now: () => number = () => performance.now()): StallWatch {
  let lastBeat = now();
  let wasLate = false;
  const isLate = (): boolean => now() - lastBeat > BEAT_MS + maxStallMs;
  const timer = setInterval(() => {
    wasLate = isLate();
    lastBeat = now();
  }, BEAT_MS).unref();
  return {
    // What arrived in the stall may be handled before the timer is.
    isStalled: () => wasLate || isLate(),
    stop: () => clearInterval(timer),
  };
}

export interface CostLimiter {
  /** Takes what something costs from the bucket of a client's network. A problem: it had nothing left, and nothing was taken. */
  take(address: string, costMs: number): Problem | null;
}

/**
 * What may be spent on documents that need no key and are no pages: posters, share images and others. Each network has a bucket of
 * processor time that fills again by the second. A whole site shares one, for it can ask from any of its addresses.
 */
export function createCostLimiter(
  limits: Pick<PageLimits, 'documentBurstMs' | 'documentPerSecondMs'>,
  now: () => number = () => performance.now(),
): CostLimiter {
  const bucketOf = createBuckets(limits.documentBurstMs, limits.documentPerSecondMs, now);
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
export const PAGE_LIMITS: PageLimits = {
  // Sixty tabs at once, each with what it loads beside; then what an office of people who click every few seconds needs.
  burst: 120,
  perSecond: 20,
  // Three seconds of work for the thread of the pages.
  maxInFlight: 200,
  refusalDelayMs: 1_000,
  maxDelayed: 200,
  maxMakingMs: 25_000,
  // Some twenty new share images, or the posters of a hundred pages of lists; then an eighth of a processor.
  documentBurstMs: 3_000,
  documentPerSecondMs: 125,
  maxStallMs: 1_000,
};
const LATE: Problem = {
  code: 'overloaded',
  detail: 'the page is not ready yet; try again in a moment',
  members: { retryAfterSeconds: 5 },
};
const OVERLOADED: Problem = {
  code: 'overloaded',
  detail: 'the service cannot create pages right now; try again in a moment',
  members: { retryAfterSeconds: 1 },
};
/** The bucket of a network that was forgotten is full again. */
const MAX_NETWORKS = 10_000;
/** Each beat wakes an idle process. */
const BEAT_MS = 500;
