/**
 * A steady load of the API, from a thread of its own: what whoever measures does besides (imports, files, pages) holds up no request,
 * and so does not count as the service's.
 */

import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type KeyRing, openKeyRing, type SharedKeys } from './keys.ts';
import { get, openClient } from './load.ts';

interface LoadData {
  port: number;
  keys: SharedKeys;
  /** Requests a second. */
  rate: number;
}

/** Open loop: a request leaves every 1000 / rate ms whether earlier ones were answered or not. Stopping gives the times of all, in ms. */
export async function steadyLoad(port: number, keys: KeyRing, rate: number): Promise<{ stop(): Promise<number[]> }> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { port, keys: keys.shared, rate } satisfies LoadData });
  // An error of the thread rejects here, or while its times are waited for.
  await once(thread, 'message');
  return {
    async stop() {
      thread.postMessage('stop');
      const [times] = (await once(thread, 'message')) as [number[]];
      await thread.terminate();
      return times;
    },
  };
}

async function send({ port, keys, rate }: LoadData): Promise<void> {
  const ring = openKeyRing(keys);
  const times: number[] = [];
  const clients = Array.from({ length: CONNECTIONS }, () => openClient(port));
  const idle = [...clients];
  const waiting: (() => void)[] = [];
  // Callers' connections are open, and who asks has asked before: a key that nobody knows yet waits for the store.
  for (let round = 0; round < WARM_UP; round += 1) {
    for (const client of clients) await client.ask(get(PATHS[round % PATHS.length] ?? '', ring.next()));
  }
  for (const [index, key] of keys.keys.entries()) await clients[index % CONNECTIONS]?.ask(get(PATHS[0], key));
  let sent = 0;
  const one = async (due: number) => {
    if (idle.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    const client = idle.pop();
    if (!client) return;
    await client.ask(get(PATHS[sent % PATHS.length] ?? '', ring.next()));
    times.push(performance.now() - due);
    idle.push(client);
    waiting.shift()?.();
  };
  const begun = performance.now();
  const timer = setInterval(() => {
    for (; sent < ((performance.now() - begun) / 1000) * rate; sent += 1) void one(performance.now());
  }, TICK_MS);
  parentPort?.postMessage('begun');
  await new Promise((resolve) => parentPort?.once('message', resolve));
  clearInterval(timer);
  while (times.length < sent) await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  for (const client of clients) client.close();
  parentPort?.postMessage(times);
}

const PATHS = ['/api/v1/events', '/api/v1/events?category=concert', '/api/v1/events?q=music', '/api/v1/venues'] as const;
const CONNECTIONS = 32;
const TICK_MS = 2;
const WARM_UP = 8;

if (!isMainThread) await send(workerData as LoadData);
