/** When a delivery that failed is tried again, and when an endpoint that fails is left alone. Milliseconds. */

import { DAY_MS } from '../../values/duration.ts';

/** Between the attempts: ten attempts over 75 h 35 min. */
export const RETRY_AFTER_MS: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 3_600_000,
  5 * 3_600_000,
  10 * 3_600_000,
  14 * 3_600_000,
  20 * 3_600_000,
  24 * 3_600_000,
];

/** `attempts`: how many there have been. Null: there is no further one. `random`: 0 to 1. */
export function retryDelay(attempts: number, retryAfterMs: number | null, random: number): number | null {
  const delay = RETRY_AFTER_MS[attempts - 1];
  if (delay === undefined) return null;
  return Math.max(withJitter(delay, random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/** `failures`: failed attempts in a row, over all deliveries of the endpoint. 0: the endpoint may be asked. */
export function breakerDelay(failures: number, retryAfterMs: number | null, random: number): number {
  const asked = Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  if (failures < BREAKER_FAILURES) return asked;
  const delay = Math.min(MAX_BREAKER_MS, FIRST_BREAKER_MS * 2 ** Math.min(20, failures - BREAKER_FAILURES));
  return Math.max(withJitter(delay, random), asked);
}

const withJitter = (delay: number, random: number): number => Math.round(delay * (1 - JITTER + 2 * JITTER * random));

/** After so long without an attempt failures are counted anew. Longer than the longest wait between attempts of one message. */
export const MAX_QUIET_MS = 2 * DAY_MS;
/** So that endpoints which failed together do not return together. */
const JITTER = 0.15;
const MAX_RETRY_AFTER_MS = DAY_MS;
const BREAKER_FAILURES = 5;
const FIRST_BREAKER_MS = 30_000;
const MAX_BREAKER_MS = 3_600_000;
