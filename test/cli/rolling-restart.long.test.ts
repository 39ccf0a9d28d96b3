import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openStore } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { startService } from '../support/rigs/service.ts';

interface Target {
  url: string;
}

it('under 500 requests a second a service that is told to end drops none: they move to another first', async () => {
  const { folder, remove } = await copyDemoFolder();
  const keys = await makeKeys(folder, KEYS);
  const first = await startService(['serve', '--role', 'api'], {
    MARQUEE_DATA_DIR: folder,
    MARQUEE_METRICS_PORT: 'off',
  });
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
});

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

/**
 * `RATE` requests a second over kept-alive connections, or as many as a busy machine answers, until its end, which gives what was not
 * answered with 200.
 */
function startLoad(pick: () => Target, keys: readonly string[]) {
  const agent = new Agent({ keepAlive: true });
  const answered = new Map<Target, number>();
  const dropped: string[] = [];
  let isOver = false;
  const askOnAndOn = async (client: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const service = pick();
      const begun = performance.now();
      try {
        const key = keys[(client + turn) % keys.length]!;
        const { status } = await ask(`${service.url}/api/v1/events?limit=1`, { agent, headers: { 'x-api-key': key } });
        if (status !== 200) dropped.push(`status ${status}`);
        answered.set(service, (answered.get(service) ?? 0) + 1);
      } catch (error) {
        dropped.push((error as Error).message);
      }
      await delay(Math.max(0, (CLIENTS / RATE) * 1000 - (performance.now() - begun)));
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, client) => askOnAndOn(client));
  return {
    answered,
    async end() {
      isOver = true;
      await Promise.all(clients);
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
const CLIENTS = 50;
/** Each may ask a thousand times a minute: enough for minutes. */
const KEYS = 40;
const PROBE_MS = 500;
