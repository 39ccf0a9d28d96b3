/**
 * The figures of `docs/performance.md`. `npm run bench` measures and prints them; `-- --write` puts them into the page;
 * `-- --smoke` runs everything small, to see that it runs; `-- --only exports,webhooks` runs some parts, in full. Service and bare server take turns in one run, and the CPU time of
 * each process is compared: other work on the machine disturbs both alike.
 */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/network/free-port.ts';
import { backupFigures, type CommandFigures } from './backup.ts';
import { changesUnderLoad } from './changes.ts';
import { writeBenchCity } from './city.ts';
import { exportFigures } from './exports.ts';
import { unchangedFeed } from './feeds.ts';
import { ingestFigures } from './ingest.ts';
import { createKeys, type KeyRing } from './keys.ts';
import { simulateLimiter } from './limiter-simulation.ts';
import { get, measure, median, openClient, residentMb, settled } from './load.ts';
import { BUSY_CONNECTIONS, type CpuFigures, redisFigures } from './redis.ts';
import { simulateRedis } from './redis-simulation.ts';
import { marquee, type Running, serve, serveBare, serveMade } from './service.ts';
import { crowdFigures, deskFigure, signInOperator, usageFigure } from './signed-in.ts';
import { FULL, SMOKE } from './sizes.ts';
import { visitorFigures } from './visitors.ts';
import { webhookFigures } from './webhooks.ts';
import { works } from './works.ts';

interface Row {
  work: string;
  measured: string;
  atMost: string;
  holds: boolean;
}

