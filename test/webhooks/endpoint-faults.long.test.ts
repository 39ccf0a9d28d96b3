/**
 * What receivers do wrong, and what happens around them. PostgreSQL is enough: receivers do not see which database the messages
 * come from.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openMailer } from '../../src/mail/index.ts';
import { transact } from '../../src/store/index.ts';
import { lookAfterWebhooks, tell, type Webhooks } from '../../src/webhooks/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { accept, answerWith, type Receiver } from '../support/network/receiver.ts';
import { type Customer, openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';
import { until } from '../support/runs/patience.ts';

let rig: WebhookRig;
let worker: Webhooks;
beforeAll(async () => {
  rig = await openWebhookRig();
  worker = await rig.work();
});
afterAll(() => rig.close());

async function subscriber(input: Parameters<WebhookRig['add']>[2] = {}) {
  const owner = await rig.customer();
  const receiver = await rig.receiver();
  const { id } = await rig.add(owner, receiver, input);
  return { owner, receiver, id };
}
const attempts = (owner: Customer, id: string) => rig.endpoints.attempts(owner.accountId, id);
const lastAttempt = (owner: Customer, id: string, count: number) =>
  until(async () => {
    const all = await attempts(owner, id);
    expect(all).toHaveLength(count);
    return all[0];
  });
const state = (owner: Customer, id: string) => rig.endpoints.find(owner.accountId, id);

let titles = 0;
const change = (number: number) => rig.put(rig.event(number, { title: `Change ${titles++}` }));

describe('an answer', () => {
  it('that takes 12 s is a success, one that takes more than 15 s a timeout that is tried again', async () => {
    const slow = await subscriber();
    const late = await subscriber();
    slow.receiver.answer = (response) => void delay(12_000).then(() => accept(response));
    late.receiver.answer = (response) => void delay(17_000).then(() => accept(response));
    await change(1);
    expect(await lastAttempt(slow.owner, slow.id, 1)).toMatchObject({ outcome: 'delivered', status: 204 });
    expect(await lastAttempt(late.owner, late.id, 1)).toMatchObject({ outcome: 'timeout', status: null });
    expect(await state(late.owner, late.id)).toMatchObject({ pending: 1, failures: 1 });
    await rig.endpoints.remove(late.owner, late.id);
    await rig.endpoints.remove(slow.owner, slow.id);
  });

  it('of 404, 400, a reset or nothing at all is tried again', async () => {
    for (const answer of [
      answerWith(404),
      answerWith(400),
      (response: Parameters<typeof accept>[0]) => void response.socket?.resetAndDestroy(),
      (response: Parameters<typeof accept>[0]) => void response.socket?.destroy(),
    ]) {
      const { owner, receiver, id } = await subscriber();
      receiver.answer = answer;
      await change(2);
      expect((await lastAttempt(owner, id, 1))?.outcome).not.toBe('delivered');
      receiver.answer = accept;
      rig.pass(10_000);
      worker.wake();
      expect((await lastAttempt(owner, id, 2))?.outcome).toBe('delivered');
      await rig.endpoints.remove(owner, id);
    }
  });

  it.each([
    ['in seconds', '120', 120_000],
    ['as a date', () => new Date(Date.now() + 600_000).toUTCString(), 590_000],
    ['that nobody understands', 'soon', 4_000],
    ['of ten years', '315360000', 86_390_000],
  ] as const)('with Retry-After %s is respected, up to a day', async (_kind, value, least) => {
    const { owner, receiver, id } = await subscriber();
    const text = typeof value === 'string' ? value : value();
    receiver.answer = answerWith(503, { 'retry-after': text });
    const before = rig.now();
    await change(3);
    await lastAttempt(owner, id, 1);
    const { due_at } = await rig.opened.store.db
      .selectFrom('webhook_delivery')
      .select('due_at')
      .where('endpoint_id', '=', id)
      .executeTakeFirstOrThrow();
    // The receiver's date is of real time, which goes on while the clock of the test stands.
    expect(due_at.getTime() - before).toBeGreaterThanOrEqual(least - 60_000 * Number(least === 590_000));
    expect(due_at.getTime() - before).toBeLessThanOrEqual(86_400_000 + 5_000);
    await rig.endpoints.remove(owner, id);
  });

  it('without an end is read up to 4 KB, and cookies and tokens of it are not kept', async () => {
    const { owner, receiver, id } = await subscriber();
    let closed = false;
    receiver.answer = (response) => {
      response.writeHead(200, { 'set-cookie': 'session=1', 'x-api-token': 'abc', 'x-request-id': 'r1' });
      const timer = setInterval(() => response.write('x'.repeat(65_536)), 5);
      response.on('close', () => {
        closed = true;
        clearInterval(timer);
      });
    };
    await change(4);
    const attempt = await lastAttempt(owner, id, 1);
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 200 });
    expect(attempt?.answer).toHaveLength(4096);
    expect(Object.keys(attempt?.answerHeaders ?? {})).toContain('x-request-id');
    expect(JSON.stringify(attempt)).not.toMatch(/session=1|abc/);
    expect(JSON.stringify(attempt)).not.toContain('v1,');
    await until(() => expect(closed).toBe(true));
    await rig.endpoints.remove(owner, id);
  });
});

describe('an address', () => {
  it('that leads inside when it is asked is refused, and tells nothing of what is there', async () => {
    const { owner, receiver, id } = await subscriber();
    // As if the name had led elsewhere when it was saved.
    await rig.opened.store.db
      .updateTable('webhook_endpoint')
      .set({ url: 'http://127.0.0.1:1/admin?x=1' })
      .where('id', '=', id)
      .execute();
    await change(5);
    const attempt = await lastAttempt(owner, id, 1);
    expect(attempt).toMatchObject({ outcome: 'refused_address', status: null, answer: '', answerHeaders: {} });
    expect(JSON.stringify(attempt?.detail)).not.toContain('admin');
    expect(receiver.received).toEqual([]);
    await rig.endpoints.remove(owner, id);
  });

  it('gets nothing before its challenge is returned, nor after it was changed', async () => {
    const owner = await rig.customer();
    const receiver = await rig.receiver();
    receiver.proves = false;
    const created = await rig.endpoints.create(owner, rig.input(receiver.url));
    if (!created.ok) throw new Error(created.detail);
    expect(await rig.endpoints.prove(owner, created.id)).toMatchObject({ ok: false, reason: 'not_proven' });
    await change(6);
    await worker.catchUp();
    receiver.proves = true;
    expect(await rig.endpoints.prove(owner, created.id)).toEqual({ ok: true });
    const seq = await change(6);
    await until(() => expect(receiver.received.map(({ body }) => body.data.sequence)).toEqual([seq]));
    const other = await rig.receiver();
    expect(await rig.endpoints.update(owner, created.id, rig.input(other.url))).toMatchObject({ ok: true });
    await change(7);
    await worker.catchUp();
    await delay(300);
    expect(other.received).toEqual([]);
    expect(await state(owner, created.id)).toMatchObject({ state: 'unproven' });
  });
});

describe('the order', () => {
  it('of a fifo endpoint is kept, one message at a time, also while one fails', async () => {
    const { owner, receiver, id } = await subscriber({ order: 'fifo', eventTypes: ['event.updated'] });
    let failures = 2;
    receiver.answer = (response) => void delay(20).then(() => answerWith(failures-- > 0 ? 500 : 200)(response));
    const sequences: number[] = [];
    for (let number = 10; number < 20; number++) sequences.push(await change(number));
    await until(async () => {
      rig.pass(60_000);
      worker.wake();
      // Nothing waits either before the changes were seen.
      expect(receiver.received.length).toBeGreaterThanOrEqual(sequences.length + 2);
      expect((await state(owner, id))?.pending).toBe(0);
    });
    const order = receiver.received.map(({ body }) => body.data.sequence);
    const [first] = sequences;
    expect(order).toEqual([first, first, ...sequences]);
    expect(receiver.mostAtOnce).toBe(1);
  });
});

describe('an endpoint that returns', () => {
  it('gets one request at a time at first, then more and more', async () => {
    const { owner, receiver, id } = await subscriber({ eventTypes: ['event.updated'] });
    receiver.answer = answerWith(500);
    await rig.put(...Array.from({ length: 30 }, (_, number) => rig.event(number, { title: `Storm ${titles++}` })));
    await until(async () => {
      rig.pass(40_000);
      worker.wake();
      expect((await state(owner, id))?.failures).toBeGreaterThanOrEqual(5);
    });
    // One at a time while it fails: what waits loses no attempts.
    const failed = receiver.received.length;
    expect(failed).toBeLessThan(30);
    receiver.mostAtOnce = 0;
    const widths: number[] = [];
    let under = 0;
    receiver.answer = (response) => {
      under += 1;
      widths.push(under);
      void delay(30).then(() => {
        under -= 1;
        accept(response);
      });
    };
    await until(async () => {
      rig.pass(3_600_000);
      worker.wake();
      expect((await state(owner, id))?.pending).toBe(0);
    });
    expect(widths[0]).toBe(1);
    expect(Math.max(...widths.slice(0, 2))).toBeLessThanOrEqual(2);
    expect(Math.max(...widths)).toBeLessThanOrEqual(8);
    expect(await state(owner, id)).toMatchObject({ failures: 0, failingSince: null });
  });
});

describe('a plan that ends', () => {
  it('stops deliveries at once and says so; what waits is sent when it is back, and dropped after a day', async () => {
    const { owner, receiver, id } = await subscriber();
    const { db } = rig.opened.store;
    receiver.answer = answerWith(500);
    await change(8);
    await lastAttempt(owner, id, 1);
    receiver.answer = accept;
    await db.updateTable('account').set({ status: 'suspended' }).where('id', '=', owner.accountId).execute();
    rig.pass(10_000);
    worker.wake();
    await change(9);
    await until(async () => expect(await state(owner, id)).toMatchObject({ state: 'stopped', reason: 'plan', pending: 1 }));
    expect(receiver.received).toHaveLength(1);
    await db.updateTable('account').set({ status: 'active' }).where('id', '=', owner.accountId).execute();
    await lookAfter();
    worker.wake();
    await until(() => expect(receiver.received).toHaveLength(2));
    await db.updateTable('subscription').set({ status: 'inactive' }).where('id', '=', owner.subscriptionId).execute();
    await change(9);
    await until(async () => expect(await state(owner, id)).toMatchObject({ state: 'stopped' }));
    rig.pass(86_400_000 + 1000);
    await lookAfter();
    expect(await state(owner, id)).toMatchObject({ pending: 0 });
  });
});

const { folder, remove } = temporaryFolder();
afterAll(remove);
const log = createLog('silent');
const mailer = openMailer({ smtpUrl: null, from: 'no-reply@example.org', dataDir: folder, log });
const lookAfter = () =>
  lookAfterWebhooks({
    db: rig.opened.store.db,
    mailer,
    publicUrl: 'https://example.test',
    log,
    clocks: { directory: rig.now, limits: rig.now },
  });
const mailsTo = (email: string) =>
  mailer
    .recent()
    .filter(({ to }) => to === email)
    .map(({ subject }) => subject);

describe('the owner of an endpoint that fails', () => {
  it('gets e-mails after an hour, a day and when it is disabled after five days; other endpoints are told', async () => {
    const { owner, receiver, id } = await subscriber({ eventTypes: ['event.updated'] });
    const witness = await rig.receiver();
    await rig.add(owner, witness, { eventTypes: ['endpoint.disabled'] });
    receiver.answer = answerWith(500);
    await change(21);
    await lastAttempt(owner, id, 1);
    await lookAfter();
    expect(mailsTo(owner.email)).toEqual([]);
    rig.pass(3_600_000 + 1000);
    await lastAttempt(owner, id, 2);
    await lookAfter();
    await lookAfter();
    expect(mailsTo(owner.email)).toEqual(['A webhook endpoint has failed for an hour']);
    rig.pass(86_400_000);
    await lastAttempt(owner, id, 3);
    await lookAfter();
    expect(mailsTo(owner.email)[0]).toBe('A webhook endpoint has failed for a day');
    // Only failures that go on count: the message is tried again each day.
    for (let count = 4; count <= 7; count += 1) {
      rig.pass(86_400_000);
      await lastAttempt(owner, id, count);
    }
    await lookAfter();
    expect(mailsTo(owner.email)[0]).toBe('A webhook endpoint is disabled');
    expect(mailsTo(owner.email)).toHaveLength(3);
    expect(await state(owner, id)).toMatchObject({ state: 'disabled', reason: 'failing' });
    worker.wake();
    await until(() => expect(witness.received[0]?.body).toMatchObject({ type: 'endpoint.disabled', data: { endpointId: id } }));
  });
});

describe('an account', () => {
  it('is told of 80 % and 100 % of a day once each, and of a key that expires', async () => {
    const { owner, receiver } = await subscriber({ eventTypes: ['quota.warning', 'key.expiring', 'export.ready'] });
    const { db } = rig.opened.store;
    const day = new Date(rig.now()).toISOString().slice(0, 10);
    const use = (requests: number) =>
      db
        .insertInto('usage_day')
        .values({ subscription_id: owner.subscriptionId, day, requests })
        .onConflict((conflict) => conflict.columns(['subscription_id', 'day']).doUpdateSet({ requests }))
        .execute();
    await use(79_999);
    await lookAfter();
    await use(80_000);
    await lookAfter();
    await lookAfter();
    await use(100_000);
    await lookAfter();
    await db
      .updateTable('api_key')
      .set({ expires_at: new Date(rig.now() + 3_600_000) })
      .where('subscription_id', '=', owner.subscriptionId)
      .execute();
    await lookAfter();
    await transact(db, (trx) => tell(trx, owner.accountId, { type: 'export.ready', data: { exportId: 'x' }, now: rig.now() }));
    worker.wake();
    await until(() => expect(receiver.received).toHaveLength(4));
    const told = receiver.received.map(({ body }) => [body.type, body.data.percent]);
    expect(told.sort()).toEqual([
      ['export.ready', undefined],
      ['key.expiring', undefined],
      ['quota.warning', 100],
      ['quota.warning', 80],
    ]);
  });
});

describe('what was missed', () => {
  it('is recovered by sequence and by time, and one message is sent again under its id', async () => {
    const { owner, receiver, id } = await subscriber({ eventTypes: ['event.updated'] });
    expect(await rig.endpoints.pause(owner, id)).toEqual({ ok: true });
    rig.pass(5_000);
    const from = rig.now();
    const missed = [await change(22), await change(23)];
    expect(await rig.endpoints.resume(owner, id)).toEqual({ ok: true });
    const sequences = () => receiver.received.map(({ body }) => body.data.sequence).sort((a, b) => a - b);
    expect(await rig.redelivery.recover(owner, id, { by: 'sequence', from: missed[0] ?? 0, to: missed[1] ?? 0 })).toEqual({
      ok: true,
      messages: 2,
    });
    await until(() => expect(sequences()).toEqual(missed));
    expect(await rig.redelivery.recover(owner, id, { by: 'time', from, to: null })).toEqual({ ok: true, messages: 2 });
    await until(() => expect(sequences()).toHaveLength(4));
    const again = await until(async () => {
      const all = await attempts(owner, id);
      expect(all).toHaveLength(4);
      return all[0];
    });
    expect(await rig.redelivery.resend(owner, id, again?.id ?? '')).toEqual({ ok: true });
    await until(() => expect(receiver.received).toHaveLength(5));
    const repeated = receiver.received.filter(({ headers }) => headers['webhook-id'] === `msg_${again?.messageId}`);
    expect(repeated).toHaveLength(2);
    expect(new Set(repeated.map(({ text }) => text)).size).toBe(1);
  });
});

describe('a thousand dead endpoints', () => {
  it('do not delay a healthy one: those that hang have places of their own', async () => {
    const owners: Customer[] = [];
    for (let number = 0; number < 6; number++) owners.push(await rig.customer());
    const dead: Receiver = await rig.receiver();
    let givenUp = 0;
    dead.answer = (response) => void response.on('close', () => givenUp++);
    const ids: [Customer, string][] = [];
    for (const owner of owners)
      for (let number = 0; number < 18; number++)
        ids.push([owner, (await rig.add(owner, dead, { eventTypes: ['event.updated'] })).id]);
    const { receiver } = await subscriber({ eventTypes: ['event.updated'] });
    await change(24);
    await until(() => expect(dead.received.length).toBeGreaterThan(64));
    let withoutWait = 0;
    for (let round = 0; round < 5; round++) {
      rig.pass(3_000);
      const givenUpBefore = givenUp;
      const before = receiver.received.length;
      await change(25 + round);
      await until(() => expect(receiver.received.length).toBeGreaterThan(before));
      if (givenUp === givenUpBefore) withoutWait++;
    }
    // Sent while each one that hangs kept its place, at least sometimes: all are given up after 15 seconds, which may fall into a round.
    expect(withoutWait).toBeGreaterThan(0);
    for (const [owner, id] of ids) await rig.endpoints.remove(owner, id);
    dead.answer = accept;
  });
});
