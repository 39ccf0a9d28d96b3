/**
 * What `GET /usage` tells: today by the counter, the days before by the store. The days of a subscription are read in the background
 * when one of its keys is used, so that they are in memory when the store goes away.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../values/duration.ts';
import { withTimeout } from '../../values/waiting/with-timeout.ts';
import type { Counters } from '../limits/counters.ts';
import { createBatches } from '../usage/batches.ts';
import { dateOfDay, type UsageLedger } from '../usage/usage-ledger.ts';
import type { Caller, UsageReport } from '../verdict.ts';

export interface RecentUsage {
  /** Null when the store is away for longer than a restart takes, and has not told the past days of this subscription today. */
  report(caller: Caller): Promise<UsageReport | null>;
  /** Reads the past days of a subscription if they are not known today. Never waits and never fails. */
  remember(subscriptionId: string): void;
}

interface KnownDays {
  /** Days since 1970. */
  readOn: number;
  /** One number for each of the last `USAGE_DAYS` days, oldest first. The last one is the day on which they were read. */
  counts: Uint32Array;
}

/** `wall`: the limits' clock: it turns the days. */
export function createRecentUsage(
  ledger: Pick<UsageLedger, 'flush' | 'read'>,
  counters: Pick<Counters, 'peek'>,
  wall: Clock,
): RecentUsage {
  const known = new Map<string, KnownDays>();
  const dayNow = (): number => Math.floor(wall() / DAY_MS);
  const ask = createBatches<KnownDays>({ read: readDays, ...READS });
  /** Many keys may be used at once for the first time of a day. Nobody waits behind them. */
  const askInBackground = createBatches<KnownDays>({ read: readDays, ...READS });
  const underway = new Set<string>();

  async function readDays(subscriptionIds: readonly string[]): Promise<Map<string, KnownDays>> {
    const today = dayNow();
    const firstDay = today - (USAGE_DAYS - 1);
    const found = new Map<string, KnownDays>();
    for (const id of subscriptionIds) found.set(id, { readOn: today, counts: new Uint32Array(USAGE_DAYS) });
    for (const { subscriptionId, day, requests } of await ledger.read(subscriptionIds, firstDay)) {
      const days = found.get(subscriptionId);
      if (days && day <= today) days.counts[day - firstDay] = requests;
    }
    for (const [id, days] of found) keep(id, days);
    return found;
  }

  async function readWritten(subscriptionId: string, today: number): Promise<KnownDays | null> {
    const isWritten = await ledger.flush({ requestsOnly: true }).then(
      () => true,
      () => false,
    );
    // A store that takes nothing may still be read, but does not know what is kept here.
    const before = isWritten ? null : recall(subscriptionId, today);
    return before ?? ask(subscriptionId);
  }

  function keep(subscriptionId: string, days: KnownDays): void {
    known.delete(subscriptionId);
    known.set(subscriptionId, days);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  }

  /** The days before today change no more, so what was read today is still right. */
  function recall(subscriptionId: string, today: number): KnownDays | null {
    const found = known.get(subscriptionId);
    return found?.readOn === today ? found : null;
  }

  /** A store that restarts answers again within a moment. */
  async function find(subscriptionId: string): Promise<KnownDays | null> {
    const asked = dayNow();
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const left = end - performance.now();
      const read = await withTimeout(readWritten(subscriptionId, asked), Math.min(left, READ_MS)).catch(() => null);
      const found = read ?? recall(subscriptionId, asked);
      if (found || performance.now() + LOOK_AGAIN_MS > end) return found;
      await delay(LOOK_AGAIN_MS);
    }
  }

  /** With so many that were read today, none of them makes room for one that nobody has asked for. */
  function hasRoom(today: number): boolean {
    if (known.size + underway.size < MAX_KNOWN) return true;
    const [oldest] = known.values();
    return oldest !== undefined && oldest.readOn !== today;
  }

  return {
    async report({ subscriptionId, tier }) {
      const found = await find(subscriptionId);
      if (!found) return null;
      const allowance = await counters.peek(subscriptionId, tier);
      // The counter knows today better than the ledger, which is a flush behind.
      const today = allowance.day.resetsAt / DAY_MS - 1;
      const days: UsageReport['days'] = [];
      found.counts.forEach((requests, at) => {
        const day = found.readOn - (USAGE_DAYS - 1) + at;
        if (requests > 0 && day < today) days.push({ date: dateOfDay(day), requests });
      });
      if (allowance.day.used > 0) days.push({ date: dateOfDay(today), requests: allowance.day.used });
      return { allowance, days };
    },

    remember(subscriptionId) {
      const today = dayNow();
      if (wall() % DAY_MS < WRITTEN_AFTER_MS) return;
      if (recall(subscriptionId, today) || underway.has(subscriptionId) || !hasRoom(today)) return;
      underway.add(subscriptionId);
      void askInBackground(subscriptionId)
        // The next use of the key reads them.
        .catch(() => undefined)
        .finally(() => underway.delete(subscriptionId));
    },
  };
}

const USAGE_DAYS = 90;
/** Subscriptions; each takes half a kilobyte. */
const MAX_KNOWN = 10_000;
/** The store is waited for so long in all: a caller should hear within 2 s. */
const PATIENCE_MS = 1_900;
/** Of that, for one answer. */
const READ_MS = 1_500;
const LOOK_AGAIN_MS = 200;
/** So long after midnight every process has written what it counted before. */
const WRITTEN_AFTER_MS = 10_000;
/** A batch has 9,000 rows at most. */
const READS = { size: 100, waiting: 20_000, deadlineMs: 4_000, mostHanging: 2, poolWaitMs: 100 } as const;
