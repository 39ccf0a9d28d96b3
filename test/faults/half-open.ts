/** The network to the database forgets the open connections: nothing passes and nobody is told. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from './context.ts';
import { type Experiment, openVerdict, POSTGRES } from './experiment.ts';
import { openProxy } from './proxy.ts';

export const halfOpenNetwork: Experiment = {
  name: 'half-open network',
  engines: POSTGRES,
  shortEngines: POSTGRES,
  async run(context) {
    const verdict = openVerdict();
    const server = new URL(context.databaseUrl ?? '');
    const proxy = await openProxy({ host: server.hostname, port: Number(server.port) });
    context.onClose(proxy.close);
    const throughProxy = Object.assign(new URL(server), { port: String(proxy.port) }).href;
    const service = await context.start({ env: { DATABASE_URL: throughProxy } });
    const rounds = context.short ? 1 : 10;
    const keys = await context.makeKeys(rounds);
    let slowest = 0;
    for (const { key, id } of keys) {
      const first = await statusOf(service.url, key);
      verdict.require(first === 200, `a good key was answered ${first}`);
      proxy.silence();
      await context.accounts().revokeKey(id);
      const seconds = await secondsUntilRevoked(service.url, key);
      slowest = Math.max(slowest, seconds);
    }
    verdict.require(slowest <= MAX_SECONDS, `a revocation was seen after ${slowest.toFixed(1)} s, wanted 5 s`);
    await requireNewKey(context, service.url, verdict);
    return {
      figures: `slowest revocation seen after ${slowest.toFixed(1)} s, in ${rounds} silences`,
      failures: verdict.failures,
    };
  },
};

async function secondsUntilRevoked(url: string, key: string): Promise<number> {
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  while ((await statusOf(url, key)) !== 401 && elapsed() < GIVE_UP_SECONDS) await pause(50);
  return elapsed();
}

async function requireNewKey(context: Context, url: string, verdict: ReturnType<typeof openVerdict>): Promise<void> {
  const [made] = await context.makeKeys(1, 'growth');
  const status = await statusOf(url, made?.key ?? '');
  verdict.require(status === 200, `a key made after the silence was answered ${status}`);
}

async function statusOf(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/api/v1/events?limit=1`, { headers: { 'x-api-key': key } });
  await answer.arrayBuffer();
  return answer.status;
}

const MAX_SECONDS = 5;
const GIVE_UP_SECONDS = 30;
