import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { readConfig } from '../../src/config.ts';
import { createContext } from '../../src/context.ts';
import { createLog } from '../../src/log.ts';
import { recordChanges } from '../../src/records/index.ts';
import { startService } from '../../src/start/index.ts';
import { transact } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';

it('a service forgets what it has answered: its heap does not grow with requests, unknown keys and changes', async () => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() }) as unknown as NodeJS.WriteStream;
  const { folder, remove } = await copyDemoFolder();
  const config = readConfig({ PORT: '0', MARQUEE_DATA_DIR: folder, MARQUEE_METRICS_PORT: 'off' });
  const service = await startService(createContext(config, createLog('silent'), { out: nowhere, err: nowhere }), {
    role: 'all',
    pagesThread: false,
  });
  onTestFinished(async () => {
    await service.close();
    remove();
  });
  const { db } = service.store;
  const accounts = createAccounts({ db, now: Date.now });
  const keys: string[] = [];
  for (let number = 0; number < 5; number += 1) {
    const email = `soak-${number}@example.org`;
    await accounts.createAccount({ email, tier: 'enterprise' });
    const created = await accounts.createKey({ email });
    if (!created.ok) throw new Error(created.detail);
    keys.push(created.key);
  }
  const events = await db.selectFrom('event').select('id').where('state', '=', 'published').limit(CHANGES).execute();
  let asked = 0;
  const ask = async (path: string, key: string) => {
    asked += 1;
    const answer = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
  };
  const titleOf = async (id: string | undefined) => {
    const answer = await fetch(`${service.url}/api/v1/events/${id}`, { headers: { 'x-api-key': keys[0] ?? '' } });
    return ((await answer.json()) as { data: { title: string } }).data.title;
  };
  const round = async () => {
    for (let number = 0; number < REQUESTS; number += 5) {
      const key = keys[(number / 5) % keys.length] ?? '';
      await Promise.all([
        ask(`/api/v1/events?limit=20&offset=${number}`, key),
        ask(`/api/v1/events?q=word${asked}`, key),
        ask(`/api/v1/events/${events[number % events.length]?.id}`, key),
        ask(`/api/v1/nowhere/${asked}`, key),
        ask('/api/v1/venues', `mq_live_${String(asked).padStart(12, '0')}_${'x'.repeat(49)}`),
      ]);
    }
    for (const { id } of events) {
      await transact(db, async (trx) => {
        await trx
          .updateTable('event')
          .set({ title: `Title ${asked} of ${id}` })
          .where('id', '=', id)
          .execute();
        await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], Date.now());
      });
    }
    // While a snapshot is built, the one before it is in memory, too.
    const last = events.at(-1)?.id;
    await expect.poll(() => titleOf(last)).toBe(`Title ${asked} of ${last}`);
  };
  for (let number = 1; number < WARM_UP; number += 1) await round();
  const series: string[] = [];
  // What other files of this process have left may grow for a while; what a request keeps grows in every series.
  while (series.length < MAX_SERIES) {
    const heaps: Memory[] = [];
    for (let number = 0; number <= ROUNDS; number += 1) {
      await round();
      heaps.push(await memory());
    }
    const [heap, buffers] = [growth(heaps.map((each) => each.heap)), growth(heaps.map((each) => each.buffers))];
    if (heap < MAX_HEAP_GROWTH_MB && buffers < MAX_BUFFER_GROWTH_MB) return;
    series.push(`MB after each round: ${heaps.map((each) => `${each.heap.toFixed(1)} + ${each.buffers.toFixed(1)}`).join(', ')}`);
  }
  expect.fail(`the memory grew in each of ${MAX_SERIES} series; ${series.join('; ')}`);
});

/** For each round. What is under way besides adds to a heap now and then, and takes nothing away. */
function growth(values: readonly number[]): number {
  const half = Math.ceil(values.length / 2);
  return (Math.min(...values.slice(-half)) - Math.min(...values.slice(0, half))) / (values.length - half);
}

interface Memory {
  heap: number;
  /** Outside the heap. */
  buffers: number;
}

/** After everything that can go is gone: the least of a few looks. */
async function memory(): Promise<Memory> {
  const least = { heap: Number.POSITIVE_INFINITY, buffers: Number.POSITIVE_INFINITY };
  for (let time = 0; time < 3; time += 1) {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    least.heap = Math.min(least.heap, heapUsed / 2 ** 20);
    least.buffers = Math.min(least.buffers, external / 2 ** 20);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return least;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const REQUESTS = 500;
const CHANGES = 20;
const WARM_UP = 4;
const ROUNDS = 6;
const MAX_SERIES = 3;
/** A request that keeps 1 kB would show as half a megabyte more. Parsed queries are kept, 2 000 of them: 0.3 MB a round until they are full. */
const MAX_HEAP_GROWTH_MB = 0.6;
/** Answers that were just sent are kept, up to 32 MB: half a megabyte a round until then. */
const MAX_BUFFER_GROWTH_MB = 0.8;
