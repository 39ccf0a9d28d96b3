// One engine is enough: nothing here needs a database.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLimiter, type LimitDecision, TIER_NAMES, TIERS, type TierName } from '../../../src/accounts/index.ts';
import { readReply } from '../../../src/accounts/limits/known-count.ts';
import { connectRedis } from '../../../src/accounts/limits/redis-client.ts';
import type { CountingTask } from '../../support/processes/counting-child.ts';
import {
  createTestLedger,
  HAS_REDIS,
  noonClock,
  noonDay,
  openLimits,
  placeOf,
  startRedis,
  type TestRedis,
} from '../../support/rigs/redis.ts';
import { until } from '../../support/runs/patience.ts';

const CHILD = new URL('../../support/processes/counting-child.ts', import.meta.url).pathname;

describe.skipIf(!HAS_REDIS)('limits that several processes share', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  it.each([2, 4])('admit exactly the limit of a burst at one instant, from %i processes', async (processes) => {
    const task: CountingTask = {
      ...{ url: redis.url, subscription: randomUUID(), tier: 'growth', processes },
      decisions: Math.ceil((10 * TIERS.growth.perMinute) / processes),
      beginAt: Date.now() + 2_000,
    };
    const run = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [CHILD, JSON.stringify(task)], { maxBuffer: 2 ** 24 });
      return JSON.parse(stdout.split('\n')[1] ?? '') as { admitted: number[]; alone: number };
    };
    const reports = await Promise.all(Array.from({ length: processes }, run));
    expect(reports.map(({ alone }) => alone)).toEqual(reports.map(() => 0));
    const times = reports.flatMap(({ admitted }) => admitted).sort((left, right) => left - right);
    expect(new Set(times).size).toBe(times.length);
    // Whoever came later than a minute after the first may have got a place that was free again.
    expect(times.filter((time) => time < (times[0] ?? 0) + 60_000_000)).toHaveLength(TIERS.growth.perMinute);
  });

  it('decide as the limiter in process does, whatever the moments, tiers and refunds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 400 }), async (steps) => {
        const twin = await openScriptAndTwin(redis);
        try {
          for (const step of steps) expect(await twin.inRedis(step)).toEqual(twin.inProcess(step));
        } finally {
          twin.close();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('forget a burst, however long a few requests go on after it', async () => {
    const twin = await openScriptAndTwin(redis);
    const burst = Array.from({ length: 300 }, (_): Step => ({ kind: 'decide', waitUs: 1, tier: 'growth' }));
    const trickle = Array.from({ length: 150 }, (_): Step => ({ kind: 'decide', waitUs: 30_000_000, tier: 'growth' }));
    try {
      for (const step of [...burst, ...trickle]) expect(await twin.inRedis(step)).toEqual(twin.inProcess(step));
    } finally {
      twin.close();
    }
  });

  it('count a request of one process in all others at once, and give it back to all', async () => {
    const [one, other] = [await openLimits(redis.url), await openLimits(redis.url)];
    const ledger = createTestLedger();
    const needs = { readUse: ledger.readUse, processes: () => ({ count: 2, place: 0 }), wall: noonClock };
    const [here, there] = [one.openCounters(needs), other.openCounters(needs)];
    const id = randomUUID();
    const decision = await here.decide(id, 'starter');
    expect(decision.ok).toBe(true);
    expect(await there.peek(id, 'starter')).toMatchObject({
      day: { used: 1, remaining: 999 },
      minute: { used: 1, remaining: 59 },
    });
    if (decision.ok) await here.refund(id, decision.admission);
    expect(await there.peek(id, 'starter')).toMatchObject({ day: { used: 0 }, minute: { used: 0 } });
    one.close();
    other.close();
  });

  it('remember a refusal: a flood of refused calls costs about one call for each key and second', async () => {
    const limits = await openLimits(redis.url);
    const counters = limits.openCounters({
      readUse: createTestLedger().readUse,
      processes: () => ({ count: 1, place: 0 }),
      wall: noonClock,
    });
    const id = randomUUID();
    while ((await counters.decide(id, 'starter')).ok);
    const before = await callsOf(redis);
    const begun = performance.now();
    let refused = 0;
    while (performance.now() - begun < 1_500) {
      const flood = await Promise.all(Array.from({ length: 200 }, async () => counters.decide(id, 'starter')));
      refused += flood.filter(({ ok }) => !ok).length;
    }
    const seconds = (performance.now() - begun) / 1_000;
    expect(refused).toBeGreaterThan(1_000);
    expect((await callsOf(redis)) - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    limits.close();
  });

  it('keep what was refused for the minute out of the day, and name the limit that frees last', async () => {
    const limits = await openLimits(redis.url);
    const counters = limits.openCounters({
      readUse: createTestLedger().readUse,
      processes: () => ({ count: 1, place: 0 }),
      wall: noonClock,
    });
    const id = randomUUID();
    counters.restore(id, noonDay(), 990);
    const decisions: LimitDecision[] = [];
    for (let index = 0; index < 80; index += 1) decisions.push(await counters.decide(id, 'starter'));
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(10);
    expect(decisions.at(-1)).toMatchObject({
      ok: false,
      reason: 'day',
      allowance: { day: { used: 1_000 }, minute: { used: 10 } },
    });
    limits.close();
  });

  it('take at most 6 KB for each ring, gone a minute after the last request, and one call for many of one turn', async () => {
    const limits = await openLimits(redis.url);
    const counters = limits.openCounters({
      readUse: createTestLedger().readUse,
      processes: () => ({ count: 1, place: 0 }),
      wall: noonClock,
    });
    const id = randomUUID();
    const before = await callsOf(redis);
    const decisions = await Promise.all(Array.from({ length: 1_000 }, () => counters.decide(id, 'enterprise')));
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(1_000);
    expect((await callsOf(redis)) - before).toBeLessThan(50);
    expect(Number((await redis.ask(`MEMORY USAGE marquee:{${id}}:minute`)).slice(1))).toBeLessThanOrEqual(6_144);
    const ttl = Number((await redis.ask(`PTTL marquee:{${id}}:minute`)).slice(1));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(61_000);
    limits.close();
  });

  it('are decided by the time of Redis, however wrong the clock of a process is', async () => {
    const limits = await openLimits(redis.url);
    const needs = { readUse: createTestLedger().readUse, processes: () => ({ count: 1, place: 0 }) };
    const id = randomUUID();
    const real = Date.now;
    try {
      Date.now = () => real() + 600_000;
      const ahead = limits.openCounters({ ...needs, wall: () => Date.now() });
      Date.now = () => real() - 600_000;
      const behind = limits.openCounters({ ...needs, wall: () => Date.now() });
      const decisions: LimitDecision[] = [];
      for (let index = 0; index < 70; index += 1) decisions.push(await (index % 2 ? ahead : behind).decide(id, 'starter'));
      expect(decisions.filter(({ ok }) => ok)).toHaveLength(60);
      const last = decisions.at(-1);
      expect(last).toMatchObject({ ok: false, reason: 'minute' });
      // The less, the longer these decisions took.
      const wait = last?.ok === false ? last.retryAfterSeconds : 0;
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(60);
    } finally {
      Date.now = real;
    }
    limits.close();
  });

  it('survive a script cache that is emptied again and again', async () => {
    const limits = await openLimits(redis.url);
    const counters = limits.openCounters({
      readUse: createTestLedger().readUse,
      processes: () => ({ count: 1, place: 0 }),
      wall: noonClock,
    });
    const id = randomUUID();
    let isOver = false;
    const flushing = (async () => {
      while (!isOver) await redis.ask('SCRIPT FLUSH');
    })();
    const decisions: LimitDecision[] = [];
    for (let index = 0; index < 20; index += 1) {
      decisions.push(...(await Promise.all(Array.from({ length: 20 }, async () => counters.decide(id, 'growth')))));
    }
    isOver = true;
    await flushing;
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(300);
    expect(counters.aloneDecisions()).toBe(0);
    limits.close();
  });

  it('never go back to an earlier day when the clock of Redis is set back', async () => {
    const twin = await openScriptAndTwin(redis);
    const midnight = Math.ceil(START_MS / DAY_MS) * DAY_MS;
    const at = async (ms: number) => readReply(await twin.decideAt(ms, 'starter'));
    expect(await at(midnight - 1)).toMatchObject({ status: 'admitted', day: midnight / DAY_MS - 1, usedOfDay: 1 });
    expect(await at(midnight)).toMatchObject({ status: 'admitted', day: midnight / DAY_MS, usedOfDay: 1 });
    expect(await at(midnight - 2_000)).toMatchObject({ status: 'admitted', day: midnight / DAY_MS, usedOfDay: 2 });
    // A day that is far ahead was a mistake: the ledger says what is used of the right one.
    expect(await at(midnight - 26 * 3_600_000)).toMatchObject({ status: 'unknown' });
    twin.close();
  });

  it('free the minute after a clock was set back far, and never early', async () => {
    const twin = await openScriptAndTwin(redis);
    const at = async (ms: number) => readReply(await twin.decideAt(ms, 'starter')).status;
    for (let index = 0; index < 60; index += 1) expect(await at(START_MS + index)).toBe('admitted');
    const setBack = START_MS - 600_000;
    expect(await at(setBack)).toBe('refused');
    expect(await at(setBack + 59_900)).toBe('refused');
    expect(await at(setBack + 60_000)).toBe('admitted');
    twin.close();
  });
});

type Step = { kind: 'decide' | 'refund' | 'peek'; waitUs: number; tier: TierName };

const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'decide' as const,
    'decide' as const,
    'decide' as const,
    'decide' as const,
    'refund' as const,
    'peek' as const,
  ),
  waitUs: fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 3_000_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(59_999_999, 60_000_000, 60_000_001, 86_400_000_000 - 1) },
  ),
  tier: fc.constantFrom('starter' as const, 'starter' as const, ...TIER_NAMES),
});

