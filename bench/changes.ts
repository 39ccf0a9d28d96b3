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
      const importing = importBundle({ store, bundle: { events: [{ ...line, title }] } });
      // The event is committed before the scores of all others are compared with it.
      const [committed, shown] = await Promise.all([
        until(async () => (await readTitle(store, id)) === title),
        until(async () => (await ask(service.port, `/api/v1/events/${id}`, keys)).includes(title)),
        importing,
      ]);
      const { events } = await importing;
      if (events.updated !== 1) throw new Error(`expected one update: ${JSON.stringify(events)}`);
      visible = Math.max(visible, shown.before - committed.after);
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

async function readTitle({ db }: Store, id: string): Promise<string | undefined> {
  return (await db.selectFrom('event').select('title').where('id', '=', id).executeTakeFirst())?.title;
}

/** The moments between which it began to hold. */
async function until(holds: () => Promise<boolean>): Promise<{ after: number; before: number }> {
  const deadline = performance.now() + PATIENCE_MS;
  for (let after = performance.now(); ; await pause(10)) {
    const asked = performance.now();
    if (await holds()) return { after, before: performance.now() };
    if (asked > deadline) throw new Error(`waited ${PATIENCE_MS / 1_000} s in vain`);
    after = asked;
  }
}

/** An import of a directory with a million events begins slowly. */
const PATIENCE_MS = 120_000;
