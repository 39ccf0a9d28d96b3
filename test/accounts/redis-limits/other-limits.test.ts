// One engine is enough: nothing here needs a database.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAttempts, createRedisAttempts, createUnknownKeyLimiter } from '../../../src/accounts/index.ts';
import { HAS_REDIS, openLimits, startRedis, type TestRedis } from '../../support/rigs/redis.ts';
import { until } from '../../support/runs/patience.ts';

const monotonic = () => performance.now();

describe.skipIf(!HAS_REDIS)('through Redis, processes share', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());

  it('the count of failed keys of a network; what is no key at all asks nobody', async () => {
    const limits = [await openLimits(redis.url), await openLimits(redis.url)];
    const limiters = limits.map((each) => each.shareUnknownKeys(createUnknownKeyLimiter(monotonic)));
    const waits: number[] = [];
    for (let index = 0; index < 700; index += 1) waits.push((await limiters[index % 2]?.failed('198.51.100.7')) ?? -1);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(600);
    expect(waits.at(-1)).toBeGreaterThan(0);
    expect(waits.at(-1)).toBeLessThanOrEqual(60);
    expect(await limiters[0]?.failed('198.51.100.8')).toBe(0);
    const keys = Number((await redis.ask('DBSIZE')).slice(1));
    for (let index = 0; index < 50; index += 1) expect(limiters[0]?.malformed(`203.0.113.${index}`)).toBe(0);
    expect(Number((await redis.ask('DBSIZE')).slice(1))).toBe(keys);
    for (const each of limits) each.close();
  });

  it('what people try when they sign in, and give it back together', async () => {
    const limits = [await openLimits(redis.url), await openLimits(redis.url)];
    const attempts = limits.map(({ link }) => createRedisAttempts(link, createAttempts(monotonic)));
    const mailbox = `${randomUUID()}@example.org`;
    const waits: number[] = [];
    for (let index = 0; index < 6; index += 1) waits.push((await attempts[index % 2]?.take('emails', mailbox)) ?? -1);
    expect(waits.slice(0, 4)).toEqual([0, 0, 0, 0]);
    for (const wait of waits.slice(4)) {
      expect(wait).toBeGreaterThan(14 * 60);
      expect(wait).toBeLessThanOrEqual(15 * 60);
    }
    await attempts[0]?.giveBack('emails', mailbox);
    expect(await attempts[1]?.take('emails', mailbox)).toBe(0);
    // Neither addresses nor mailboxes are readable there.
    expect(await redis.ask('KEYS *')).not.toMatch(/example|198\.51/);
    for (const each of limits) each.close();
  });

  it('neither while Redis is gone: each process counts by itself, with what it knows', async () => {
    const own = await startRedis();
    const limits = await openLimits(own.url);
    const limiter = limits.shareUnknownKeys(createUnknownKeyLimiter(monotonic));
    const attempts = createRedisAttempts(limits.link, createAttempts(monotonic));
    for (let index = 0; index < 500; index += 1) await limiter.failed('198.51.100.9');
    for (let index = 0; index < 3; index += 1) await attempts.take('emails', 'a@example.org');
    await own.kill();
    await until(() => expect(limits.figures().isShared).toBe(false));
    const waits: number[] = [];
    for (let index = 0; index < 200; index += 1) waits.push(await limiter.failed('198.51.100.9'));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(100);
    expect([await attempts.take('emails', 'a@example.org'), await attempts.take('emails', 'a@example.org')]).toEqual([
      0,
      expect.any(Number),
    ]);
    limits.close();
    await own.close();
  });
});
