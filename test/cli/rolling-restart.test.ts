import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openStore } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/demo-folder.ts';
import { startService } from '../support/service.ts';

interface Target {
  url: string;
}

it('under 500 requests a second a service that is told to end drops none: they move to another first (S15)', async () => {
  const { folder, remove } = await copyDemoFolder();
  const keys = await makeKeys(folder, KEYS);
  const first = await startService(['serve', '--role', 'api'], { MARQUEE_DATA_DIR: folder, MARQUEE_METRICS_PORT: 'off' });
  const second = await startStandIn();
  const balancer = startBalancer([first, second]);
  try {
    const load = startLoad(balancer.pick, keys);
    await expect.poll(() => load.answered.get(first)).toBeGreaterThan(RATE);
    const told = performance.now();
    expect(await first.stop('SIGTERM')).toBe(0);
    expect(performance.now() - told).toBeGreaterThan(5_000);
    await expect.poll(() => load.answered.get(second)).toBeGreaterThan(RATE);
    expect(await load.end()).toEqual([]);
  } finally {
    balancer.end();
    await first.stop();
    second.stop();
    remove();
  }
}, 120_000);

/** What the requests move to: it takes them all. */
async function startStandIn(): Promise<Target & { stop(): void }> {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => void server.close().closeAllConnections(),
  };
}

/** As load balancers do, it asks every target whether it is ready, now and then, and goes by the last answer. */
function startBalancer(services: readonly Target[]) {
  const ready = new Set(services);
  const timer = setInterval(() => {
    for (const service of services) {
      const isReady = ask(`${service.url}/readyz`).then(({ status }) => status === 200);
      void isReady.catch(() => false).then((yes) => (yes ? ready.add(service) : ready.delete(service)));
    }
  }, PROBE_MS);
  return {
    pick: (): Target => services.find((service) => ready.has(service))!,
    end: () => clearInterval(timer),
  };
}

/** `RATE` requests a second over kept-alive connections, until its end, which gives what was not answered with 200. */
function startLoad(pick: () => Target, keys: readonly string[]) {
  const agent = new Agent({ keepAlive: true });
  const answered = new Map<Target, number>();
  const dropped: string[] = [];
  const asked: Promise<void>[] = [];
  const begun = performance.now();
  const timer = setInterval(() => {
    while (asked.length < ((performance.now() - begun) / 1000) * RATE) {
      const service = pick();
      const answer = ask(`${service.url}/api/v1/events?limit=1`, { agent, headers: { 'x-api-key': keys[asked.length % KEYS]! } });
      const counted = answer.then(({ status }) => {
        if (status !== 200) dropped.push(`status ${status}`);
        answered.set(service, (answered.get(service) ?? 0) + 1);
      });
      asked.push(counted.catch((error: Error) => void dropped.push(error.message)));
    }
  }, TICK_MS);
  return {
    answered,
    async end() {
      clearInterval(timer);
      await Promise.all(asked);
      agent.destroy();
      return dropped;
    },
  };
}

async function ask(url: string, options: { agent?: Agent; headers?: Record<string, string> } = {}): Promise<{ status: number }> {
  const request = get(url, options);
  const [answer] = await once(request, 'response');
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode };
}

async function makeKeys(dataDir: string, count: number): Promise<string[]> {
  const store = await openStore({ dataDir });
  try {
    const accounts = createAccounts({ db: store.db });
    const email = 'load@marquee.example';
    await accounts.createAccount({ email, tier: 'enterprise' });
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const created = await accounts.createKey({ email, name: `load ${index}` });
      if (!created.ok) throw new Error(created.detail);
      keys.push(created.key);
    }
    return keys;
  } finally {
    await store.close();
  }
}

/** A second. */
const RATE = 500;
/** Each may ask a thousand times a minute. */
const KEYS = 15;
const TICK_MS = 10;
const PROBE_MS = 500;
