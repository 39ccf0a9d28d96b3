/**
 * What `deploy/compose` starts, with local processes in place of containers: two API processes, a worker, PostgreSQL, Redis and Caddy.
 * It is set up as an operator would, restarted process by process under load, and loses each of its parts once.
 */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAccounts, TIERS } from '../../src/accounts/index.ts';
import { SETTINGS } from '../../src/config.ts';
import { connectStore } from '../../src/store/index.ts';
import { freePort } from '../support/network/free-port.ts';
import { eventually } from '../support/processes/child-process.ts';
import { marquee } from '../support/rigs/service.ts';
import type { Context, Service } from './context.ts';
import { type Experiment, openVerdict, POSTGRES } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';
import { createBalancer, createRedis, type Part } from './topology-parts.ts';

interface Topology {
  databaseUrl: string;
  /** Settings that all our processes share. */
  env: Record<string, string>;
  apis: Service[];
  worker: Service;
  redis: Part;
  /** Without retries: what it answers is what the processes did. */
  strict: Part;
  /** As deployed. */
  balancer: Part;
}

export const topology: Experiment = {
  name: 'topology',
  engines: POSTGRES,
  shortEngines: POSTGRES,
  async run(context) {
    const verdict = openVerdict();
    const parts = await startAll(context);
    await setUp(parts);
    const limits = await spendMinute(parts);
    verdict.require(limits.holds, limits.told);
    const keys = await makeKeys(parts.databaseUrl, context.short ? 10 : 60);
    const restarts = await restartAll(context, parts, keys);
    verdict.require(restarts.failed === 0, `${restarts.failed} requests failed during restarts: ${restarts.told}`);
    verdict.require(
      restarts.codes.every((code) => code === 0),
      `restarted processes ended with ${restarts.codes.join()}`,
    );
    const losses: string[] = [];
    for (const loss of lossesOf(context, parts)) {
      const { statuses, broken } = await lose(context, parts, keys, loss);
      losses.push(`${loss.part} ${statuses}`);
      verdict.require(broken === null, `after kill -9 of ${loss.part}: ${broken}`);
    }
    const fresh = await makeKeys(parts.databaseUrl, 1, 'after');
    await eventually(async () => (await ask(parts.balancer, fresh[0] ?? '')) === 200).catch((error: Error) =>
      verdict.require(false, `a new key is unknown after all losses: ${error.message}`),
    );
    return {
      figures: `${limits.told}; ${restarts.rounds} rolling restarts at ${restarts.rate}/s: ${restarts.told}, p99 ${restarts.p99.toFixed(1)} ms; kill -9 of each part: ${losses.join('; ')}`,
      failures: verdict.failures,
    };
  },
};

async function startAll(context: Context): Promise<Topology> {
  const { cluster, folder } = context;
  if (!cluster) throw new Error('this experiment needs PostgreSQL');
  const databaseUrl = await cluster.createDatabase();
  const redis = createRedis(await freePort(), join(folder, 'redis'));
  const ports = [await freePort(), await freePort()];
  const balancer = createBalancer(await freePort(), join(folder, 'caddy'), { upstreams: ports, retries: true });
  const strict = createBalancer(await freePort(), join(folder, 'strict'), { upstreams: ports, retries: false });
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    MARQUEE_PUBLIC_URL: `http://127.0.0.1:${balancer.port}`,
    MARQUEE_TRUST_PROXY: '127.0.0.1',
  };
  for (const part of [redis, strict, balancer]) {
    context.onClose(part.kill);
    await part.start();
  }
  const apis: Service[] = [];
  for (const apiPort of ports) apis.push(await startApi(context, env, apiPort));
  const worker = await context.start({ words: ['serve', '--role', 'worker'], env });
  return { databaseUrl, env, apis, worker, redis, strict, balancer };
}

const startApi = (context: Context, env: Record<string, string>, port: number): Promise<Service> =>
  context.start({ words: ['serve', '--role', 'api'], env: { ...env, PORT: `${port}` } });

/** A city and a key by the command line, visible through the balancer. */
async function setUp({ env, balancer }: Topology): Promise<void> {
  const type = async (...words: string[]) => {
    const { status, stdout, stderr } = await marquee(words, env);
    if (status !== 0) throw new Error(`marquee ${words[0]} ${words[1]}: ${stderr}`);
    return stdout.trim();
  };
  await type('demo', 'load');
  await type('account', 'create', '--email', 'topology@marquee.example', '--tier', 'starter');
  const key = await type('key', 'create', '--account', 'topology@marquee.example');
  const isThere = async () => {
    const answer = await fetch(`http://127.0.0.1:${balancer.port}/api/v1/events?limit=1`, { headers: { 'x-api-key': key } });
    const body = (await answer.json()) as { meta?: { total: number } };
    return (body.meta?.total ?? 0) > 0;
  };
  await eventually(isThere);
}

