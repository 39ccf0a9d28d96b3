/** What one process decides without Redis, and what it knows from the time before. One engine is enough: nothing here needs a database. */

import { expect, it, vi } from 'vitest';
import type { LimitDecision } from '../../../src/accounts/index.ts';
import { createRedisCounters } from '../../../src/accounts/limits/redis-counters.ts';
import type { CallOptions, RedisLink } from '../../../src/accounts/limits/redis-link.ts';

const BEGIN_US = Date.parse('2026-06-16T12:00:00Z') * 1_000;
const DAY = Math.floor(BEGIN_US / 86_400_000_000);

interface Told {
  script: string;
  values: readonly unknown[];
}

/** One of two processes. `redis`: what Redis says of the day and the minute, while it is there. */
function openProcess({ place = 0, readUse = async () => 0 }: { place?: number; readUse?: () => Promise<number> } = {}) {
  const redis = { isThere: false, generation: 1, day: 0, minute: 0, now: BEGIN_US };
  const told: Told[] = [];
  let returnWork: () => Promise<void> = async () => undefined;
  let endedAt = BEGIN_US;
  const link: Partial<RedisLink> = {
    isShared: () => redis.isThere,
    generation: () => redis.generation,
    now: () => redis.now,
    aloneSince: () => endedAt,
    isCluster: false,
    noteTime: () => undefined,
    onReturn(work) {
      returnWork = work;
    },
    async call(script: string, _keys: readonly string[], values: readonly unknown[], _options?: CallOptions) {
      told.push({ script, values });
      if (script === 'refund') redis.day -= 1;
      const isCounted = script === 'decide';
      if (isCounted) {
        redis.day += 1;
        redis.minute += 1;
      }
      redis.now += 1;
      return [isCounted ? 1 : 0, redis.day, redis.minute, 0, 0, 0, redis.now, DAY, 1];
    },
  };
  const processes = () => ({ count: 2, place });
  const counters = createRedisCounters({ link: link as RedisLink, readUse, processes, wall: Date.now });
  return {
    counters,
    redis,
    told,
    async admit(times: number): Promise<Extract<LimitDecision, { ok: true }>[]> {
      const decisions: LimitDecision[] = [];
      for (let n = 0; n < times; n += 1) decisions.push(await counters.decide('one', 'starter'));
      return decisions.filter((decision) => decision.ok);
    },
    lose() {
      redis.isThere = false;
      endedAt = redis.now;
    },
    /** `tells`: and has time to hear what was admitted without it. */
    async comeBack({ tells = true } = {}) {
      if (tells) await returnWork();
      redis.generation += 1;
      redis.isThere = true;
      if (tells) await returnWork();
    },
    [Symbol.dispose]: counters.close,
  };
}

it('a Redis that comes back and is lost again, before it was told what was admitted, gives no second share', async () => {
  using one = openProcess();
  expect(await one.admit(100)).toHaveLength(30);
  await one.comeBack({ tells: false });
  one.lose();
  expect(await one.admit(100)).toHaveLength(0);
});

it('two processes that admit at the same instants give no two admissions one time', async () => {
  using first = openProcess({ place: 0 });
  using second = openProcess({ place: 1 });
  const admitted = await Promise.all([first.admit(30), second.admit(30)]);
  const times = admitted.flat().map(({ admission }) => admission.at);
  expect(times).toHaveLength(60);
  expect(new Set(times).size).toBe(60);
});

it('a minute that Redis told of is over after a minute: the process is not closed', async () => {
  using one = openProcess();
  one.redis.isThere = true;
  one.redis.minute = 30;
  expect(await one.admit(30)).toHaveLength(30);
  one.redis.now += 100_000_000;
  one.lose();
  expect(await one.admit(100)).toHaveLength(30);
});

it('what other processes had in the minute still counts', async () => {
  using one = openProcess();
  one.redis.isThere = true;
  one.redis.minute = 40;
  expect(await one.admit(10)).toHaveLength(10);
  one.lose();
  // It had 10, and half of the 10 that were left.
  expect(await one.admit(100)).toHaveLength(5);
});

it('a process that begins without Redis, and takes over the minute of the one before, adds no second share', async () => {
  using one = openProcess();
  one.counters.continueMinutes?.([{ subscriptionId: 'one', agesUs: Array.from({ length: 60 }, (_, n) => n + 1) }]);
  expect(await one.admit(100)).toHaveLength(0);
});

it('requests that failed while Redis was away stay given back', async () => {
  using one = openProcess();
  one.redis.isThere = true;
  one.redis.day = 100;
  const admitted = await one.admit(40);
  one.lose();
  for (const { admission } of admitted) await one.counters.refund('one', admission);
  await one.comeBack();
  await one.admit(1);
  const compared = one.told.filter(({ script }) => script === 'compare').at(-1);
  // The day and what is known of it.
  expect(compared?.values.slice(5, 7)).toEqual([DAY, 100]);
  expect(one.redis.day).toBe(101);
});

it('requests that are admitted while the ledger is read count once', async () => {
  vi.useFakeTimers({ now: BEGIN_US / 1_000 });
  const ledger = { requests: 0, read: Promise.withResolvers<void>() };
  // As the real one does: what was counted until the read ends is in its answer.
  const readUse = async () => {
    await ledger.read.promise;
    return ledger.requests;
  };
  try {
    using one = openProcess({ readUse });
    ledger.requests += (await one.admit(10)).length;
    await vi.advanceTimersByTimeAsync(2_000);
    ledger.requests += (await one.admit(5)).length;
    ledger.read.resolve();
    await vi.advanceTimersByTimeAsync(2_000);
    await one.comeBack();
    const compared = one.told.filter(({ script }) => script === 'compare').at(-1);
    expect(compared?.values.slice(5, 7)).toEqual([DAY, 15]);
  } finally {
    vi.useRealTimers();
  }
});
