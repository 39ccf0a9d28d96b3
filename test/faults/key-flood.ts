/** One address floods the service with well-formed keys that nobody knows, then with known keys far beyond their limits. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';
import { startFlooder } from './key-flooder.ts';

export const keyFlood: Experiment = {
  name: 'key flood',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const seconds = context.short ? 4 : 30;
    const service = await context.start();
    const [alone, beside, over, ...flooding] = await context.makeKeys(3 + FLOODING_KEYS);
    const verdict = openVerdict();
    const quiet = goodputOf(await measure(service, alone?.key ?? '', context.short ? 2 : 10));
    const unknown = await flood(context, service, { good: beside?.key ?? '', keys: null, seconds });
    const known = await flood(context, service, { good: over?.key ?? '', keys: flooding.map(({ key }) => key), seconds });
    for (const [flooded, name] of [
      [unknown, 'unknown keys'],
      [known, 'known keys'],
    ] as const) {
      verdict.require(flooded.goodput >= MIN_GOODPUT, `goodput beside ${name} is ${percent(flooded.goodput)}, wanted 90 %`);
      verdict.require(flooded.serverErrors === 0, `${flooded.serverErrors} good requests met a 5xx beside ${name}`);
    }
    verdict.require(
      known.perSecond >= OVERLOAD * quietLimit(),
      `the known keys asked only ${known.perSecond.toFixed(0)} times a second`,
    );
    if (!context.short)
      verdict.require(unknown.p99 < MAX_P99_MS, `p99 beside unknown keys is ${unknown.p99.toFixed(0)} ms, wanted 50 ms`);
    verdict.require(service.isRunning(), 'the service ended');
    return {
      figures: `p99 alone ${quiet.p99.toFixed(1)} ms; unknown keys: ${unknown.text}; known keys: ${known.text}`,
      failures: verdict.failures,
    };
  },
};

async function flood(
  _context: Context,
  service: Service,
  { good, keys, seconds }: { good: string; keys: string[] | null; seconds: number },
) {
  const flooder = await startFlooder({ port: service.port, from: FLOODER, connections: CONNECTIONS, inFlight: IN_FLIGHT, keys });
  // The flood is at its height when the good client begins.
  await pause(1_000);
  const report = await measure(service, good, seconds);
  const { statuses, closed, seconds: flooded } = await flooder.stop();
  const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const { goodput, p99 } = goodputOf(report);
  const perSecond = answered / flooded;
  return {
    goodput,
    p99,
    perSecond,
    serverErrors: Object.entries(report.statuses).reduce((sum, [status, count]) => sum + (Number(status) >= 500 ? count : 0), 0),
    text: `goodput ${percent(goodput)} (${formatStatuses(report.statuses)}), p99 ${p99.toFixed(1)} ms beside ${perSecond.toFixed(0)} answers a second (${formatStatuses(statuses)}; ${closed} connections ended)`,
  };
}

async function measure({ url }: Service, key: string, seconds: number) {
  const client = await startGoodClient({ url, key, rate: RATE });
  await pause(seconds * 1_000);
  return client.stop();
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
/** What the flooding keys may ask, a second. */
const quietLimit = (): number => (FLOODING_KEYS * PER_MINUTE) / 60;

const CONNECTIONS = 200;
const IN_FLIGHT = 50;
const FLOODER = '127.0.0.2';
/** Requests a second of the good client; its Enterprise key admits 1000 a minute. */
const RATE = 15;
const FLOODING_KEYS = 4;
const PER_MINUTE = 1_000;
const OVERLOAD = 10;
const MIN_GOODPUT = 0.9;
const MAX_P99_MS = 50;
