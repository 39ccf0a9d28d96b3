/** The rate-limit headers of an answer to a valid key (contract §8; decisions §4). */

import type { Allowance } from '../accounts/index.ts';
import { printUtc } from './utc.ts';

/** A flat list of names and values. `now`: the limits' clock. */
export function allowanceHeaders({ day, minute }: Allowance, now: number): string[] {
  const untilReset = Math.max(1, Math.ceil((day.resetsAt - now) / 1000));
  return [
    'X-RateLimit-Limit',
    String(day.limit),
    'X-RateLimit-Remaining',
    String(day.remaining),
    'X-RateLimit-Per-Minute',
    String(minute.limit),
    'X-RateLimit-Reset',
    printReset(day.resetsAt),
    // draft-ietf-httpapi-ratelimit-headers: quota and window of each policy, then what is left and for how many seconds.
    'RateLimit-Policy',
    `"minute";q=${minute.limit};w=60, "day";q=${day.limit};w=86400`,
    'RateLimit',
    `"minute";r=${minute.remaining};t=${minute.freesInSeconds}, "day";r=${day.remaining};t=${untilReset}`,
  ];
}

export const ALLOWANCE_HEADERS = {
  'X-RateLimit-Limit': 'Requests a day of the tier.',
  'X-RateLimit-Remaining': 'Requests left today.',
  'X-RateLimit-Per-Minute': 'Requests in any 60 seconds of the tier.',
  'X-RateLimit-Reset': 'When the day ends, UTC.',
  'RateLimit-Policy': 'Both limits, as structured fields.',
  RateLimit: 'What is left of both, and in how many seconds more comes free.',
} as const;

let printedInstant = Number.NaN;
let printed = '';
/** The same instant the whole day long: printed once. */
function printReset(instant: number): string {
  if (instant !== printedInstant) {
    printed = printUtc(instant);
    printedInstant = instant;
  }
  return printed;
}
