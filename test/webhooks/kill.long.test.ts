/**
 * Workers are killed at random moments while changes flow: nothing is lost, nothing is invented, and order holds.
 * Both engines: a killed process leaves a connection on a server, and a folder on the embedded engine.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom, PUBLIC_URL } from '../search/random-directory.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { accept, answerWith, type Receiver } from '../support/network/receiver.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { openWebhookRig, RIG_SECRET, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig({ realTime: true });
});
afterAll(() => rig.close());

const { folder, remove } = temporaryFolder();
afterAll(remove);

const KILLS = 4;
const CHANGES = 300;

it('a worker that is killed again and again loses nothing, and keeps the order', async () => {
  const owner = await rig.customer();
  const receivers: Record<'parallel' | 'fifo' | 'failing', Receiver> = {
    parallel: await rig.receiver(),
    fifo: await rig.receiver(),
    failing: await rig.receiver(),
  };
  const failed = new Set<string>();
  receivers.fifo.answer = (response) => void delay(3).then(() => accept(response));
  receivers.failing.answer = (response, { headers, body }) => {
    const id = headers['webhook-id'] ?? '';
    const isFirst = body.data.sequence % 50 === 0 && !failed.has(id);
    failed.add(id);
    answerWith(isFirst ? 500 : 204)(response);
  };
  for (const [name, receiver] of Object.entries(receivers))
    await rig.add(owner, receiver, { eventTypes: ['event.updated'], order: name === 'fifo' ? 'fifo' : 'parallel' });

  const start = () => startWorker(Object.values(receivers));
  const random = createRandom(7);
  const expected = new Set<number>();
  let isWriting = true;
  const writing = (async () => {
    for (let turn = 0; turn < CHANGES; turn++) {
      expected.add(await rig.put(rig.event(turn % 40, { title: `Kill ${turn}` })));
      await delay(25);
    }
    isWriting = false;
  })();
  let worker = start();
  let kills = 0;
  while (kills < KILLS) {
    // It works by then: a kill at its start would prove little.
    await once(worker, 'message');
    await delay(random.below(2_500));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    kills += 1;
    worker = start();
  }
  await writing;
  expect(isWriting).toBe(false);
  const missing = (receiver: Receiver) => [...expected].filter((seq) => !sequencesOf(receiver).has(seq));
  for (let turn = 0; turn < 1_800 && Object.values(receivers).some((receiver) => missing(receiver).length > 0); turn++)
    await delay(100);
  worker.kill('SIGKILL');
  await once(worker, 'exit');

  for (const [name, receiver] of Object.entries(receivers)) {
    expect(missing(receiver), name).toEqual([]);
    const invented = [...sequencesOf(receiver)].filter((seq) => !expected.has(seq));
    expect(invented, name).toEqual([]);
  }
  const order = receivers.fifo.received.map(({ body }) => body.data.sequence as number);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  // What was under way when a worker died is sent again.
  for (const name of ['parallel', 'fifo'] as const) {
    const { received } = receivers[name];
    const messages = new Set(received.map(({ headers }) => headers['webhook-id'])).size;
    const mostAtOnce = name === 'fifo' ? 1 : 8;
    expect(received.length - messages, name).toBeLessThanOrEqual(KILLS * mostAtOnce);
  }
});

it('a worker that is killed before the database knows what it delivered has noted it, and nobody repeats it', async () => {
  const owner = await rig.customer();
  const receiver = await rig.receiver();
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  const blocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  let blocking: Promise<unknown> = Promise.resolve();
  receiver.answer = (response) => {
    receiver.answer = accept;
    // Nobody writes what became of the message while the endpoint's row is held.
    blocking = rig.opened.store.db.transaction().execute(async (trx) => {
      await trx.selectFrom('webhook_endpoint').select('id').where('id', '=', id).forUpdate().execute();
      accept(response);
      blocked.resolve();
      await release.promise;
    });
  };
  const first = startWorker([receiver]);
  await once(first, 'message');
  await rig.put(rig.event(1, { title: 'Noted' }));
  await blocked.promise;
  const notes = () => readdirSync(join(folder, 'webhooks')).map((name) => readFileSync(join(folder, 'webhooks', name), 'utf8'));
  await until(() => expect(notes().join('')).toContain(id));
  first.kill('SIGKILL');
  await once(first, 'exit');
  release.resolve();
  await blocking;
  const second = startWorker([receiver]);
  const marker = await rig.put(rig.event(2, { title: 'After' }));
  await until(() => expect(sequencesOf(receiver)).toContain(marker));
  await until(async () => expect(await rig.endpoints.find(owner.accountId, id)).toMatchObject({ pending: 0 }));
  second.kill('SIGKILL');
  await once(second, 'exit');
  expect(receiver.received.map(({ body }) => body.data.record.title)).toEqual(['Noted', 'After']);
  expect((await rig.endpoints.attempts(owner.accountId, id)).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered']);
});

it('what was delivered while the database was away is written when it is back, and not sent again', async () => {
  const owner = await rig.customer();
  const receiver = await rig.receiver();
  const { id } = await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  const { db } = rig.opened.store;
  let refused: number | null = null;
  const worker = await rig.work(
    new Proxy(db, {
      get(target, name) {
        if (name === 'transaction' && refused !== null && refused++ < 12)
          throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  );
  receiver.answer = (response) => {
    refused ??= 0;
    accept(response);
  };
  await rig.put(rig.event(3, { title: 'Once' }));
  await until(() => expect(receiver.received).toHaveLength(1));
  await until(async () => expect(await rig.endpoints.find(owner.accountId, id)).toMatchObject({ pending: 0, failures: 0 }));
  await worker.close();
  expect(refused).toBeGreaterThan(12);
  expect(receiver.received).toHaveLength(1);
  expect(await rig.endpoints.attempts(owner.accountId, id)).toHaveLength(1);
});

it('a worker that ends while the database is away does not wait until it is back', async () => {
  const owner = await rig.customer();
  const receiver = await rig.receiver();
  await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
  const { db } = rig.opened.store;
  let isAway = false;
  let refused = 0;
  const worker = await rig.work(
    new Proxy(db, {
      get(target, name) {
        if (name === 'transaction' && isAway) {
          refused += 1;
          throw Object.assign(new Error('away'), { code: 'ECONNRESET' });
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  );
  receiver.answer = (response) => {
    isAway = true;
    accept(response);
  };
  await rig.put(rig.event(4, { title: 'Last' }));
  await until(() => expect(receiver.received).toHaveLength(1));
  const before = refused;
  await worker.close();
  // It tries again every 100 ms, for five seconds. Without a word of the end it would be a minute.
  expect(refused - before).toBeLessThan(300);
});

function startWorker(receivers: readonly Receiver[]) {
  const { databaseUrl, dataDir } = rig.opened.options;
  const input = {
    options: { databaseUrl, dataDir },
    hosts: receivers.map(({ host }) => host),
    secret: RIG_SECRET,
    publicUrl: PUBLIC_URL,
    leaseMs: 1_500,
    journalFolder: folder,
  };
  return fork(new URL('../support/processes/webhook-worker-child.ts', import.meta.url), [JSON.stringify(input)], {
    execArgv: [...BRIEF_NODE],
  });
}

const sequencesOf = ({ received }: Receiver): Set<number> =>
  new Set(received.flatMap(({ body }) => body.data.sequences as number[]));
