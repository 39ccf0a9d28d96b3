// One engine is enough: nothing here needs a database.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LimitDecision, RedisLimits } from '../../../src/accounts/index.ts';
import { openTcpProxy, type TcpProxy } from '../../support/network/tcp-proxy.ts';
import { createTestLedger, HAS_REDIS, noonClock, openLimits, startRedis, type TestRedis } from '../../support/rigs/redis.ts';
import { until } from '../../support/runs/patience.ts';

/** Two processes, each with a connection of its own that can fail. */
interface Rig {
  redis: TestRedis;
  proxies: TcpProxy[];
  limits: RedisLimits[];
  counters: ReturnType<RedisLimits['openCounters']>[];
  ledger: ReturnType<typeof createTestLedger>;
  log: string[];
  subscription: string;
  /** Asks process after process; gives how many were admitted. */
  ask(times: number): Promise<number>;
  allAlone(): Promise<void>;
  allShared(): Promise<void>;
}

interface Trouble {
  name: string;
  reason: string;
  begin(rig: Rig): unknown;
  end(rig: Rig): unknown;
}

const eachProxy = (work: (proxy: TcpProxy) => unknown) => async (rig: Rig) => {
  for (const proxy of rig.proxies) await work(proxy);
};

const TROUBLES: Trouble[] = [
  {
    name: 'answers late',
    reason: 'deadline',
    begin: eachProxy((proxy) => proxy.delay(LATE_MS)),
    end: eachProxy((proxy) => proxy.delay(0)),
  },
  {
    name: 'is gone',
    reason: 'unreachable',
    begin: eachProxy((proxy) => proxy.cut()),
    end: eachProxy((proxy) => proxy.restore()),
  },
  {
    name: 'is open at both ends and silent',
    reason: 'deadline',
    begin: eachProxy((proxy) => {
      proxy.silence();
      proxy.silenceNew();
    }),
    end: eachProxy((proxy) => proxy.restore()),
  },
  { name: 'hangs', reason: 'deadline', begin: ({ redis }) => redis.freeze(), end: ({ redis }) => redis.thaw() },
  {
    name: 'has become a replica',
    reason: 'readonly',
    begin: ({ redis }) => redis.ask('REPLICAOF 127.0.0.1 1'),
    end: ({ redis }) => redis.ask('REPLICAOF NO ONE'),
  },
  {
    name: 'is out of memory',
    reason: 'oom',
    begin: ({ redis }) => redis.ask('CONFIG SET maxmemory 1'),
    end: ({ redis }) => redis.ask('CONFIG SET maxmemory 0'),
  },
  {
    name: 'is killed and starts empty',
    reason: 'unreachable',
    begin: ({ redis }) => redis.kill(),
    end: ({ redis }) => redis.start(),
  },
];

