/** What is left to subscriptions right now, for people: read from the counters that decide, so it is what the headers would say. */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { isTierName, TIERS, type TierName } from '../tiers.ts';
import { dateOfDay } from '../usage/usage-ledger.ts';
import type { Allowance } from '../verdict.ts';
import type { Counters, LimitDecision } from './counters.ts';

type AllowanceListener = (allowance: Allowance) => void;

interface Allowances {
  /** By subscription; those that do not exist are missing. Rejects with the store's error. */
  read(subscriptionIds: readonly string[]): Promise<Map<string, Allowance>>;
  /**
   * Tells the listener at once and then whenever day, minute or tier have changed, at most twice a second. Costs requests nothing: it
   * looks at the counters while somebody watches. Gives the end of watching.
   */
  watch(subscriptionId: string, listener: AllowanceListener): () => void;
  close(): void;
}

/** `wall`: of the limits, which tells the day. */
export function createAllowances(db: Kysely<Database>, counters: Counters, wall: Clock): Allowances {
  async function readTiers(ids: readonly string[]): Promise<Map<string, TierName>> {
    const day = Math.floor(wall() / DAY_MS);
    const rows = await db
      .selectFrom('subscription')
      .leftJoin('usage_day', (join) =>
        join.onRef('usage_day.subscription_id', '=', 'subscription.id').on('usage_day.day', '=', dateOfDay(day)),
      )
      .where(sql<boolean>`subscription.id = any(${[...ids]}::uuid[])`)
      .select(['subscription.id', 'subscription.tier', 'usage_day.requests'])
      .execute();
    const tiers = new Map<string, TierName>();
    for (const { id, tier, requests } of rows) {
      if (!isTierName(tier)) continue;
      // A counter that has not met the subscription yet would start the day at nothing.
      await counters.restore(id, day, Number(requests ?? 0));
      tiers.set(id, tier);
    }
    return tiers;
  }

  const { watch, close } = createWatch(counters, readTiers);

  return {
    async read(subscriptionIds) {
      const allowances = new Map<string, Allowance>();
      for (const [id, tier] of await readTiers(subscriptionIds)) allowances.set(id, await counters.peek(id, tier));
      return allowances;
    },

    watch,
    close,
  };
}

interface Watched {
  tier: TierName | null;
  listeners: Set<AllowanceListener>;
  told: string;
  last: Allowance | null;
}

function createWatch(
  counters: Counters,
  readTiers: (subscriptionIds: readonly string[]) => Promise<Map<string, TierName>>,
): Pick<Allowances, 'watch' | 'close'> {
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let isAskingTiers = false;

  async function look(): Promise<void> {
    if (looks % LOOKS_A_TIER === 0 && !isAskingTiers) void renewTiers();
    looks += 1;
    for (const [id, entry] of watched) await tell(id, entry);
  }

  /** A store that does not answer delays news of the tier, and nothing else; then it is asked again. */
  async function renewTiers(): Promise<void> {
    isAskingTiers = true;
    try {
      const tiers = await readTiers([...watched.keys()]);
      for (const [id, entry] of watched) entry.tier = tiers.get(id) ?? entry.tier;
    } catch {
      // Asked again.
    } finally {
      isAskingTiers = false;
    }
  }

  async function tell(id: string, entry: Watched): Promise<void> {
    if (!entry.tier) return;
    const allowance = await counters.peek(id, entry.tier);
    const { day, minute, tier } = allowance;
    const says = `${tier} ${day.used} ${day.resetsAt} ${minute.used}`;
    if (says === entry.told) return;
    entry.told = says;
    entry.last = allowance;
    for (const listener of entry.listeners) listener(allowance);
  }

  function lookAgain(): void {
    timer = setTimeout(async () => {
      await look().catch(() => undefined);
      if (timer && watched.size > 0) lookAgain();
      else timer = undefined;
    }, LOOK_EVERY_MS).unref();
  }

  async function begin(id: string, entry: Watched): Promise<void> {
    entry.tier = (await readTiers([id])).get(id) ?? null;
    if (watched.get(id) === entry) await tell(id, entry);
  }

  return {
    watch(subscriptionId, listener) {
      const known = watched.get(subscriptionId);
      const entry: Watched = known ?? { tier: null, listeners: new Set(), told: '', last: null };
      watched.set(subscriptionId, entry);
      entry.listeners.add(listener);
      if (entry.last) listener(entry.last);
      if (!known) begin(subscriptionId, entry).catch(() => undefined);
      if (!timer) lookAgain();
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0 && watched.get(subscriptionId) === entry) watched.delete(subscriptionId);
      };
    },

    close() {
      clearTimeout(timer);
      timer = undefined;
      watched.clear();
    },
  };
}

/* How a decision is put into words: allowance, and the wait of a refusal. */

export interface LimitCounts {
  /** UTC, days since 1970. */
  day: number;
  usedOfDay: number;
  usedOfMinute: number;
  /** Microseconds until the oldest request leaves the minute; 0: it is empty. */
  freesInUs: number;
}

export function toAllowance(tier: TierName, { day, usedOfDay, usedOfMinute, freesInUs }: LimitCounts): Allowance {
  const { perDay, perMinute } = TIERS[tier];
  return {
    tier,
    day: { limit: perDay, used: usedOfDay, remaining: Math.max(0, perDay - usedOfDay), resetsAt: (day + 1) * DAY_MS },
    minute: {
      limit: perMinute,
      used: usedOfMinute,
      remaining: Math.max(0, perMinute - usedOfMinute),
      freesInSeconds: Math.ceil(freesInUs / US_PER_SECOND),
    },
  };
}

/** Microseconds to wait for the minute and for the day. When both are spent, the one that frees last is named: after its wait the request is admitted. */
export function toRefusal(allowance: Allowance, wait: { minuteUs: number; dayUs: number }): LimitDecision {
  const minuteSeconds = Math.ceil(wait.minuteUs / US_PER_SECOND);
  const daySeconds = Math.ceil(wait.dayUs / US_PER_SECOND);
  const reason = daySeconds >= minuteSeconds ? 'day' : 'minute';
  return { ok: false, reason, allowance, retryAfterSeconds: Math.max(minuteSeconds, daySeconds) };
}

const US_PER_SECOND = 1_000_000;
const LOOK_EVERY_MS = 500;
/** A tier that was changed is seen within a second. */
const LOOKS_A_TIER = 2;
