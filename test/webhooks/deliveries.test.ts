import { createPublicKey, verify as verifyBytes } from 'node:crypto';
import { type KyselyPlugin, sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailer } from '../../src/mail/index.ts';
import { readEventChoice } from '../../src/query/index.ts';
import { beginBurst } from '../../src/webhooks/dispatch/bursts.ts';
import { planDeliveries } from '../../src/webhooks/dispatch/plan-deliveries.ts';
import { lookAfterWebhooks, type Webhooks } from '../../src/webhooks/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { createFakeDirectory } from '../support/fakes/directory.ts';
import { accept, answerWith, type Received, type Receiver } from '../support/network/receiver.ts';
import { type AddedEndpoint, type Customer, openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
let worker: Webhooks;
beforeAll(async () => {
  rig = await openWebhookRig();
  worker = await rig.work();
});
afterAll(() => rig.close());
const { folder, remove } = temporaryFolder();
afterAll(remove);

async function subscriber(input: Parameters<WebhookRig['add']>[2] = {}) {
  const owner: Customer = await rig.customer();
  const receiver: Receiver = await rig.receiver();
  const endpoint: AddedEndpoint = await rig.add(owner, receiver, input);
  return { owner, receiver, endpoint };
}

const got = (receiver: Receiver, count: number): Promise<Received[]> =>
  until(() => {
    expect(receiver.received.length).toBeGreaterThanOrEqual(count);
    return receiver.received;
  });

describe('a change of the directory', () => {
  it('is pushed as the log has it, with the bytes of the detail endpoint', async () => {
    const { receiver } = await subscriber();
    const seq = await rig.put(rig.event(1, { title: 'Night of the cello' }));
    const [message] = await got(receiver, 1);
    expect(message?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    });
    expect(message?.body).toMatchObject({
      type: 'event.updated',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        sequence: seq,
        sequences: [seq],
        epoch: expect.stringMatching(/^[0-9a-f-]{36}$/),
        entity: 'event',
        id: rig.rows.events[1]?.id,
        record: { id: rig.rows.events[1]?.id, title: 'Night of the cello' },
      },
    });
    expect(message?.body.data.fields).toContain('title');
    expect(message?.body.data.previous.title).not.toBe('Night of the cello');
  });

  it('is pushed thin where that was asked for', async () => {
    const { receiver } = await subscriber({ payload: 'thin' });
    await rig.put(rig.event(2, { title: 'Thin' }));
    const [message] = await got(receiver, 1);
    expect(Object.keys(message?.body.data)).toEqual(['sequence', 'sequences', 'epoch', 'kind', 'entity', 'id', 'fields']);
  });

  it('is pushed to nobody else: types that were not chosen, changes before the proof', async () => {
    const { receiver } = await subscriber({ eventTypes: ['event.cancelled'] });
    await rig.put(rig.event(3, { title: 'Not for you' }));
    await rig.put(rig.event(4, { status: 'cancelled' }));
    const messages = await got(receiver, 1);
    expect(messages.map(({ body }) => body.type)).toEqual(['event.cancelled']);
  });
});