describe.skipIf(!HAS_REDIS)('when Redis', () => {
  it.each(TROUBLES)(
    '$name, each process goes on with its share, and all is counted when it is back',
    async ({ reason, begin, end }) => {
      const rig = await openRig(reason === 'deadline' ? { deadlineMs: SHORT_MS } : {});
      expect(await rig.ask(20)).toBe(20);
      await begin(rig);
      const alone = await rig.ask(200);
      await rig.allAlone();
      // Half of what was left, each: never unlimited, never closed.
      expect(alone).toBe(40);
      expect(rig.log.filter((line) => line.includes(`"reason":"${reason}"`))).not.toHaveLength(0);
      expect(rig.limits.flatMap(({ figures }) => [...figures().failures.keys()])).toContain(reason);
      await end(rig);
      await rig.allShared();
      expect(await rig.ask(10)).toBe(0);
      for (const counters of rig.counters) {
        const { day, minute } = await counters.peek(rig.subscription, 'starter');
        expect(day.used).toBe(60);
        // At most one more for each answer that came too late or never.
        expect(minute.used).toBeGreaterThanOrEqual(60);
        expect(minute.used).toBeLessThanOrEqual(62);
      }
      expect(rig.log.filter((line) => line.includes('answers again'))).toHaveLength(2);
    },
  );

  it('has lost all, no day starts over', async () => {
    const rig = await openRig();
    // Of earlier in the day.
    rig.ledger.count(rig.subscription, 970);
    expect(await rig.ask(20)).toBe(20);
    await rig.redis.kill();
    await rig.redis.start();
    await rig.allShared();
    expect(await rig.ask(50)).toBe(10);
    expect(await rig.counters[0]?.peek(rig.subscription, 'starter')).toMatchObject({ day: { used: 1_000, remaining: 0 } });
  });

  it('forgets without a word, the day is read from the ledger', async () => {
    const rig = await openRig();
    expect(await rig.ask(20)).toBe(20);
    await rig.redis.ask('FLUSHALL');
    expect(await rig.ask(10)).toBe(10);
    await until(async () => {
      for (const counters of rig.counters) {
        expect(await counters.peek(rig.subscription, 'starter')).toMatchObject({ day: { used: 30 }, minute: { used: 30 } });
      }
    });
  });

  it('loads its data, a process that starts has its share', async () => {
    const fake = await openLoadingServer();
    const limits = await openLimits(`redis://127.0.0.1:${fake.port}`, { deadlineMs: 100, isAwaited: false });
    const { readUse } = createTestLedger();
    const counters = limits.openCounters({ readUse, processes: () => ({ count: 4, place: 0 }), wall: noonClock });
    const decisions: LimitDecision[] = [];
    for (let index = 0; index < 100; index += 1) decisions.push(await counters.decide(randomUUID().slice(0, 0), 'starter'));
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(15);
    expect(decisions.at(-1)).toMatchObject({ ok: false, reason: 'minute' });
    limits.close();
    fake.close();
  });

  it('answers after the deadline, a request is counted once', async () => {
    const rig = await openRig({ deadlineMs: SHORT_MS });
    expect(await rig.ask(2)).toBe(2);
    // The question arrives, its answer is later than is waited for.
    for (const proxy of rig.proxies) proxy.delay(LATE_MS);
    expect(await rig.ask(2)).toBe(2);
    for (const proxy of rig.proxies) proxy.delay(0);
    await rig.allShared();
    await until(async () => {
      for (const counters of rig.counters) {
        expect(await counters.peek(rig.subscription, 'starter')).toMatchObject({ day: { used: 4 } });
      }
    });
    // The minute may have one more for each answer that was lost, and never one less.
    const { minute } = (await rig.counters[0]?.peek(rig.subscription, 'starter')) ?? {};
    expect(minute?.used).toBeGreaterThanOrEqual(4);
    expect(minute?.used).toBeLessThanOrEqual(6);
  });

  it('answers a burst late, it is waited for, and every decision is right', async () => {
    const rig = await openRig({ deadlineMs: SHORT_MS });
    expect(await rig.ask(20)).toBe(20);
    for (const proxy of rig.proxies) proxy.delay(2 * SHORT_MS);
    const decisions = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => rig.counters[n % 2]?.decide(rig.subscription, 'starter')),
    );
    expect(decisions.filter((decision) => decision?.ok)).toHaveLength(40);
    expect(rig.counters.map((counters) => counters.aloneDecisions())).toEqual([0, 0]);
    expect(rig.log.join('')).not.toContain('Redis does not answer');
    // Late again so soon, it is slow.
    for (const counters of rig.counters) await counters.decide(randomUUID(), 'starter');
    await rig.allAlone();
  });

  it('is asked by a process that then stands still, limits stay shared', async () => {
    const rig = await openRig({ deadlineMs: SHORT_MS });
    expect(await rig.ask(2)).toBe(2);
    const asked = rig.counters.map((counters) => counters.decide(rig.subscription, 'starter'));
    // Longer than the deadline of this rig.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SHORT_MS);
    expect((await Promise.all(asked)).map(({ ok }) => ok)).toEqual([true, true]);
    expect(rig.counters.map((counters) => counters.aloneDecisions())).toEqual([0, 0]);
    expect(rig.log.join('')).not.toContain('Redis does not answer');
  });

  it('fails over to a replica, what the old primary had not passed on is brought by those who know it', async () => {
    const rig = await openRig();
    const replica = await startRedis();
    await replica.ask(`REPLICAOF 127.0.0.1 ${rig.redis.port}`);
    expect(await rig.ask(10)).toBe(10);
    await until(async () => {
      if (!(await replica.ask(`EXISTS marquee:{${rig.subscription}}:day`)).startsWith(':1')) throw new Error('not there yet');
    });
    // From now on nothing is passed on.
    await replica.ask('REPLICAOF NO ONE');
    expect(await rig.ask(20)).toBe(20);
    for (const proxy of rig.proxies) {
      await proxy.cut();
      proxy.retarget({ host: '127.0.0.1', port: replica.port });
    }
    const meanwhile = await rig.ask(4);
    for (const proxy of rig.proxies) await proxy.restore();
    await rig.allAlone();
    await rig.allShared();
    expect(await rig.ask(100)).toBe(60 - 30 - meanwhile);
    expect(await rig.counters[0]?.peek(rig.subscription, 'starter')).toMatchObject({ day: { used: 60 } });
    await replica.close();
  });
});

/** Unless a test is about it, no deadline passes: a busy machine must not end the sharing. */
async function openRig({ deadlineMs }: { deadlineMs?: number } = {}): Promise<Rig> {
  const redis = await startRedis();
  const ledger = createTestLedger();
  const log: string[] = [];
  const proxies = [
    await openTcpProxy({ host: '127.0.0.1', port: redis.port }),
    await openTcpProxy({ host: '127.0.0.1', port: redis.port }),
  ];
  const limits = await Promise.all(
    proxies.map((proxy) => openLimits(proxy.through(redis.url), { log, ...(deadlineMs !== undefined && { deadlineMs }) })),
  );
  onTestFinished(async () => {
    for (const each of limits) each.close();
    for (const proxy of proxies) await proxy.close();
    await redis.close();
  });
  const counters = limits.map((each, place) =>
    each.openCounters({ readUse: ledger.readUse, processes: () => ({ count: 2, place }), wall: noonClock }),
  );
  const subscription = randomUUID();
  return {
    ...{ redis, proxies, limits, counters, ledger, log, subscription },
    async ask(times) {
      let admitted = 0;
      for (let index = 0; index < times; index += 1) {
        const decision = await counters[index % 2]?.decide(subscription, 'starter');
        if (!decision?.ok) continue;
        admitted += 1;
        ledger.count(subscription);
      }
      return admitted;
    },
    allAlone: () => until(() => expect(limits.map(({ figures }) => figures().aloneDecisions > 0)).toEqual([true, true])),
    allShared: () => until(() => expect(limits.map(({ figures }) => figures().isShared)).toEqual([true, true])),
  };
}

/** Says of everything that it is still loading. */
async function openLoadingServer() {
  const server = createServer((socket) => {
    socket.on('data', () => socket.write('-LOADING Redis is loading the dataset in memory\r\n'));
    socket.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

const SHORT_MS = 1_500;
/** Later than is waited for, also the longer wait of one burst. */
const LATE_MS = 5 * SHORT_MS;
