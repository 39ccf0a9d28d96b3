/** The rate-limit headers of an answer to a valid key (contract §8; decisions §4). */

import type { Allowance, TierName } from '../../accounts/index.ts';
import { SerializedHeaders, splitLines } from '../../http/index.ts';
import { formatUtc } from '../../values/utc.ts';

/** Lines with their ends. `now`: the limits' clock. */
export function formatAllowance({ tier, day, minute }: Allowance, now: number): string {
  const untilReset = Math.max(1, Math.ceil((day.resetsAt - now) / 1000));
  let lines = printed.get(tier);
  if (lines?.resetsAt !== day.resetsAt || lines.perDay !== day.limit || lines.perMinute !== minute.limit) {
    lines = formatLimits(day.limit, minute.limit, day.resetsAt);
    printed.set(tier, lines);
  }
  // draft-ietf-httpapi-ratelimit-headers: what is left of each policy, and for how many seconds.
  const rest = `"minute";r=${minute.remaining};t=${minute.freesInSeconds}, "day";r=${day.remaining};t=${untilReset}`;
  return `${lines.text}X-RateLimit-Remaining: ${day.remaining}\r\nRateLimit: ${rest}\r\n`;
}

/** The same as a flat list. */
export const listAllowanceHeaders = (allowance: Allowance, now: number): string[] => splitLines(formatAllowance(allowance, now));

interface LimitLines {
  perDay: number;
  perMinute: number;
  resetsAt: number;
  text: string;
}

function formatLimits(perDay: number, perMinute: number, resetsAt: number): LimitLines {
  const list = ['X-RateLimit-Limit', String(perDay), 'X-RateLimit-Per-Minute', String(perMinute)];
  list.push('X-RateLimit-Reset', formatUtc(resetsAt));
  // Quota and window of each policy.
  list.push('RateLimit-Policy', `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
  return { perDay, perMinute, resetsAt, text: new SerializedHeaders(list).text };
}

/** What stays the same for all of a tier the whole day long. */
const printed = new Map<TierName, LimitLines>();

export const ALLOWANCE_HEADERS = {
  'X-RateLimit-Limit': 'Requests a day of the tier.',
  'X-RateLimit-Remaining': 'Requests left today.',
  'X-RateLimit-Per-Minute': 'Requests in any 60 seconds of the tier.',
  'X-RateLimit-Reset': 'When the day ends, UTC.',
  'RateLimit-Policy': 'Both limits, as structured fields.',
  RateLimit: 'The remaining requests of both limits, and the seconds until more are available.',
} as const;
