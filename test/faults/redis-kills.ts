/** Redis is killed again and again, and begins empty each time, while two API processes share limits through it. */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { TIERS } from '../../src/accounts/index.ts';
import { freePort } from '../support/network/free-port.ts';
import type { Context, Service } from './context.ts';
import { EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, type GoodClientReport, startGoodClient } from './good-client.ts';
import { createRedis, type Part } from './topology-parts.ts';

export const redisKills: Experiment = {
  name: 'Redis kills',
  engines: EMBEDDED,
  // Too long for the short form. `test/accounts/redis-limits` proves the same of the parts.
  shortEngines: [],
  async run(context) {
    const verdict = openVerdict();
    const redis = createRedis(await freePort(), join(context.folder, 'redis'));
    await redis.start();
    context.onClose(redis.kill);
    const processes = [await startProcess(context, redis), await startProcess(context, redis)];
    const [greedy] = await context.makeKeys(1, 'growth');
    const polite = await context.makeKeys(processes.length);
    const clients = await Promise.all(
      processes.flatMap(({ service: { url } }, index) => [
        startGoodClient({ url, key: greedy?.key ?? '', rate: GREEDY_RATE }),
        startGoodClient({ url, key: polite[index]?.key ?? '', rate: POLITE_RATE }),
      ]),
    );
    const begun = performance.now();
    const kills = await killOften(context.short ? SHORT_KILLS : LONG_KILLS, redis, processes);
    const seconds = (performance.now() - begun) / 1_000;
    const reports = await Promise.all(clients.map((client) => client.stop()));
    const greedyTimes = reports.flatMap(({ answeredAt }, index) => (index % 2 === 0 ? answeredAt : []));
    const greedyStatuses = sum(reports.filter((_, index) => index % 2 === 0));
    const politeStatuses = sum(reports.filter((_, index) => index % 2 === 1));
    const limit = TIERS.growth.perMinute;
    const perSecond = GREEDY_RATE * processes.length;
    const { most, fewest, from } = minutesOf(greedyTimes);
    const over = Math.max(0, most - limit);
    // A busy machine misses the deadline of Redis, too: each end of the sharing may cost a second.
    const ends = countEnds(processes, from);
    const mayBeOver = ends * perSecond;
    verdict.require(
      over <= mayBeOver,
      `${over} over in a minute in which sharing ended ${ends} times, wanted ${mayBeOver} at most`,
    );
    const wasRefused = Object.keys(politeStatuses).some((status) => status !== '200');
    verdict.require(!wasRefused, `a client within its limits got ${formatStatuses(politeStatuses)}`);
    const isOther = Object.keys(greedyStatuses).some((status) => status !== '200' && status !== '429');
    verdict.require(!isOther, `the greedy client got ${formatStatuses(greedyStatuses)}`);
    verdict.require((greedyStatuses[429] ?? 0) > 0, 'the greedy client met no limit');
    verdict.require(kills.alone > 0, 'no process ever decided without Redis');
    verdict.require(kills.shares, 'the processes do not share limits at the end');
    const windows = fewest === null ? '' : `, ${fewest} to ${most} in any minute`;
    return {
      figures: `${kills.count} kills in ${seconds.toFixed(0)} s; of a limit of ${limit} a minute asked for at ${perSecond * 60}, ${over} over${windows} (sharing ended ${ends} times in that minute), in ${kills.alone} decisions without Redis; within the limits ${formatStatuses(politeStatuses)}`,
      failures: verdict.failures,
    };
  },
};

interface Process {
  service: Service;
  /** Of `/metrics`. */
  figure(name: string): Promise<number>;
}

async function startProcess(context: Context, { port }: Part): Promise<Process> {
  const metricsPort = await freePort();
  const service = await context.start({
    words: ['serve', '--role', 'api'],
    env: { REDIS_URL: `redis://127.0.0.1:${port}`, MARQUEE_METRICS_PORT: String(metricsPort) },
  });
  return {
    service,
    async figure(name) {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    },
  };
}

async function killOften(count: number, redis: Part, processes: readonly Process[]) {
  const isShared = async () => (await Promise.all(processes.map(({ figure }) => figure('marquee_limits_shared')))).every(Boolean);
  const untilShared = async (): Promise<boolean> => {
    for (let look = 0; look < MAX_LOOKS; look += 1) {
      if (await isShared()) return true;
      await pause(LOOK_EVERY_MS);
    }
    return false;
  };
  let shares = await untilShared();
  for (let kill = 0; kill < count; kill += 1) {
    await pause(Math.random() * 1_000);
    await redis.kill();
    await pause(Math.random() * 1_000);
    await redis.start();
    // Now and then it is killed again while the processes come back to it.
    if (kill % 4 !== 3) shares = await untilShared();
  }
  shares = (await untilShared()) && shares;
  const alone = await Promise.all(processes.map(({ figure }) => figure('marquee_limits_alone_total')));
  return { count, shares, alone: alone.reduce((all, each) => all + each, 0) };
}

/** The most and the fewest answers in any minute, and when the fullest began; the fewest of whole minutes alone, after the first. */
function minutesOf(times: readonly number[]): { most: number; fewest: number | null; from: number } {
  const sorted = [...times].sort((left, right) => left - right);
  let most = 0;
  let from = 0;
  let fewest: number | null = null;
  let oldest = 0;
  for (const [index, time] of sorted.entries()) {
    while ((sorted[oldest] ?? 0) <= time - MINUTE_MS) oldest += 1;
    const count = index - oldest + 1;
    if (count > most) [most, from] = [count, sorted[oldest] ?? 0];
    if (time - (sorted[0] ?? 0) > MINUTE_MS) fewest = Math.min(fewest ?? count, count);
  }
  return { most, fewest, from };
}

/** How often sharing ended in a minute, by the logs; both processes that lost Redis within a second lost it once. */
function countEnds(processes: readonly Process[], from: number): number {
  const ends = processes
    .flatMap(({ service }) => service.printed().split('\n'))
    .filter((line) => line.includes('Redis does not answer'))
    .map((line) => Date.parse((JSON.parse(line) as { time: string }).time))
    .filter((time) => time >= from - 1_000 && time < from + MINUTE_MS)
    .sort((left, right) => left - right);
  return ends.filter((time, index) => time - (ends[index - 1] ?? 0) > 1_000).length;
}

function sum(reports: readonly GoodClientReport[]): Record<number, number> {
  const all: Record<number, number> = {};
  for (const { statuses } of reports) {
    for (const [status, count] of Object.entries(statuses)) all[Number(status)] = (all[Number(status)] ?? 0) + count;
  }
  return all;
}

const LONG_KILLS = 200;
const SHORT_KILLS = 15;
/** Requests a second at each process: together eight times the limit of the tier. */
const GREEDY_RATE = 20;
const POLITE_RATE = 5;
const MAX_LOOKS = 300;
const LOOK_EVERY_MS = 100;
const MINUTE_MS = 60_000;
