/** What several serving threads cost and bring: a decision in shared memory, a request, and memory, each in turns with one thread. */

import { join } from 'node:path';
import { type Counters, createLimiter, createLimitMemory, openThreadLimits } from '../src/accounts/index.ts';
import { writeBenchCity } from './city.ts';
import { createKeys, type KeyRing } from './keys.ts';
import { get, measure, median, residentMb, settled } from './load.ts';
import { marquee, type Running, serve } from './service.ts';

export interface ThreadFigures {
  /** CPU nanoseconds of a decision, in this thread's memory and in shared memory. */
  own: number;
  shared: number;
  /** By number of threads. */
  services: { threads: number; cpuMicros: number; perSecond: number; memoryMb: number }[];
}

export interface ThreadSizes {
  events: number;
  requests: number;
  rounds: number;
  decisions: number;
}

/** `folder`: an empty one. */
export async function threadFigures(folder: string, size: ThreadSizes): Promise<ThreadFigures> {
  const bundle = join(folder, 'bundle');
  await writeBenchCity(bundle, size.events, Date.now());
  const places: Place[] = [];
  try {
    for (const threads of [1, 2]) places.push(await open(join(folder, `threads-${threads}`), bundle, threads, size));
    for (const place of places) await work(place, size.requests);
    for (let round = 0; round < size.rounds; round += 1) for (const place of places) await work(place, size.requests, place);
    const services = places.map(({ threads, service, cpu, speed }) => ({
      threads,
      cpuMicros: median(cpu) * 1_000,
      perSecond: median(speed),
      memoryMb: residentMb(service.pid),
    }));
    return { ...decisionCosts(size), services };
  } finally {
    for (const { service } of places) await service.stop();
  }
}

interface Place {
  threads: number;
  service: Running;
  keys: KeyRing;
  cpu: number[];
  speed: number[];
}

async function open(dataDir: string, bundle: string, threads: number, { requests, rounds }: ThreadSizes): Promise<Place> {
  const env = { MARQUEE_DATA_DIR: dataDir };
  await marquee(['import', bundle, '--json'], env);
  const keys = await createKeys(dataDir, Math.ceil((2 * requests * (rounds + 2)) / REQUESTS_OF_A_KEY));
  const service = await serve(env, ['--role', 'api', '--threads', String(threads)]);
  await settled(service);
  return { threads, service, keys, cpu: [], speed: [] };
}

/** At a steady rate for each thread, which tells the CPU of a request; then as fast as they are answered. */
async function work({ threads, service, keys }: Place, count: number, into?: Place): Promise<void> {
  const requests = () => Array.from({ length: count }, () => get('/api/v1/events', keys.next()));
  const cpu = await measure(service, requests(), RATE_OF_A_THREAD * threads);
  const begun = performance.now();
  await measure(service, requests(), 0);
  into?.cpu.push(cpu);
  into?.speed.push((count * 1_000) / (performance.now() - begun));
}

function decisionCosts({ decisions, rounds }: ThreadSizes): Pick<ThreadFigures, 'own' | 'shared'> {
  const clocks = { wall: Date.now, monotonic: () => performance.now() };
  const own = createLimiter(clocks);
  const memory = createLimitMemory(clocks.wall, clocks.monotonic);
  const { counters: shared } = openThreadLimits({ memory, ...clocks, keepsMinutes: true });
  const costs = { own: [] as number[], shared: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, counters] of [
      ['own', own],
      ['shared', shared],
    ] as const) {
      const cost = costOf(counters, decisions);
      // The first round compiles.
      if (round > 0) costs[name].push(cost);
    }
  }
  return { own: median(costs.own), shared: median(costs.shared) };
}

/** CPU nanoseconds of one decision, over subscriptions enough that most are admitted. */
function costOf(counters: Counters, decisions: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < decisions; index += 1) void counters.decide(SUBSCRIPTIONS[index & 255]!, 'enterprise');
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / decisions;
}

const SUBSCRIPTIONS = Array.from({ length: 256 }, (_, n) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
/** A second. */
const RATE_OF_A_THREAD = 2_000;
/** See `keys.ts`. */
const REQUESTS_OF_A_KEY = 900;