describe('signatures', () => {
  it('verify with the official library over the bytes that were sent, and are refused 301 s later or earlier', async () => {
    const { receiver, endpoint } = await subscriber();
    await rig.put(rig.event(5, { title: 'Größe, “quotes” and 🎷' }));
    const [message] = await got(receiver, 1);
    if (!message) throw new Error('no message');
    const hook = new Webhook(endpoint.secret);
    expect(hook.verify(message.text, message.headers)).toEqual(message.body);
    // Another serialization of the same values is other bytes.
    expect(() => hook.verify(JSON.stringify(message.body, null, 1), message.headers)).toThrow('No matching signature');
    for (const [shift, isTaken] of [
      [-301, false],
      [-240, true],
      [240, true],
      [301, false],
    ] as const) {
      const at = new Date(Date.now() + shift * 1000);
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': hook.sign('msg_1', at, message.text),
      };
      const check = () => hook.verify(message.text, headers);
      if (isTaken) expect(check, String(shift)).not.toThrow();
      else expect(check, String(shift)).toThrow(/too (old|new)/);
    }
  });

  it('hold an ed25519 signature where the public key was asked for', async () => {
    const { receiver, endpoint } = await subscriber({ publicKey: true });
    await rig.put(rig.event(6, { title: 'Signed twice' }));
    const [message] = await got(receiver, 1);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = message?.headers ?? {};
    expect(signatures.split(' ').map((each) => each.split(',')[0])).toEqual(['v1', 'v1a']);
    const raw = Buffer.from(endpoint.publicKey?.replace('whpk_', '') ?? '', 'base64');
    const key = createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: 'der', type: 'spki' });
    const signature = Buffer.from(signatures.split(' v1a,')[1] ?? '', 'base64');
    expect(verifyBytes(null, Buffer.from(`${id}.${at}.${message?.text}`), key, signature)).toBe(true);
  });

  it('are on the challenge as on every message: of both keys, and of both secrets after a rotation', async () => {
    const { owner, receiver, endpoint } = await subscriber({ publicKey: true });
    const kindsOf = (challenge: Received | undefined) =>
      challenge?.headers['webhook-signature']?.split(' ').map((each) => each.split(',')[0]);
    expect(kindsOf(receiver.challenges[0])).toEqual(['v1', 'v1a']);
    await rig.endpoints.rotate(owner, endpoint.id);
    const moved = await rig.receiver();
    await rig.endpoints.update(owner, endpoint.id, rig.input(moved.url, { publicKey: true }));
    expect(await rig.endpoints.prove(owner, endpoint.id)).toEqual({ ok: true });
    const [challenge] = moved.challenges;
    expect(kindsOf(challenge)).toEqual(['v1', 'v1', 'v1a', 'v1a']);
    expect(new Webhook(endpoint.secret).verify(challenge?.text ?? '', challenge?.headers ?? {})).toEqual(challenge?.body);
  });

  it('are of both secrets for 24 hours after a rotation, then of the new one alone', async () => {
    const { owner, receiver, endpoint } = await subscriber();
    const rotated = await rig.endpoints.rotate(owner, endpoint.id);
    if (!rotated.ok) throw new Error(rotated.detail);
    const [old, fresh] = [new Webhook(endpoint.secret), new Webhook(rotated.shown.secret ?? '')];
    await rig.put(rig.event(7, { title: 'Between' }));
    const [between] = await got(receiver, 1);
    const text = between?.text ?? '';
    expect(old.verify(text, between?.headers ?? {})).toEqual(fresh.verify(text, between?.headers ?? {}));
    rig.pass(24 * 3_600_000 + 1000);
    await rig.put(rig.event(7, { title: 'After' }));
    const [, after] = await got(receiver, 2);
    // The clock of the test is ahead of the library's.
    expect(after?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    const at = new Date(Number(after?.headers['webhook-timestamp']) * 1000);
    expect(after?.headers['webhook-signature']).toBe(fresh.sign(after?.headers['webhook-id'] ?? '', at, after?.text ?? ''));
  });
});

