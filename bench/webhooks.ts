/** How soon a change is pushed, how fast many are, and what dead endpoints cost the healthy ones. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { limitHeapGrowth } from '../src/values/heap-growth.ts';
import { openNewTestStore } from '../test/support/database/store.ts';
import type { Receiver } from '../test/support/network/receiver.ts';
import { openWebhookRig, type WebhookRig } from '../test/support/rigs/webhooks.ts';
import { percentile, residentMb } from './load.ts';

export interface WebhookFigures {
  /** From the commit to the first attempt, p95 over all endpoints, milliseconds. */
  firstAttempt: number;
  seconds: number;
  deliveries: number;
  growthMb: number;
  /** Of healthy endpoints beside dead ones, p99, milliseconds. */
  besideDead: number;
}

export interface WebhookSize {
  changes: number;
  /** Changes that each of the 100 endpoints gets. */
  storm: number;
  dead: number;
  /** Messages that wait for each dead endpoint. */
  waiting: number;
}

/** One worker and the embedded database in this process, the receiver in another. */
export async function webhookFigures({ changes, storm, dead, waiting }: WebhookSize): Promise<WebhookFigures> {
  // As `serve --role worker` does.
  limitHeapGrowth();
  // Of its own: the stores that tests pass on stay open, and so would this process.
  const rig = await openWebhookRig({ realTime: true, opened: await openNewTestStore() });
  const customers = await startCustomers();
  const { arrivals } = customers;
  try {
    rig.reach(customers.port);
    for (let account = 0; account < ENDPOINTS / PER_ACCOUNT; account++) {
      const owner = await rig.customer();
      for (let number = 0; number < PER_ACCOUNT; number++) await rig.add(owner, customers, { eventTypes: ['event.updated'] });
    }
    await rig.work();
    const firstAttempt = await timeChanges(changes);
    const { seconds, growthMb } = await timeStorm();
    const deadReceiver = await rig.receiver();
    deadReceiver.answer = () => {};
    await addDead(rig, deadReceiver, dead, waiting);
    const besideDead = await timeChanges(changes, 0.99);
    return { firstAttempt, seconds, deliveries: storm * ENDPOINTS, growthMb, besideDead };
  } finally {
    await rig.close();
    await customers.stop();
  }

  /** Each change is of another record: nothing is held to become one message. */
  async function timeChanges(number: number, share = 0.95): Promise<number> {
    const times: number[] = [];
    for (let turn = 0; turn < number; turn++) {
      const target = arrivals.length + ENDPOINTS;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await rig.put(rig.event(turn % RECORDS, { title: `Change ${Math.random()}` }));
      const committedAt = performance.timeOrigin + performance.now();
      await reach(target);
      times.push(...arrivals.slice(-ENDPOINTS).map((at) => at - committedAt));
    }
    return percentile(times, share);
  }

  async function timeStorm() {
    const before = residentMb(process.pid);
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, residentMb(process.pid));
    }, 100);
    const target = arrivals.length + storm * ENDPOINTS;
    const begun = performance.now();
    for (let done = 0; done < storm; done += RECORDS) {
      const events = Array.from({ length: Math.min(RECORDS, storm - done) }, (_, number) =>
        rig.event(number, { title: `Storm ${done + number}` }),
      );
      await rig.put(...events);
      // Changes of one record within two seconds are one message.
      if (done + RECORDS < storm) await new Promise((resolve) => setTimeout(resolve, 2_100));
    }
    await reach(target);
    clearInterval(timer);
    return { seconds: (performance.now() - begun) / 1000, growthMb: most - before };
  }

  async function reach(target: number): Promise<void> {
    while (arrivals.length < target) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

interface Customers {
  port: number;
  url: string;
  /** When each message came, in order, in milliseconds on the clock of `performance.timeOrigin`. */
  arrivals: number[];
  stop(): Promise<void>;
}

async function startCustomers(): Promise<Customers> {
  const child = fork(new URL('./receiver.ts', import.meta.url));
  const arrivals: number[] = [];
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  child.on('message', (message: { arrivals: number[] }) => {
    for (const at of message.arrivals) arrivals.push(at);
  });
  return {
    ...{ port, url: `http://127.0.0.1:${port}/hooks`, arrivals },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** They hang, and nobody knows it yet; all messages are due. */
async function addDead(rig: WebhookRig, receiver: Receiver, dead: number, waiting: number): Promise<void> {
  const { db } = rig.opened.store;
  const columns = sql.raw(
    'account_id, description, event_types, payload, delivery_order, secret, state, state_at, challenge, lane, since_seq, created_at, updated_at',
  );
  const model = sql`(select * from webhook_endpoint order by id limit 1)`;
  await sql`
    insert into webhook_endpoint (id, url, pending, work_at, ${columns})
    select gen_random_uuid(), ${receiver.url}, ${waiting}, now(), ${columns} from ${model} as model, generate_series(1, ${dead})`.execute(
    db,
  );
  await sql`
    insert into webhook_delivery (endpoint_id, message_id, state, due_at)
    select endpoint.id, (select id from webhook_message limit 1), 'pending', now()
    from webhook_endpoint as endpoint, generate_series(1, ${waiting}) where url = ${receiver.url} and pending = ${waiting}`.execute(
    db,
  );
}

const ENDPOINTS = 100;
const PER_ACCOUNT = 20;
const RECORDS = 40;
