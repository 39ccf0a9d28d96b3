/**
 * Where requests are counted. In process (`limiter.ts`) an answer comes at once; a shared counter service may answer with a promise,
 * but each decision must be one atomic step there too, with the service's own time.
 */

import type { TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import type { MinuteSpan } from './rolling-minute.ts';

/** One counted request, so that it can be given back. */
export interface Admission {
  /** When, in the counters' own minute time. */
  at: number;
  /** UTC day it was counted on, in days since 1970. */
  day: number;
  /** UTC hour of that day, in hours since 1970. */
  hour: number;
}

export type LimitDecision =
  | { ok: true; allowance: Allowance; admission: Admission }
  | {
      ok: false;
      reason: 'minute' | 'day';
      allowance: Allowance /** Whole seconds, 1…86 400: who waits exactly so long is admitted. */;
      retryAfterSeconds: number;
    };

export interface RequestMinute {
  subscriptionId: string;
  /** Whole microseconds since each request was admitted, less than a minute. */
  agesUs: readonly number[];
}

export interface Counters {
  /** Counts one request against minute and day together, or refuses it and counts nothing. */
  decide(subscriptionId: string, tier: TierName): LimitDecision | Promise<LimitDecision>;
  /** The allowance now; counts nothing. */
  peek(subscriptionId: string, tier: TierName): Allowance | Promise<Allowance>;
  /** Gives one admission back to the minute and the day. To be called once for each. */
  refund(subscriptionId: string, admission: Admission): void | Promise<void>;
  /** What the ledger holds for a day (days since 1970), before the first decision of that day. Ignored for a day already counted. */
  restore(subscriptionId: string, day: number, requests: number): void | Promise<void>;
  /** The counters' own minute time; with the next two, absent where counters outlive the process. */
  moment?(): number;
  /** What the minutes hold, for a process that takes over: all of it, or what came in the span. Ages are from the span's end. */
  minutes?(span?: MinuteSpan): RequestMinute[];
  /** Counts requests that another process admitted in the last minute, in minutes where nothing is counted yet. */
  continueMinutes?(minutes: readonly RequestMinute[]): void;
  /** Frees what the minutes of idle subscriptions hold. Days are kept. */
  releaseIdle(): void;
}
