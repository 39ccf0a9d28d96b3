/** What a run of a large source costs: alone, again without a change, and beside a service under load. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeBenchCity } from './city.ts';
import { createKeys } from './keys.ts';
import { get, openClient, percentile } from './load.ts';
import { marquee, serve } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface IngestFigures {
  /** Seconds of wall time. */
  first: number;
  again: number;
  /** The most that was resident at once: of the process of the run, and of all processes that the command started, engine included. */
  peakMb: number;
  totalMb: number;
  /** Milliseconds, of 200 requests a second while the same run goes on in another process. */
  p99: number;
  worst: number;
}

/** `listings` events of one source, spread over 90 days and 400 places, in folders of `folder`. */
export async function ingestFigures(folder: string, listings: number): Promise<IngestFigures> {
  const mapping = join(folder, 'mapping.json');
  const feed = join(folder, 'feed.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(mapping, JSON.stringify(MAPPING));
  writeFileSync(feed, JSON.stringify({ events: Array.from({ length: listings }, (_, n) => made(n)) }));
  const prepare = async (name: string): Promise<Record<string, string>> => {
    const env = { MARQUEE_DATA_DIR: join(folder, name) };
    await writeBenchCity(join(folder, `${name}-city`), 200, Date.now());
    await marquee(['import', join(folder, `${name}-city`)], env);
    await marquee(['source', 'add', 'json', feed, '--mapping', mapping, '--name', 'feed'], env);
    return env;
  };
  const alone = await prepare('alone');
  const first = await run(alone);
  const again = await run(alone);
  const beside = await prepare('beside');
  const keys = await createKeys(beside.MARQUEE_DATA_DIR ?? '', KEYS);
  const service = await serve(beside);
  // A key's first request asks the store; callers' keys are known.
  const client = openClient(service.port);
  const known = new Set<string>();
  while (known.size < KEYS) {
    const key = keys.next();
    if (!known.has(key)) await client.ask(get('/api/v1/events', key));
    known.add(key);
  }
  client.close();
  const load = await steadyLoad(service.port, keys, RATE);
  await run(beside);
  const times = await load.stop();
  await service.stop();
  return {
    first: first.seconds,
    again: again.seconds,
    peakMb: Math.max(first.peakMb, again.peakMb),
    totalMb: Math.max(first.totalMb, again.totalMb),
    p99: percentile(times, 0.99),
    worst: Math.max(...times),
  };
}

async function run(env: Record<string, string>): Promise<{ seconds: number; peakMb: number; totalMb: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [MARQUEE, 'ingest', 'feed'], { env: { ...process.env, ...env }, stdio: 'inherit' });
  const ended = once(child, 'exit');
  let peakMb = 0;
  let totalMb = 0;
  while (child.exitCode === null && child.signalCode === null) {
    const processes = treeOf(child.pid ?? 0);
    const isRun = (pid: number) => textOf(`/proc/${pid}/cmdline`).includes('run-process');
    peakMb = Math.max(peakMb, ...processes.filter(isRun).map((pid) => megabytes(pid, 'VmHWM')));
    totalMb = Math.max(
      totalMb,
      processes.reduce((sum, pid) => sum + megabytes(pid, 'VmRSS'), 0),
    );
    await Promise.race([ended, pause(100)]);
  }
  if (child.exitCode !== 0) throw new Error(`the run ended with ${child.exitCode}`);
  return { seconds: (performance.now() - begun) / 1000, peakMb, totalMb };
}

/** A process and all that it has started (proc(5)). */
function treeOf(pid: number): number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

function megabytes(pid: number, figure: 'VmHWM' | 'VmRSS'): number {
  return Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

/** Empty for a process that has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function made(n: number): object {
  const start = new Date(Date.now() + DAY_MS * (1 + (n % 90)));
  const place = n % PLACES;
  return {
    id: String(n),
    name: `${WORDS[n % 7]} ${WORDS[(n * 5 + 3) % 11]} ${WORDS[(n >> 3) % 13]} no. ${n}`,
    start: `${start.toISOString().slice(0, 10)}T${String(12 + (n % 11)).padStart(2, '0')}:00:00`,
    place: `House ${place}`,
    lat: 40 + (place % 20) / 210,
    lon: -90 + Math.floor(place / 20) / 210,
    text: `${WORDS[n % 13]} and ${WORDS[(n + 5) % 13]}. `.repeat(8),
  };
}

const MARQUEE = fileURLToPath(new URL('../bin/marquee.mjs', import.meta.url));
const MAPPING = {
  records: 'events',
  fields: {
    externalId: 'id',
    title: 'name',
    start: 'start',
    description: 'text',
    venue: { name: 'place', latitude: 'lat', longitude: 'lon' },
  },
};
const WORDS = [
  'Amber',
  'Brass',
  'Cinder',
  'Dune',
  'Echo',
  'Fable',
  'Grove',
  'Harbor',
  'Iris',
  'Juniper',
  'Kite',
  'Lantern',
  'Maple',
];
const PLACES = 400;
const KEYS = 40;
const RATE = 200;
const DAY_MS = 86_400_000;