/** Far more than a minute's requests at once, through the balancer: with shared counters exactly the limit is admitted. */
async function spendMinute({ databaseUrl, balancer }: Topology): Promise<{ holds: boolean; told: string }> {
  const isShared = !SETTINGS.some((setting) => setting.name === 'REDIS_URL' && 'unused' in setting);
  const [key = ''] = await makeKeys(databaseUrl, 1, 'minute', 'growth');
  await eventually(async () => (await ask(balancer, key)) === 200);
  const statuses = await Promise.all(Array.from({ length: GROWTH_PER_MINUTE * 3 }, () => ask(balancer, key)));
  const admitted = statuses.filter((status) => status === 200).length + 1;
  const isSpread = statuses.every((status) => status === 200 || status === 429);
  const told = `${admitted} of ${GROWTH_PER_MINUTE} a minute admitted over both API processes${isShared ? '' : ', which count by themselves'}`;
  return { holds: isSpread && (isShared ? admitted === GROWTH_PER_MINUTE : admitted >= GROWTH_PER_MINUTE), told };
}

async function makeKeys(databaseUrl: string, count: number, name = 'load', tier: 'growth' | 'enterprise' = 'enterprise') {
  const connection = connectStore({ kind: 'postgres', databaseUrl });
  try {
    const accounts = createAccounts({ db: connection.db });
    const email = `topology-${name}@marquee.example`;
    const account = await accounts.createAccount({ email, tier });
    if (!account.ok) throw new Error(account.detail);
    const keys: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const made = await accounts.createKey({ email, name: `${name} ${index}` });
      if (!made.ok) throw new Error(made.detail);
      keys.push(made.key);
    }
    return keys;
  } finally {
    await connection.close();
  }
}

/** SIGTERM to one API process after the other, as `docs/upgrading.md` says, under load that no retry hides. */
async function restartAll(context: Context, parts: Topology, keys: readonly string[]) {
  const rounds = context.short ? 1 : 100;
  const rate = context.short ? 100 : 500;
  const client = await startGoodClient({ url: `http://127.0.0.1:${parts.strict.port}`, key: keys, rate });
  const codes: (number | null)[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, api] of parts.apis.entries()) {
      codes.push(await api.stop('SIGTERM'));
      parts.apis[index] = await startApi(context, parts.env, api.port);
      // The balancer must have seen this one before it loses the next.
      await pause(2 * BALANCER_CHECKS_MS);
    }
  }
  const report = await client.stop();
  const failed = report.asked - (report.statuses[200] ?? 0);
  return { rounds, rate, codes, failed, told: formatStatuses(report.statuses), p99: goodputOf(report).p99 };
}

interface Loss {
  part: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Beside 200; 0 is no answer. */
  allowed: readonly number[];
}

function lossesOf(context: Context, parts: Topology): Loss[] {
  const { cluster } = context;
  if (!cluster) throw new Error('this experiment needs PostgreSQL');
  const api = (index: number): Loss => ({
    part: `API process ${index + 1}`,
    kill: async () => parts.apis[index]?.kill(),
    async restart() {
      parts.apis[index] = await startApi(context, parts.env, parts.apis[index]?.port ?? 0);
    },
    // Requests that it was answering when it died.
    allowed: [502],
  });
  return [
    api(0),
    ...(context.short ? [] : [api(1)]),
    {
      part: 'worker',
      kill: async () => parts.worker.kill(),
      async restart() {
        parts.worker = await context.start({ words: ['serve', '--role', 'worker'], env: parts.env });
      },
      allowed: [],
    },
    // Known keys are answered from memory.
    { part: 'PostgreSQL', kill: () => cluster.kill(), restart: () => cluster.start(), allowed: [] },
    { part: 'Redis', kill: parts.redis.kill, restart: parts.redis.start, allowed: [] },
    { part: 'Caddy', kill: parts.balancer.kill, restart: parts.balancer.start, allowed: [0] },
  ];
}

/** Under load: kills the part, starts it again, and waits until all is answered. */
async function lose(context: Context, { balancer }: Topology, keys: readonly string[], { kill, restart, allowed }: Loss) {
  const client = await startGoodClient({ url: `http://127.0.0.1:${balancer.port}`, key: keys, rate: LOSS_RATE });
  await pause(SETTLE_MS);
  await kill();
  await pause(context.short ? SETTLE_MS : AWAY_MS);
  await restart();
  const back = eventually(async () => (await ask(balancer, keys[0] ?? '')) === 200);
  const broken = await back.then(
    () => null,
    (error: Error) => `no answer any more: ${error.message}`,
  );
  const { statuses } = await client.stop();
  const others = Object.keys(statuses).filter((status) => status !== '200' && !allowed.includes(Number(status)));
  const told = formatStatuses(statuses);
  return { statuses: told, broken: broken ?? (others.length === 0 ? null : told) };
}

async function ask({ port }: Part, key: string): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/events?limit=1`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

const GROWTH_PER_MINUTE = TIERS.growth.perMinute;
/** `health_interval` of the deployed Caddyfile. */
const BALANCER_CHECKS_MS = 1_000;
const LOSS_RATE = 50;
const SETTLE_MS = 700;
/** How long a part is away in the long form. */
const AWAY_MS = 5_000;
