/** How soon a change is pushed, how fast many are, and what dead endpoints cost the healthy ones. */

import { sql } from 'kysely';
import { openReceiver, type Receiver } from '../test/support/receiver.ts';
import { openNewTestStore } from '../test/support/store.ts';
import { openWebhookRig, type WebhookRig } from '../test/support/webhooks.ts';
import { percentile } from './load.ts';

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

/** One worker and the embedded database in this process. */
export async function webhookFigures({ changes, storm, dead, waiting }: WebhookSize): Promise<WebhookFigures> {
  // Of its own: the stores that tests pass on stay open, and so would this process.
  const rig = await openWebhookRig({ realTime: true, opened: await openNewTestStore() });
  const receiver = await rig.receiver();
  const times: number[] = [];
  let committedAt = 0;
  let count = 0;
  receiver.answer = (response) => {
    count += 1;
    times.push(performance.now() - committedAt);
    receiver.received.length = 0;
    response.writeHead(204).end();
  };
  try {
    for (let account = 0; account < ENDPOINTS / PER_ACCOUNT; account++) {
      const owner = await rig.customer();
      for (let number = 0; number < PER_ACCOUNT; number++) await rig.add(owner, receiver, { eventTypes: ['event.updated'] });
    }
    await rig.work();
    const firstAttempt = await timeChanges(changes);
    const { seconds, growthMb } = await timeStorm();
    const deadReceiver = await openReceiver();
    deadReceiver.answer = () => {};
    await addDead(rig, deadReceiver, dead, waiting);
    const besideDead = await timeChanges(changes, 0.99);
    await deadReceiver.close();
    return { firstAttempt, seconds, deliveries: storm * ENDPOINTS, growthMb, besideDead };
  } finally {
    await rig.close();
  }

  /** Each change is of another record: nothing is held to become one message. */
  async function timeChanges(number: number, share = 0.95): Promise<number> {
    times.length = 0;
    for (let turn = 0; turn < number; turn++) {
      const target = count + ENDPOINTS;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await rig.put(rig.event(turn % RECORDS, { title: `Change ${Math.random()}` }));
      committedAt = performance.now();
      await reach(target);
    }
    return percentile(times, share);
  }

  async function timeStorm() {
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 100);
    const target = count + storm * ENDPOINTS;
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
    return { seconds: (performance.now() - begun) / 1000, growthMb: (most - before) / 2 ** 20 };
  }

  async function reach(target: number): Promise<void> {
    while (count < target) await new Promise((resolve) => setTimeout(resolve, 5));
  }
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
