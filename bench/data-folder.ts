/**
 * What a large or an old data folder takes: start, memory, a change, backup and restore. `node bench/data-folder.ts --data FOLDER` measures one
 * that is there (`year.ts --into FOLDER` makes one); with `--events 1000000`, a made city of so many events is imported first where
 * there is none. With DATABASE_URL the data stands there, and no backup is made: a restore would need another server.
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { freePort } from '../test/support/network/free-port.ts';
import { backupFigures, type CommandFigures } from './backup.ts';
import { openBenchStore } from './bench-store.ts';
import { changesUnderLoad } from './changes.ts';
import { writeBenchCity } from './city.ts';
import { createKeys, type KeyRing } from './keys.ts';
import { get, openClient, residentMb, settled } from './load.ts';
import { marquee, type Running, serve } from './service.ts';

const { values: options } = parseArgs({ options: { data: { type: 'string' }, events: { type: 'string' } } });
if (!options.data) throw new Error('wanted --data FOLDER');
const dataDir = options.data;
const folder = mkdtempSync(join(tmpdir(), 'marquee-data-folder-'));
const bundle = join(folder, 'bundle');
async function fill(events: number): Promise<void> {
  mkdirSync(bundle);
  await writeBenchCity(bundle, events, Date.now());
  if ((await readNumber(sql`select count(*) as number from event`)) > 0) return;
  const begun = performance.now();
  await marquee(['import', bundle, '--json'], { MARQUEE_DATA_DIR: dataDir });
  tell(`import of ${events} events`, secondsSince(begun));
}

async function measureFolder(): Promise<void> {
  const keys = await createKeys(dataDir, KEYS);
  const bytes = await readNumber(sql`select pg_database_size(current_database()) as number`);
  tell('database', `${(bytes / 1e6).toFixed(0)} MB`);
  // Started again, a service has the address that it had before: a saved snapshot holds it.
  const env = { MARQUEE_DATA_DIR: dataDir, MARQUEE_TRUST_PROXY: '127.0.0.1', PORT: String(await freePort()) };
  await (await start('start without a saved snapshot to the first 200', env, keys)).stop();
  const service = await start('start with a saved snapshot to the first 200', env, keys);
  try {
    await settled(service, MAX_LOOKS);
    tell('memory of the process', `${residentMb(service.pid).toFixed(0)} MB`);
    if (options.events) await measureChanges(service, keys);
    if (process.env.DATABASE_URL) return;
    const { backup, restore, megabytes, p99Alone, p99 } = await backupFigures({ service, dataDir, keys, folder });
    tell(`backup, ${megabytes.toFixed(1)} MB`, formatCommand(backup));
    tell('restore of it', formatCommand(restore));
    tell('p99 of 200 requests a second, alone → beside the backup', `${p99Alone.toFixed(1)} → ${p99.toFixed(1)} ms`);
  } finally {
    await service.stop();
  }
}

async function start(work: string, env: Record<string, string>, keys: KeyRing): Promise<Running> {
  const begun = performance.now();
  const service = await serve(env);
  const client = openClient(service.port);
  const { status } = await client.ask(get('/api/v1/events', keys.next()));
  client.close();
  if (status !== 200) throw new Error(`expected 200, got ${status}`);
  tell(work, secondsSince(begun));
  return service;
}

async function measureChanges(service: Running, keys: KeyRing): Promise<void> {
  const { visible, p99 } = await changesUnderLoad({ service, dataDir, bundle, keys, changes: CHANGES });
  tell('committed change → visible in the API, slowest', `${(visible / 1_000).toFixed(2)} s`);
  tell('p99 of 200 requests a second meanwhile', `${p99.toFixed(1)} ms`);
}

async function readNumber(question: RawBuilder<{ number: string }>): Promise<number> {
  const store = await openBenchStore(dataDir);
  try {
    const { rows } = await question.execute(store.db);
    return Number(rows[0]?.number);
  } finally {
    await store.close();
  }
}

const tell = (work: string, measured: string): void => console.log(`${work}: ${measured}`);
const secondsSince = (begun: number): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
const formatCommand = ({ seconds, cpuSeconds, peakMb }: CommandFigures): string =>
  `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s CPU, ${peakMb.toFixed(0)} MB memory)`;

const KEYS = 100;
const CHANGES = 10;
/** After an import of a million events, a worker has a lot to do. */
const MAX_LOOKS = 600;

try {
  if (options.events) await fill(Number(options.events));
  await measureFolder();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
