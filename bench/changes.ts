/** How soon a committed change shows in the API, and what a steady load feels meanwhile. */

import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { importBundle } from '../src/ingest/index.ts';
import type { Store } from '../src/store/index.ts';
import { openBenchStore } from './bench-store.ts';
import type { KeyRing } from './keys.ts';
import { get, openClient, percentile } from './load.ts';
import type { Running } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface ChangesOptions {
  service: Running;
  dataDir: string;
  /** The folder that the directory was imported from. */
  bundle: string;
  keys: KeyRing;
  /** How many titles are changed, one after another. */
  changes: number;
}

/** 200 requests a second go on meanwhile. Times in milliseconds. */
export async function changesUnderLoad({
  service,
  dataDir,
  bundle,
  keys,
  changes,
}: ChangesOptions): Promise<{ visible: number; p99: number; worst: number }> {
  const store = await openBenchStore(dataDir);
  let visible = 0;
  try {
    const id = await firstEvent(service.port, keys);
    const line = await lineOf(store, bundle, id);
    const load = await steadyLoad(service.port, keys, 200);
    for (let round = 0; round < changes; round += 1) {
      const title = `Changed title ${round} at ${Date.now()}`;
      const report = await importBundle({ store, bundle: { events: [{ ...line, title }] } });
      if (report.events.updated !== 1) throw new Error(`expected one update: ${JSON.stringify(report)}`);
      const committed = performance.now();
      await until(async () => (await ask(service.port, `/api/v1/events/${id}`, keys)).includes(title));
      visible = Math.max(visible, performance.now() - committed);
      await pause(500);
    }
    const times = await load.stop();
    return { visible, p99: percentile(times, 0.99), worst: Math.max(...times) };
  } finally {
    await store.close();
  }
}

/** The bundle's line of an event. */
async function lineOf(store: Store, bundle: string, id: string): Promise<object> {
  const { external_id: externalId } = await store.db
    .selectFrom('record')
    .select('external_id')
    .where('event_id', '=', id)
    .executeTakeFirstOrThrow();
  for await (const line of createInterface({ input: createReadStream(join(bundle, 'events.ndjson')) })) {
    if (line.includes(`"${externalId}"`)) return JSON.parse(line) as object;
  }
  throw new Error(`the bundle has no line of ${externalId}`);
}

async function firstEvent(port: number, keys: KeyRing): Promise<string> {
  const list = JSON.parse(await ask(port, '/api/v1/events?limit=1', keys)) as { data: { id: string }[] };
  const id = list.data[0]?.id;
  if (!id) throw new Error('the directory lists no event');
  return id;
}

async function ask(port: number, path: string, keys: KeyRing): Promise<string> {
  const client = openClient(port);
  const answer = await client.ask(get(path, keys.next()));
  client.close();
  return answer.body.toString();
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('waited 30 s in vain');
    await pause(10);
  }
}
