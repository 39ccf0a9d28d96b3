/** What limits in Redis add to a request: the same service with and without it, in turns. */

import { join } from 'node:path';
import { startRedis } from '../test/support/rigs/redis.ts';
import { writeBenchCity } from './city.ts';
import { createKeys, type KeyRing } from './keys.ts';
import { cpuMs, get, measure, median, percentile, settled } from './load.ts';
import { marquee, type Running, serve } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface RedisFigures {
  /** At a steady rate, where a request seldom finds others in its turn of the event loop. */
  steady: CpuFigures;
  /** From `BUSY_CONNECTIONS` connections as fast as they are answered: requests of one turn share a call. */
  busy: CpuFigures;
  /** CPU microseconds of Redis for a request. */
  redisMicros: number;
  /** Milliseconds. */
  p50: { without: number; with: number };
  p99: { without: number; with: number };
}

/** CPU microseconds of the service for a request. `added`: median of what each round added. */
export interface CpuFigures {
  without: number;
  with: number;
  added: number;
}

export interface RedisSizes {
  events: number;
  requests: number;
  rounds: number;
  /** Of each steady load. */
  seconds: number;
}

/** `folder`: an empty one. */
export async function redisFigures(folder: string, size: RedisSizes): Promise<RedisFigures> {
  const bundle = join(folder, 'bundle');
  await writeBenchCity(bundle, size.events, Date.now());
  const redis = await startRedis(['--maxmemory-policy', 'noeviction']);
  const places: Place[] = [];
  try {
    places.push(await open(join(folder, 'without'), bundle, {}, size));
    places.push(await open(join(folder, 'with'), bundle, { REDIS_URL: redis.url }, size));
    const redisPid = Number(/process_id:(\d+)/.exec(await redis.ask('INFO server'))?.[1]);
    const redisCpu: number[] = [];
    for (let round = 0; round <= size.rounds; round += 1) {
      for (const place of places) {
        const before = cpuMs(redisPid);
        const cpu = await measure(place.service, requestsOf(place, size.requests), RATE);
        // The first round compiles.
        if (round === 0) continue;
        place.steady.push(cpu * 1_000);
        if (place.isShared) redisCpu.push(((cpuMs(redisPid) - before) * 1_000) / size.requests);
        place.times.push(await timesOf(place, size.seconds));
        place.busy.push((await measure(place.service, requestsOf(place, size.requests), 0, 200, BUSY_CONNECTIONS)) * 1_000);
      }
    }
    const [without, shared] = places;
    if (!without || !shared) throw new Error('nothing was measured');
    const of = (read: (place: Place) => number) => ({ without: read(without), with: read(shared) });
    return {
      steady: cpuFigures(without.steady, shared.steady),
      busy: cpuFigures(without.busy, shared.busy),
      redisMicros: median(redisCpu),
      p50: of(({ times }) => percentile(times.flat(), 0.5)),
      // One round in which the machine did something else must not decide.
      p99: of(({ times }) => median(times.map((round) => percentile(round, 0.99)))),
    };
  } finally {
    for (const { service } of places) await service.stop();
    await redis.close();
  }
}

/** Of rounds in turns. */
const cpuFigures = (without: readonly number[], shared: readonly number[]): CpuFigures => ({
  without: median(without),
  with: median(shared),
  added: median(shared.map((cost, round) => cost - (without[round] ?? 0))),
});

interface Place {
  isShared: boolean;
  service: Running;
  keys: KeyRing;
  /** CPU microseconds for a request, by round. */
  steady: number[];
  busy: number[];
  times: number[][];
}

async function open(dataDir: string, bundle: string, more: Record<string, string>, size: RedisSizes): Promise<Place> {
  const env = { MARQUEE_DATA_DIR: dataDir, ...more };
  await marquee(['import', bundle, '--json'], { MARQUEE_DATA_DIR: dataDir });
  const asked = (2 * size.requests + size.seconds * LATENCY_RATE) * (size.rounds + 1);
  const keys = await createKeys(dataDir, Math.ceil(asked / REQUESTS_OF_A_KEY) + 1);
  const service = await serve(env, ['--role', 'api']);
  await settled(service);
  return { isShared: 'REDIS_URL' in more, service, keys, steady: [], busy: [], times: [] };
}

const requestsOf = ({ keys }: Place, count: number): Buffer[] =>
  Array.from({ length: count }, () => get('/api/v1/events', keys.next()));

async function timesOf({ service, keys }: Place, seconds: number): Promise<number[]> {
  const load = await steadyLoad(service.port, keys, LATENCY_RATE);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  return load.stop();
}

/** Requests a second. */
const RATE = 2_000;
const LATENCY_RATE = 200;
export const BUSY_CONNECTIONS = 64;
/** See `keys.ts`. */
const REQUESTS_OF_A_KEY = 900;