const { values: options } = parseArgs({
  options: { smoke: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string' } },
});
/** Requests a second. */
const RATE = 2_000;
const AS_FAST_AS_ANSWERED = 0;
const size = options.smoke ? SMOKE : FULL;
const rows: Row[] = [];
let imported: Promise<Directory> | undefined;
const folder = mkdtempSync(join(tmpdir(), 'marquee-bench-'));
try {
  const parts = { limiter, redis, directory, visitors, growth, ingest, exports, webhooks };
  const wanted = options.only?.split(',') ?? Object.keys(parts);
  const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Error(`wanted parts of ${Object.keys(parts).join(', ')}, got ${JSON.stringify(unknown)}`);
  if (options.only && options.write) throw new Error('the page is written of all parts: leave --only or --write away');
  for (const [name, part] of Object.entries(parts)) {
    if (!wanted.includes(name)) continue;
    const took = await seconds(part);
    console.error(`     ${name} took ${took.toFixed(0)} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const page = report();
console.log(page);
if (options.write) writeFileSync(new URL('../docs/performance.md', import.meta.url), page);

async function limiter(): Promise<void> {
  const { over, under, decisions } = simulateLimiter({ decisions: size.decisions, seed: 1 });
  add(
    `limiter, ${decisions} simulated decisions of hostile schedules`,
    `${over} over, ${under} under`,
    '0 over, 0 under',
    over + under === 0,
  );
}

async function redis(): Promise<void> {
  const { over, under, alone, decisions } = await simulateRedis({ processes: 8, decisions: size.decisions, seed: 1 });
  const counted = `${over} over, ${under} under`;
  const holds = over + under + alone === 0;
  add(`limits over 8 processes and one Redis, ${decisions} decisions at once`, counted, '0 over, 0 under', holds);
  const { steady, busy, redisMicros, p50, p99 } = await redisFigures(join(folder, 'redis'), size.redis);
  const said = (cpu: CpuFigures) => `${cpu.added.toFixed(0)} µs (${cpu.without.toFixed(0)} → ${cpu.with.toFixed(0)} µs)`;
  add(`CPU of the service that Redis adds to a list request, ${RATE} a second`, said(steady), '15 µs', steady.added <= 15);
  add(`the same, ${BUSY_CONNECTIONS} connections as fast as they are answered`, said(busy), '15 µs', busy.added <= 15);
  add('CPU of Redis for a request', `${redisMicros.toFixed(0)} µs`, '–', true);
  const p99s = `${(p99.with - p99.without).toFixed(2)} ms (${p99.without.toFixed(2)} → ${p99.with.toFixed(2)} ms)`;
  add('p99 of 200 requests a second that Redis adds', p99s, '1.5 ms', p99.with - p99.without <= 1.5);
  add('p50 of the same', `${p50.without.toFixed(2)} → ${p50.with.toFixed(2)} ms`, '–', true);
}

interface Directory {
  env: { MARQUEE_DATA_DIR: string; MARQUEE_TRUST_PROXY: string };
  bundle: string;
  keys: KeyRing;
}

/** One directory for all parts that read one. */
function openDirectory(): Promise<Directory> {
  imported ??= importDirectory();
  return imported;
}

async function importDirectory(): Promise<Directory> {
  const env = { MARQUEE_DATA_DIR: join(folder, 'data'), MARQUEE_TRUST_PROXY: '127.0.0.1' };
  const bundle = join(folder, 'bundle');
  await writeBenchCity(bundle, size.events, Date.now());
  const took = await seconds(() => marquee(['import', bundle, '--json'], env));
  add(`import of ${size.events} events, embedded`, `${took.toFixed(1)} s`, '30 s', took <= 30);
  return { env, bundle, keys: await createKeys(env.MARQUEE_DATA_DIR, size.keys) };
}

async function directory(): Promise<void> {
  const { env, bundle, keys } = await openDirectory();

  // Started again, a service has the address that it had before.
  const served = { ...env, PORT: String(await freePort()) };
  const cold = await firstAnswer(served, keys);
  add('start without a saved snapshot to the first 200', `${cold.seconds.toFixed(2)} s`, '–', true);
  await cold.service.stop();
  const warm = await firstAnswer(served, keys);
  add(`start with ${size.events} events on disk to the first 200`, `${warm.seconds.toFixed(2)} s`, '3 s', warm.seconds <= 3);
  try {
    await settled(warm.service);
    await costs(warm.service, keys);
    await feeds(warm.service, env.MARQUEE_DATA_DIR);
    const loaded = residentMb(warm.service.pid);
    add(`memory with ${size.events} events, whole process`, `${loaded.toFixed(0)} MB`, '900 MB', loaded <= 900);
    const { visible, p99, worst } = await changesUnderLoad({
      service: warm.service,
      dataDir: env.MARQUEE_DATA_DIR,
      bundle,
      keys,
      changes: size.changes,
    });
    add('committed change → visible in the API, slowest', `${(visible / 1000).toFixed(2)} s`, '2 s', visible <= 2000);
    add('p99 of 200 requests a second meanwhile', `${p99.toFixed(1)} ms (slowest ${worst.toFixed(1)} ms)`, '20 ms', p99 < 20);
    await signedIn(warm.service, env, keys);
    await backup(warm.service, env.MARQUEE_DATA_DIR, keys);
  } finally {
    await warm.service.stop();
  }
}

/** Each kind of request: recorded once from the service, replayed by the bare server, both measured in turns. */
async function costs(service: Running, keys: KeyRing): Promise<void> {
  const list = await ask(service, '/api/v1/events?limit=20', keys.next());
  const ids = (JSON.parse(list.body.toString()) as { data: { id: string }[] }).data.map(({ id }) => id);
  const changes = await ask(service, '/api/v1/changes?limit=1', keys.next());
  const { epoch } = (JSON.parse(changes.body.toString()) as { meta: { epoch: string } }).meta;
  const all = works(ids, Date.now(), epoch);
  const recording = join(folder, 'answers.json');
  const recorded: Record<string, { headers: [string, string][]; body: string }> = {};
  for (const path of all.flatMap(({ paths }) => paths)) {
    const { headers, body } = await ask(service, path, keys.next());
    recorded[path] = { headers, body: body.toString('base64') };
  }
  writeFileSync(recording, JSON.stringify(recorded));
  const bare = await serveBare(recording);
  try {
    const requests = (paths: readonly string[]) =>
      Array.from({ length: size.requests }, (_, index) => get(paths[index % paths.length] ?? '', keys.next()));
    // Compilers of both work in the background for a while: whatever is measured first would pay for the others.
    for (const { paths } of all) {
      for (const server of [service, bare]) await measure(server, requests(paths), AS_FAST_AS_ANSWERED);
    }
    // Round by round, not kind by kind: what the service does once in a while falls on all kinds alike.
    const measured = all.map((work) => ({ ...work, cost: [] as number[], ratios: [] as number[] }));
    for (let round = 0; round < size.rounds; round += 1) {
      for (const { paths, cost, ratios } of measured) {
        const ours = await measure(service, requests(paths), RATE);
        cost.push(ours);
        ratios.push(ours / (await measure(bare, requests(paths), RATE)));
      }
    }
    for (const { name, atMost, cost, ratios } of measured) {
      const ratio = median(ratios);
      const said = `${ratio.toFixed(2)} × bare (${(median(cost) * 1000).toFixed(0)} µs)`;
      if (atMost === null) add(name, said, '–', true);
      else add(name, said, `${atMost.toFixed(1)} × bare`, ratio <= atMost);
    }
  } finally {
    await bare.stop();
  }
}

async function feeds(service: Running, dataDir: string): Promise<void> {
  const { requests, rounds } = size;
  const recording = join(folder, 'calendars.json');
  const { ratio, micros, events } = await unchangedFeed({ service, dataDir, recording, requests, rounds, rate: RATE });
  const said = `${ratio.toFixed(2)} × bare (${micros.toFixed(0)} µs)`;
  add(`calendar feed of ${events} events, unchanged (304)`, said, '1.5 × bare', ratio <= 1.5);
}

/** Pages and assistants: see `visitors.ts`. */
async function visitors(): Promise<void> {
  const { env, keys } = await openDirectory();
  const service = await serve(env);
  try {
    await settled(service);
    const { requests, rounds, pages } = size;
    for (const { work, measured, atMost, holds } of await visitorFigures(service, keys, { requests, rounds, rate: RATE, pages }))
      add(work, measured, atMost, holds);
  } finally {
    await service.stop();
  }
}

async function signedIn(service: Running, env: { MARQUEE_DATA_DIR: string }, keys: KeyRing): Promise<void> {
  const session = await signInOperator(service, env);
  const desk = await deskFigure(service, session, size.pages.requests);
  add(`p95 of the slowest page behind the sign-in (${desk.path})`, `${desk.p95.toFixed(1)} ms`, '50 ms', desk.p95 < 50);
  const usage = await usageFigure(service, env.MARQUEE_DATA_DIR, session, size.pages.requests);
  add('p95 of the usage page, 100 keys over 365 days', `${usage.toFixed(1)} ms`, '300 ms', usage < 300);
  await crowd(service, keys);
}

async function crowd(service: Running, keys: KeyRing): Promise<void> {
  const other = await serve({ MARQUEE_DATA_DIR: join(folder, 'other'), MARQUEE_TRUST_PROXY: '127.0.0.1' });
  try {
    await settled(other);
    const { alone, elsewhere, here, unanswered } = await crowdFigures(service, other, keys, size.crowd);
    const rise = (beside: number) => `${alone.toFixed(2)} → ${beside.toFixed(2)} ms (${(beside / alone).toFixed(1)} ×)`;
    add(
      `p99 of 200 requests a second, alone → while ${size.crowd.people} people sign in at once`,
      rise(here),
      '1.2 ×',
      here <= alone * 1.2,
    );
    add('those who signed in and got no answer', String(unanswered), '0', unanswered === 0);
    add('the same while they sign in at another service on this machine', rise(elsewhere), '–', true);
  } finally {
    await other.stop();
  }
}

async function growth(): Promise<void> {
  const [few = 0, many = 0] = size.growth;
  const cost = async (events: number): Promise<number> => {
    const env = { MARQUEE_DATA_DIR: join(folder, `made-${events}`) };
    const service = await serveMade(events, env);
    try {
      const keys = await createKeys(env.MARQUEE_DATA_DIR, Math.ceil(size.keys / 4));
      const requests = () => Array.from({ length: size.requests }, () => get('/api/v1/events', keys.next()));
      await measure(service, requests(), AS_FAST_AS_ANSWERED);
      const costs: number[] = [];
      for (let round = 0; round < size.rounds; round += 1) costs.push(await measure(service, requests(), RATE));
      return median(costs);
    } finally {
      await service.stop();
    }
  };
  const small = await cost(few);
  const large = await cost(many);
  const factor = large / small;
  const measured = `${factor.toFixed(2)} × (${(small * 1000).toFixed(0)} → ${(large * 1000).toFixed(0)} µs)`;
  add(`CPU per list request from ${few} to ${many} events`, measured, '4 ×', factor <= 4);
}

async function ingest(): Promise<void> {
  const { listings } = size;
  const { first, again, peakMb, totalMb, p99, worst } = await ingestFigures(join(folder, 'ingest'), listings);
  add(`run of a source with ${listings} listings, embedded`, `${first.toFixed(1)} s`, '60 s', first <= 60);
  add('the same run again, unchanged', `${again.toFixed(1)} s`, '10 s', again <= 10);
  add('memory of the process of such a run', `${peakMb.toFixed(0)} MB`, '600 MB', peakMb <= 600);
  add('memory of all its processes at once, engine and reader included', `${totalMb.toFixed(0)} MB`, '–', true);
  add(
    'p99 of 200 requests a second beside such a run',
    `${p99.toFixed(1)} ms (slowest ${worst.toFixed(1)} ms)`,
    '20 ms',
    p99 < 20,
  );
}

async function backup(service: Running, dataDir: string, keys: KeyRing): Promise<void> {
  const { backup, restore, megabytes, p99Alone, p99, worst } = await backupFigures({ service, dataDir, keys, folder });
  const tell = ({ seconds, cpuSeconds, peakMb }: CommandFigures) =>
    `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU, ${peakMb.toFixed(0)} MB memory)`;
  add(`backup of ${size.events} events, ${megabytes.toFixed(1)} MB`, tell(backup), '60 s', backup.seconds <= 60);
  add('restore of that backup', tell(restore), '300 s', restore.seconds <= 300);
  const said = `${p99.toFixed(1)} ms (slowest ${worst.toFixed(1)} ms; without a backup ${p99Alone.toFixed(1)} ms)`;
  add('p99 of 200 requests a second beside that backup', said, '20 ms', p99 < 20);
}

async function exports(): Promise<void> {
  const limits = { ndjson: 60, parquet: 90 } as const;
  const figures = await exportFigures(join(folder, 'exports'), size.exported, ['ndjson', 'parquet'] as const, size.keys);
  for (const [format, { seconds: took, megabytes, files, growthMb, p99Alone, p99, worst }] of figures) {
    // A smaller directory is measured in proportion.
    const atMost = (limits[format] * size.exported) / 1e6;
    const name = `export of ${size.exported} events as ${format === 'ndjson' ? 'NDJSON' : 'Parquet'}`;
    add(name, `${took.toFixed(1)} s (${megabytes.toFixed(0)} MB, ${files} files)`, `${atMost} s`, took <= atMost);
    add(`growth of the process during that ${format} export`, `${growthMb.toFixed(0)} MB`, '150 MB', growthMb <= 150);
    const said = `${p99.toFixed(1)} ms (slowest ${worst.toFixed(1)} ms; without an export ${p99Alone.toFixed(1)} ms)`;
    add(`p99 of 200 requests a second beside that ${format} export`, said, '20 ms', p99 < 20);
  }
}

async function webhooks(): Promise<void> {
  const { firstAttempt, seconds, deliveries, growthMb, besideDead } = await webhookFigures(size.webhooks);
  const { dead, waiting } = size.webhooks;
  // Fewer deliveries are measured in proportion.
  const atMost = (200 * deliveries) / 100_000;
  add('commit to first webhook attempt, p95, 100 endpoints', `${firstAttempt.toFixed(0)} ms`, '1500 ms', firstAttempt <= 1500);
  add(`${deliveries} webhook deliveries, one worker`, `${seconds.toFixed(1)} s`, `${atMost.toFixed(0)} s`, seconds <= atMost);
  add('growth of the process during those deliveries', `${growthMb.toFixed(0)} MB`, '80 MB', growthMb <= 80);
  const beside = `p99 of healthy endpoints beside ${dead} dead ones with ${dead * waiting} messages`;
  add(beside, `${besideDead.toFixed(0)} ms`, '2000 ms', besideDead <= 2000);
}

async function firstAnswer(env: Record<string, string>, keys: KeyRing): Promise<{ service: Running; seconds: number }> {
  const begun = performance.now();
  const service = await serve(env);
  await ask(service, '/api/v1/events', keys.next());
  return { service, seconds: (performance.now() - begun) / 1000 };
}

async function ask(service: Running, path: string, key: string) {
  const client = openClient(service.port);
  const answer = await client.ask(get(path, key));
  client.close();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return answer;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

function add(work: string, measured: string, atMost: string, holds: boolean): void {
  rows.push({ work, measured, atMost, holds });
  console.error(`${holds ? 'ok  ' : 'MISS'} ${work}: ${measured} (at most ${atMost})`);
}

function report(): string {
  const head = readFileSync(new URL('./performance-head.md', import.meta.url), 'utf8');
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`;
  const table = rows.map(
    ({ work, measured, atMost, holds }) => `| ${work} | ${measured} | ${atMost} | ${holds ? 'yes' : '**no**'} |`,
  );
  return [
    head.trimEnd(),
    '',
    `Machine: ${machine}; ${size.events} events.`,
    '',
    '| work | measured | at most | holds |',
    '|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
}
