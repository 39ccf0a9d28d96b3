// One engine is enough: what processes share is in Redis, and their signs of life are the same rows in both.
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { freePort } from '../support/network/free-port.ts';
import { HAS_REDIS, startRedis, type TestRedis } from '../support/rigs/redis.ts';
import { ask, keysIn, marquee, type RunningService, startService } from '../support/rigs/service.ts';
import { DEMO_NOW, DEMO_OFFSET } from '../support/runs/demo-clock.ts';
import { until } from '../support/runs/patience.ts';

const ATTEMPTS = 5;
type Answered = Pick<Response, 'status' | 'headers'>;

describe('two processes on one directory', () => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function prepare(env: Record<string, string> = {}) {
    const { folder, remove } = await copyDemoFolder(DEMO_NOW);
    closers.push(remove);
    const settings = { MARQUEE_DATA_DIR: folder, MARQUEE_NOW: DEMO_OFFSET, ...env };
    const start = async (more: Record<string, string> = {}): Promise<RunningService> => {
      const service = await startService(['serve', '--role', 'api'], { ...settings, ...more });
      closers.push(() => service.stop('SIGKILL'));
      return service;
    };
    return { folder, start, doctor: () => marquee(['doctor'], settings) };
  }

  it('say that each counts by itself without REDIS_URL', async () => {
    const { start, doctor } = await prepare();
    const first = await start();
    expect((await doctor()).stdout).toMatch(/limits +each process counts by itself; .*; 1 process answers requests now/);
    const second = await start();
    await until(() => expect(second.printed()).toContain('without REDIS_URL each process counts limits by itself'));
    // The one that was alone learns it by the next sign of life.
    await until(() => expect(first.printed()).toContain('without REDIS_URL each process counts limits by itself'));
    expect((await doctor()).stdout).toContain('2 processes answer requests now');
    await second.stop();
    await until(async () => expect((await doctor()).stdout).toContain('1 process answers requests now'));
  });

  describe.skipIf(!HAS_REDIS)('with REDIS_URL', () => {
    async function prepareShared(): Promise<{ redis: TestRedis } & Awaited<ReturnType<typeof prepare>>> {
      const redis = await startRedis();
      closers.push(redis.close);
      return { redis, ...(await prepare({ REDIS_URL: redis.url })) };
    }

    /** What two services answer to 80 requests of one key, and how many of these they decided without Redis. */
    async function askTwo(askAll: (services: RunningService[], key: string) => Promise<Answered[]>) {
      const { redis, folder, start, doctor } = await prepareShared();
      const ports = [String(await freePort()), String(await freePort())];
      const services: RunningService[] = [];
      for (const port of ports) services.push(await start({ MARQUEE_METRICS_PORT: port }));
      const { starter } = keysIn(folder);
      const answers = await askAll(services, starter);
      const metrics = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
      const alone = metrics.map((text) => Number(/^marquee_limits_alone_total (\d+)$/m.exec(text)?.[1] ?? Number.NaN));
      return { redis, doctor, services, starter, answers, alone: alone.reduce((sum, each) => sum + each, 0) };
    }

    /** A machine too busy for Redis to answer within 50 ms is another case, which has tests of its own. */
    async function askTwoInTime(askAll: Parameters<typeof askTwo>[0]): ReturnType<typeof askTwo> {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await askTwo(askAll);
        if (outcome.alone === 0 || attempt === ATTEMPTS) return outcome;
        for (const service of outcome.services) await service.stop();
      }
    }

    const countStatus = (answers: readonly Answered[], wanted: number) =>
      answers.filter(({ status }) => status === wanted).length;
    const printed = (services: readonly RunningService[]) => services.map((service) => service.printed()).join('');

    it('admit together what one key may have, and log nothing', async () => {
      const { redis, doctor, services, starter, answers, alone } = await askTwoInTime(async (both, key) => {
        const one: Answered[] = [];
        for (let index = 0; index < 40; index += 1) {
          for (const service of both) one.push(await ask(service, '/events?limit=1', key));
        }
        return one;
      });
      expect(alone).toBe(0);
      expect([countStatus(answers, 200), countStatus(answers, 429)]).toEqual([60, 20]);
      expect([...new Set(answers.map(({ headers }) => headers.get('x-ratelimit-limit')))]).toEqual(['1000']);
      expect(printed(services)).not.toMatch(/REDIS_URL|Redis/);
      // No key and no account stands there, only ids of subscriptions.
      expect(await redis.ask('KEYS *')).not.toContain(starter);
      const { stdout } = await doctor();
      expect(stdout).toMatch(
        /limits +shared by (Redis|Valkey) \d+\.\S+, answers in [\d.]+ ms, noeviction; 2 processes answer requests now/,
      );
      expect(stdout).not.toContain(redis.url);
    });

    it('tell when Redis is gone: in the log once, in the metrics and on /status, and serve on', async () => {
      const { redis, folder, start } = await prepareShared();
      const port = String(await freePort());
      const service = await start({ MARQUEE_METRICS_PORT: port, LOG_LEVEL: 'info' });
      const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const limitsPart = async () => {
        const { parts } = (await (await fetch(`${service.url}/status.json`)).json()) as {
          parts: { name: string; status: string }[];
        };
        return parts.find(({ name }) => name === 'limits')?.status;
      };
      const { growth } = keysIn(folder);
      expect((await ask(service, '/events?limit=1', growth)).status).toBe(200);
      expect(await metrics()).toContain('marquee_limits_shared 1');
      expect(await limitsPart()).toBe('ok');
      await redis.kill();
      for (let index = 0; index < 20; index += 1) expect((await ask(service, '/events?limit=1', growth)).status).toBe(200);
      await until(async () => expect(await limitsPart()).toBe('down'));
      expect(await metrics()).toMatch(/marquee_limits_shared 0[\s\S]*marquee_limits_alone_total [1-9]/);
      expect(service.printed().split('Redis does not answer').length - 1).toBe(1);
      await redis.start();
      await until(async () => expect(await limitsPart()).toBe('ok'));
      const { headers } = await ask(service, '/events?limit=1', growth);
      expect(headers.get('x-ratelimit-remaining')).toBe(String(10_000 - 22));
      await until(() => expect(service.printed()).toContain('Redis answers again'));
    });
  });
});

describe('a REDIS_URL that is wrong', () => {
  it('stops the start with one sentence, without its password', async () => {
    const { status, stderr } = await marquee(['doctor'], { REDIS_URL: `redis://me:${randomUUID()}@one,two` });
    expect(status).not.toBe(0);
    expect(stderr.trim()).toBe('REDIS_URL names several servers; use redis+sentinel:// or redis+cluster://');
  });
});