describe('changes of one record', () => {
  it('within 2 s are one message that names every sequence', async () => {
    const { receiver } = await subscriber();
    const first = await rig.put(rig.event(8, { title: 'One' }));
    await got(receiver, 1);
    const later = [await rig.put(rig.event(8, { title: 'Two' })), await rig.put(rig.event(8, { title: 'Three' }))];
    await worker.catchUp();
    rig.pass(2_000);
    const [, second] = await got(receiver, 2);
    expect(second?.body.data).toMatchObject({
      sequence: later[1],
      sequences: later,
      previous: { title: 'One' },
      record: { title: 'Three' },
    });
    expect(receiver.received[0]?.body.data.sequences).toEqual([first]);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('a saved query', () => {
  it('lets its events through alone, and tells who enters and leaves', async () => {
    const owner = await rig.customer();
    const receiver = await rig.receiver();
    const feedId = await rig.feed(owner, 'category=concert');
    const { id } = await rig.add(owner, receiver, { feedId });
    const settledAll = () => until(async () => expect((await rig.endpoints.find(owner.accountId, id))?.pending).toBe(0));
    await rig.put(
      rig.event(9, { category: 'comedy' }),
      rig.event(11, { category: 'comedy' }),
      rig.event(10, { category: 'concert', title: 'Stays' }),
    );
    await rig.renewSnapshot();
    await worker.catchUp();
    await settledAll();
    receiver.received.length = 0;
    rig.pass(3_000);
    await rig.put(
      rig.event(9, { category: 'concert' }),
      rig.event(10, { title: 'Stays on' }),
      rig.event(11, { category: 'comedy', title: 'Elsewhere' }),
    );
    await rig.renewSnapshot();
    const entered = await got(receiver, 3);
    const told = entered.map(({ body }) => [body.type, body.data.id]);
    expect(told.sort()).toEqual(
      [
        ['event.updated', rig.rows.events[9]?.id],
        ['feed.matched', rig.rows.events[9]?.id],
        ['event.updated', rig.rows.events[10]?.id],
      ].sort(),
    );
    receiver.received.length = 0;
    rig.pass(3_000);
    await rig.put(rig.event(9, { category: 'comedy' }));
    await rig.renewSnapshot();
    const left = await got(receiver, 2);
    expect(left.map(({ body }) => [body.type, body.data.reason]).sort()).toEqual([
      ['event.removed', 'filter'],
      ['feed.unmatched', undefined],
    ]);
  });

  it('is left, in a redelivery too, by what the lists drop without a change of a field', () => {
    const record = { found: 'published', json: '{}' } as const;
    const change = { seq: 1, at: 0, kind: 'updated', entity: 'event', entityId: crypto.randomUUID(), record } as const;
    const choice = readEventChoice('category=concert', 'UTC', 0);
    const reader = { id: 'a', eventTypes: new Set(['event.removed', 'feed.unmatched']), sinceSeq: 0, feedId: 'b', choice };
    const { deliveries } = planDeliveries([change], [reader], [], beginBurst(createFakeDirectory().search.current()), 0);
    expect(deliveries.map(({ message }) => message.form)).toEqual(['left', 'feed.unmatched']);
  });
});

describe('an endpoint that fails', () => {
  it('gets every attempt under one webhook-id, on the schedule of 75 h 35 min, then no more', async () => {
    const { receiver, owner, endpoint } = await subscriber();
    receiver.answer = answerWith(500, {}, 'out of order');
    await rig.put(rig.event(12, { title: 'Again and again' }));
    let waited = 0;
    for (const [index, seconds] of [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
      // A little before its time nothing comes.
      if (seconds > 0) {
        rig.pass(seconds * 1000 * 0.8);
        worker.wake();
        await settled();
        expect(receiver.received).toHaveLength(index);
        rig.pass(seconds * 1000 * 0.37);
        waited += seconds;
      }
      worker.wake();
      await got(receiver, index + 1);
      await until(async () => expect(await rig.endpoints.attempts(owner.accountId, endpoint.id)).toHaveLength(index + 1));
    }
    expect(waited).toBe(75 * 3600 + 35 * 60 + 5);
    rig.pass(7 * 86_400_000);
    worker.wake();
    await settled();
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect((await rig.endpoints.find(owner.accountId, endpoint.id))?.pending).toBe(0);
    receiver.answer = accept;
  });

  it('is not followed to another place, and is disabled when it says 410', async () => {
    const elsewhere = await rig.receiver();
    const { receiver, owner, endpoint } = await subscriber();
    receiver.answer = answerWith(302, { location: elsewhere.url });
    await rig.put(rig.event(13, { title: 'Moved' }));
    await until(async () =>
      expect((await rig.endpoints.attempts(owner.accountId, endpoint.id))[0]?.outcome).toMatch(/redirects|status/),
    );
    expect(elsewhere.received).toEqual([]);
    receiver.answer = answerWith(410);
    rig.pass(10_000);
    worker.wake();
    await until(async () =>
      expect(await rig.endpoints.find(owner.accountId, endpoint.id)).toMatchObject({ state: 'disabled', reason: 'gone' }),
    );
  });
});

describe('an endpoint that stops and goes on', () => {
  const stateOf = async (id: string) =>
    (await rig.opened.store.db.selectFrom('webhook_endpoint').select('state').where('id', '=', id).executeTakeFirstOrThrow())
      .state;

  const lookAfter = (db = rig.opened.store.db) => {
    const { clocks, log } = rig.parts;
    const mailer = openMailer({ smtpUrl: null, from: 'no-reply@example.org', dataDir: folder, log });
    return lookAfterWebhooks({ db, mailer, publicUrl: 'https://example.test', clocks, log });
  };

  it('says so when its plan ends, though nothing changes in the directory', async () => {
    const { owner, endpoint } = await subscriber();
    const account = rig.opened.store.db.updateTable('account').where('id', '=', owner.accountId);
    await account.set({ status: 'suspended' }).execute();
    await lookAfter();
    expect(await rig.endpoints.find(owner.accountId, endpoint.id)).toMatchObject({ state: 'stopped', reason: 'plan' });
    await account.set({ status: 'active' }).execute();
    await lookAfter();
    expect(await stateOf(endpoint.id)).toBe('active');
  });

  it('gets what had been taken for it and not been sent when it was paused', async () => {
    const { owner, receiver, endpoint } = await subscriber();
    await rig.endpoints.pause(owner, endpoint.id);
    await sql`
      with message as (
        insert into webhook_message (id, type, head, body, created_at)
        values (gen_random_uuid(), 'event.updated', '{"type":"event.updated","data":{"id":"x"', '', ${new Date(rig.now())}) returning id)
      insert into webhook_delivery (endpoint_id, message_id, state, due_at)
      select ${endpoint.id}, id, 'sending', ${new Date(rig.now())} from message`.execute(rig.opened.store.db);
    await rig.endpoints.resume(owner, endpoint.id);
    worker.wake();
    expect((await got(receiver, 1))[0]?.body.data).toEqual({ id: 'x' });
  });

  it('is disabled when too much waits, and has time to work it off once its owner has activated it', async () => {
    const { db } = rig.opened.store;
    const { owner, receiver, endpoint } = await subscriber();
    const row = db.updateTable('webhook_endpoint').where('id', '=', endpoint.id);
    await row.set({ pending: 500_000, state_at: new Date(rig.now() - 2 * 3_600_000) }).execute();
    await rig.put(rig.event(6, { title: 'Too much' }));
    await until(async () =>
      expect(await rig.endpoints.find(owner.accountId, endpoint.id)).toMatchObject({ state: 'disabled', reason: 'backlog' }),
    );
    await rig.endpoints.resume(owner, endpoint.id);
    await rig.put(rig.event(7, { title: 'Once more' }));
    expect((await got(receiver, 1))[0]?.body.data.record.title).toBe('Once more');
    expect(await stateOf(endpoint.id)).toBe('active');
  });

  it('misses nothing when it gets a saved query, though the lane of saved queries is ahead, and others get nothing twice', async () => {
    const eventTypes = ['event.updated'];
    const { owner, receiver, endpoint } = await subscriber({ eventTypes });
    const other = await rig.customer();
    const witness = await rig.receiver();
    await rig.add(other, witness, { eventTypes, feedId: await rig.feed(other, 'category=concert') });
    const feedId = await rig.feed(owner, 'category=concert');
    const number = 15;
    await rig.put(rig.event(number, { category: 'concert', title: 'Before' }));
    await rig.renewSnapshot();
    await worker.catchUp();
    await Promise.all([got(receiver, 1), got(witness, 1)]);
    await worker.close();
    receiver.received.length = witness.received.length = 0;
    rig.pass(5_000);
    const head = await rig.put(rig.event(number, { title: 'Between the lanes' }));
    await rig.renewSnapshot();
    const { db } = rig.opened.store;
    await db.updateTable('webhook_follower').set({ position: head }).where('lane', '=', 'matched').execute();
    await rig.endpoints.update(owner, endpoint.id, rig.input(receiver.url, { eventTypes, feedId }));
    worker = await rig.work();
    expect((await got(receiver, 1))[0]?.body.data).toMatchObject({ sequence: head, id: rig.rows.events[number]?.id });
    await worker.catchUp();
    expect(witness.received).toEqual([]);
  });

  it('does not go on by itself once its owner has removed it', async () => {
    const { owner, endpoint } = await subscriber();
    const { db } = rig.opened.store;
    await db.updateTable('webhook_endpoint').set({ state: 'stopped' }).where('id', '=', endpoint.id).execute();
    // Its owner removes it after it was found.
    const removing: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const isFound = result.rows.some((row) => row.id === endpoint.id && 'feed_id' in row);
        if (isFound && (await stateOf(endpoint.id)) === 'stopped') await rig.endpoints.remove(owner, endpoint.id);
        return result;
      },
    };
    await lookAfter(db.withPlugin(removing));
    expect(await stateOf(endpoint.id)).toBe('paused');
  });
});

/** Long enough for a sender to look, several times. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 350));
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
