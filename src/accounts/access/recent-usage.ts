/** What `GET /usage` tells: today by the counter, the days before by the store, or as the store last told them while it is away. */

import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../values/duration.ts';
import { withTimeout } from '../../values/waiting/with-timeout.ts';
import type { Counters } from '../limits/counters.ts';
import { type DayCount, dateOfDay, type UsageLedger } from '../usage/usage-ledger.ts';
import type { Caller, UsageReport } from '../verdict.ts';

export interface RecentUsageOptions {
  ledger: Pick<UsageLedger, 'flush' | 'read'>;
  counters: Pick<Counters, 'peek'>;
  /** The limits' clock: it turns the days. */
  wall: Clock;
  /** So long the store is waited for. */
  patienceMs?: number;
}

/** Null when the store is away and did not tell the past days of this subscription today. */
export function createRecentUsage({ ledger, counters, wall, patienceMs = PATIENCE_MS }: RecentUsageOptions) {
  const known = new Map<string, { readOn: number; days: DayCount[] }>();

  async function readDays(subscriptionId: string, today: number): Promise<DayCount[]> {
    const isWritten = await ledger.flush({ requestsOnly: true }).then(
      () => true,
      () => false,
    );
    // A store that takes nothing may still be read, but does not know what is kept here.
    const before = isWritten ? null : recall(subscriptionId, today);
    if (before) return before;
    const days = await ledger.read(subscriptionId, today - (USAGE_DAYS - 1));
    known.delete(subscriptionId);
    known.set(subscriptionId, { readOn: today, days });
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
    return days;
  }

  /** The days before today change no more, so what was read today is still right. */
  function recall(subscriptionId: string, today: number): DayCount[] | null {
    const found = known.get(subscriptionId);
    return found?.readOn === today ? found.days : null;
  }

  return async ({ subscriptionId, tier }: Caller): Promise<UsageReport | null> => {
    const asked = Math.floor(wall() / DAY_MS);
    const read = await withTimeout(readDays(subscriptionId, asked), patienceMs).catch(() => null);
    const written = read ?? recall(subscriptionId, asked);
    if (!written) return null;
    const allowance = await counters.peek(subscriptionId, tier);
    // The counter knows today better than the ledger, which is a flush behind.
    const today = allowance.day.resetsAt / DAY_MS - 1;
    const past = written.filter(({ day }) => day < today);
    const days = allowance.day.used > 0 ? [...past, { day: today, requests: allowance.day.used }] : past;
    return { allowance, days: days.map(({ day, requests }) => ({ date: dateOfDay(day), requests })) };
  };
}

const USAGE_DAYS = 90;
/** Subscriptions; each has 90 small numbers at most. */
const MAX_KNOWN = 2_000;
const PATIENCE_MS = 1_500;