/** The script with a clock that a test moves, and the limiter in process with the same. */
async function openScriptAndTwin(redis: TestRedis) {
  const id = randomUUID();
  const clock = `clock:${id}`;
  const client = await connectRedis(placeOf(redis.url), (lua) =>
    lua.replaceAll("redis.call('TIME')", `redis.call('HMGET', '${clock}', 's', 'u')`),
  );
  await until(() => {
    if (!client.isReady()) throw new Error('not connected yet');
  });
  let nowUs = START_MS * 1_000;
  const limiter = createLimiter({ monotonic: () => nowUs / 1_000, wall: () => Math.floor(nowUs / 1_000) });
  const keys = [`marquee:{${id}}:minute`, `marquee:{${id}}:day`];
  const setClock = (us: number) => redis.ask(`HSET ${clock} s ${Math.floor(us / 1e6)} u ${us % 1e6}`);
  const ask = (tier: TierName, isCounted: boolean, day: number) =>
    client.run('compare', keys, [
      1_000,
      0,
      TIERS[tier].perMinute,
      TIERS[tier].perDay,
      isCounted ? 1 : 0,
      day,
      0,
      '',
      day === 0 ? 0 : 1,
    ]);
  const admitted: { there: { at: number; day: number }; here: Extract<LimitDecision, { ok: true }>['admission'] }[] = [];
  let last: { at: number; day: number } | null = null;

  return {
    async inRedis({ kind, waitUs, tier }: Step) {
      nowUs += waitUs;
      await setClock(nowUs);
      if (kind === 'refund') {
        const given = admitted.at(-1);
        if (given) await client.run('refund', keys, [given.there.at % 2 ** 32, given.there.day, 1_000]);
      }
      const reply = readReply(await ask(tier, kind === 'decide', Math.floor(nowUs / 86_400_000_000)));
      last = kind === 'decide' && reply.status === 'admitted' ? { at: reply.now, day: reply.day } : null;
      return {
        ok: reply.status === 'admitted',
        used: [reply.usedOfDay, reply.usedOfMinute],
        frees: Math.ceil(reply.freesInUs / 1e6),
        wait: Math.max(Math.ceil(reply.minuteWaitUs / 1e6), Math.ceil(reply.dayWaitUs / 1e6)),
      };
    },
    inProcess({ kind, tier }: Step) {
      if (kind === 'refund') {
        const given = admitted.pop();
        if (given) limiter.refund('s', given.here);
      }
      const decision = kind === 'decide' ? (limiter.decide('s', tier) as LimitDecision) : null;
      if (decision?.ok && last) admitted.push({ there: last, here: decision.admission });
      const { day, minute } = limiter.peek('s', tier) as LimitDecision['allowance'];
      const isFull = minute.used >= minute.limit || day.used >= day.limit;
      // What is only looked at waits as a request would.
      const wait = decision
        ? decision.ok
          ? 0
          : decision.retryAfterSeconds
        : isFull
          ? waitOf(limiter.decide('s', tier) as LimitDecision)
          : 0;
      return { ok: decision ? decision.ok : !isFull, used: [day.used, minute.used], frees: minute.freesInSeconds, wait };
    },
    async decideAt(ms: number, tier: TierName) {
      await setClock(ms * 1_000);
      return client.run('compare', keys, [
        1_000,
        0,
        TIERS[tier].perMinute,
        TIERS[tier].perDay,
        1,
        Math.floor(START_MS / DAY_MS),
        0,
        '',
        last ? 0 : isFirst(),
      ]);
    },
    close: () => client.close(),
  };

  function isFirst(): number {
    last = { at: 0, day: 0 };
    return 1;
  }
}

const waitOf = (decision: LimitDecision): number => (decision.ok ? 0 : decision.retryAfterSeconds);

/** Calls of scripts since the start. */
async function callsOf(redis: TestRedis): Promise<number> {
  const stats = await redis.ask('INFO commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 21, 23, 58);
