/** Real load beyond the limits of eight processes with Redis, and a checker over the times of its answers. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TIERS, type TierName } from '../../../src/accounts/index.ts';
import { freePort } from '../../support/network/free-port.ts';
import type { Context, Service } from '../context.ts';
import { type Experiment, openVerdict, POSTGRES } from '../experiment.ts';
import { formatStatuses } from '../good-client.ts';
import { createRedis } from '../topology-parts.ts';
import { checkMinute } from './check-minute.ts';
import { type HostileKey, type HostileReport, type Manner, startHostileLoad } from './hostile-load.ts';

export const sharedLimits: Experiment = {
  name: 'shared limits',
  engines: POSTGRES,
  // Too long for the short form. `test/accounts/redis-limits` proves the same of the parts.
  shortEngines: [],
  async run(context) {
    const verdict = openVerdict();
    const services = await startProcesses(context);
    const keys = await makeHostileKeys(context);
    const seconds = context.short ? 8 : 300;
    const load = await startHostileLoad({ urls: services.map(({ url }) => url), keys });
    await pause(seconds * 1_000);
    const report = await load.stop();
    const { over, under, admitted, refused, refusedAtPace } = judge(report, keys);
    const alone = await aloneDecisions(services);
    const others = formatStatuses(report.others);
    verdict.require(over === 0, `${over} requests were admitted beyond the limit (${alone} decisions without Redis)`);
    verdict.require(under === 0, `${under} requests were refused although there was room (${alone} decisions without Redis)`);
    verdict.require(refused > 0, 'nothing was refused, so nothing was shown');
    verdict.require(Object.keys(report.others).length === 0, `other answers: ${others}`);
    return {
      figures: `${PROCESSES} processes with Redis, ${seconds} s: ${admitted} admitted and ${refused} refused of ${keys.length} keys, ${over} over, ${under} under, ${refusedAtPace} refused at the pace of the limit; ${alone} decisions without Redis; other answers: ${others}`,
      failures: verdict.failures,
    };
  },
};

/** A service, and where its metrics are. */
type Measured = Service & { metricsUrl: string };

async function startProcesses(context: Context): Promise<Measured[]> {
  const redis = createRedis(await freePort(), join(context.folder, 'redis'));
  context.onClose(redis.kill);
  await redis.start();
  const services: Measured[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const port = String(await freePort());
    const env = { REDIS_URL: `redis://127.0.0.1:${redis.port}`, MARQUEE_METRICS_PORT: port };
    const service = await context.start({ words: ['serve', '--role', 'api'], env });
    services.push({ ...service, metricsUrl: `http://127.0.0.1:${port}/metrics` });
  }
  return services;
}

async function makeHostileKeys(context: Context): Promise<HostileKey[]> {
  const keys: HostileKey[] = [];
  for (const [tier, count] of Object.entries(KEYS) as [TierName, number][]) {
    const made = await context.makeKeys(count, tier);
    for (const [index, { key }] of made.entries())
      keys.push({ key, perMinute: TIERS[tier].perMinute, manner: MANNERS[index % MANNERS.length] ?? 'flood' });
  }
  return keys;
}

function judge({ decisions }: HostileReport, keys: readonly HostileKey[]) {
  const sums = { over: 0, under: 0, admitted: 0, refused: 0, refusedAtPace: 0 };
  for (const [index, { perMinute, manner }] of keys.entries()) {
    const own = decisions[index] ?? [];
    const { over, under } = checkMinute(own, perMinute);
    const refused = own.filter(({ isAdmitted }) => !isAdmitted).length;
    sums.over += over;
    sums.under += under;
    sums.refused += refused;
    sums.admitted += own.length - refused;
    if (manner === 'pace') sums.refusedAtPace += refused;
  }
  return sums;
}

/** What was decided while Redis did not answer in time, by all processes. */
async function aloneDecisions(services: readonly Measured[]): Promise<number> {
  let sum = 0;
  for (const { metricsUrl } of services) {
    const text = await (await fetch(metricsUrl)).text();
    sum += Number(/^marquee_limits_alone_total (\d+)$/m.exec(text)?.[1] ?? 0);
  }
  return sum;
}

const PROCESSES = 8;
const KEYS: Record<TierName, number> = { starter: 12, growth: 6, enterprise: 3 };
const MANNERS: readonly Manner[] = ['flood', 'bursts', 'pace'];
