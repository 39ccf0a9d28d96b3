/** Webhook subscriptions of MCP Events: a small directory, real receivers, and a clock that tests move. */

import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accept, answerWith, type Received, type Receiver } from '../support/network/receiver.ts';
import { openSubscriptionRig, type SubscriptionRig } from '../support/rigs/subscriptions.ts';
import { until } from '../support/runs/patience.ts';

let rig: SubscriptionRig;
beforeAll(async () => {
  rig = await openSubscriptionRig();
});
afterAll(() => rig.close());

let receiver: Receiver;
let key: string;
beforeEach(async () => {
  receiver = await rig.receiver();
  key = await rig.enterpriseKey();
});
afterEach(() => rig.stopSending());

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const updated = (url: string, more: Record<string, unknown> = {}) => ({
  ...{ name: 'event.updated', arguments: {}, cursor: null },
  ...{ delivery: { mode: 'webhook', url, secret: SECRET } },
  ...more,
});
const titles = ({ received }: Receiver) => received.map(({ body }) => body.data?.record.title);
/** Whatever the time: the clock of these tests moves. */
const isSignedWith = (secret: string, { headers, text }: Received): boolean => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const signature = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, text);
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
};
const MINUTE = 60_000;

describe('events/subscribe', () => {
  test('proves the endpoint once, derives one id for one key, and is idempotent', async () => {
    const first = await rig.ask('events/subscribe', updated(receiver.url), key);
    expect(first.result).toMatchObject({ id: expect.stringMatching(/^sub_[0-9a-f]{32}$/), truncated: false });
    expect(Date.parse(first.result.refreshBefore) - rig.now()).toBe(24 * 60 * MINUTE);
    expect(receiver.challenges).toHaveLength(1);
    const challenge = receiver.challenges[0] as Received;
    const { headers } = challenge;
    expect(headers['x-mcp-subscription-id']).toBe(first.result.id);
    expect(headers['webhook-id']).toMatch(/^msg_verification_/);
    expect(isSignedWith(SECRET, challenge)).toBe(true);
    const again = await rig.ask('events/subscribe', updated(receiver.url, { ttlMs: 5 * MINUTE }), key);
    expect(again.result).toMatchObject({ id: first.result.id, deliveryStatus: { active: true, lastError: null } });
    expect(Date.parse(again.result.refreshBefore) - rig.now()).toBe(5 * MINUTE);
    // The same arguments in another order are the same; others are another subscription, which asks for no further proof.
    const one = await rig.ask('events/subscribe', updated(receiver.url, { arguments: { free: true, q: 'x' } }), key);
    const two = await rig.ask('events/subscribe', updated(receiver.url, { arguments: { q: 'x', free: true } }), key);
    expect(one.result.id).toBe(two.result.id);
    expect(one.result.id).not.toBe(first.result.id);
    expect(receiver.challenges).toHaveLength(1);
    // Another account has a subscription of its own, and proves for itself.
    const other = await rig.ask('events/subscribe', updated(receiver.url), await rig.enterpriseKey());
    expect(other.result.id).not.toBe(first.result.id);
    expect(receiver.challenges).toHaveLength(2);
  });

  test('grants a time of life between a minute and thirty days', async () => {
    for (const [ttlMs, granted] of [
      [1, MINUTE],
      [null, 30 * 24 * 60 * MINUTE],
      [1e15, 30 * 24 * 60 * MINUTE],
    ]) {
      const { result } = await rig.ask('events/subscribe', updated(receiver.url, { ttlMs }), key);
      expect(Date.parse(result.refreshBefore) - rig.now()).toBe(granted);
    }
  });

  test.each([
    ['a plain URL', { url: 'http://hooks.example.org/x' }, -32602, /https/],
    ['a private address', { url: 'https://10.0.0.8/x' }, -32602, /not a public address/],
    ['a loopback address that nobody opened', { url: 'https://127.0.0.1:9/x' }, -32602, /port|public/],
    ['no URL', { url: 5 }, -32602, /https URL/],
    ['a short secret', { secret: 'whsec_c2hvcnQ=' }, -32602, /24 to 64/],
    ['a secret of another form', { secret: 'secret' }, -32602, /whsec_/],
    ['another mode', { mode: 'email' }, -32026, /delivery.mode/],
  ])('refuses %s', async (_what, delivery, code, message) => {
    const params = updated(receiver.url, { delivery: { mode: 'webhook', url: receiver.url, secret: SECRET, ...delivery } });
    const { error } = await rig.ask('events/subscribe', params, key);
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(JSON.stringify(error)).not.toContain('whsec_c2');
  });

  test('needs an Enterprise key, and tells which event, limit or endpoint it was', async () => {
    const params = updated(receiver.url);
    expect((await rig.ask('events/subscribe', params, null)).error.code).toBe(-32024);
    expect((await rig.ask('events/unsubscribe', params, null)).error.code).toBe(-32024);
    expect((await rig.ask('events/subscribe', params, await rig.key('growth'))).error.code).toBe(-32024);
    expect((await rig.ask('events/subscribe', { ...params, name: 'no.such' }, key)).error.code).toBe(-32023);
    for (const proves of [false, 'echo'] as const) {
      receiver.proves = proves;
      const unproven = await rig.ask('events/subscribe', params, key);
      expect(unproven.error, String(proves)).toMatchObject({ code: -32027, data: { reason: 'challenge_failed' } });
    }
    receiver.proves = true;
    const port = receiver.port;
    await receiver.close();
    const away = await rig.ask('events/subscribe', updated(`http://127.0.0.1:${port}/hooks`), key);
    expect(away.error).toMatchObject({ code: -32027, data: { reason: 'connection_refused' } });
    const open = await rig.receiver();
    for (let n = 0; n < 20; n += 1) await rig.ask('events/subscribe', updated(open.url, { arguments: { q: `word${n}` } }), key);
    const full = await rig.ask('events/subscribe', updated(open.url), key);
    expect(full.error).toMatchObject({ code: -32025, data: { limit: 'subscriptions', max: 20 } });
  });

  test('asks one host for proof ten times a minute at most', async () => {
    receiver.proves = false;
    const errors = [];
    for (let n = 0; n < 12; n += 1) errors.push((await rig.ask('events/subscribe', updated(`${receiver.url}/${n}`), key)).error);
    expect(errors.at(-1)).toMatchObject({ code: -32025, data: { limit: 'verifications' } });
    expect(receiver.challenges.length).toBeLessThanOrEqual(10);
  });
});

describe('deliveries', () => {
  test('are occurrences as events/poll gives them, signed, in order, each with its own cursor', async () => {
    const { result } = await rig.ask('events/subscribe', updated(receiver.url), key);
    rig.send();
    const names = ['One', 'Two', 'Three'];
    for (const [n, title] of names.entries()) await rig.rename(n, title);
    await until(() => expect(titles(receiver)).toEqual(names));
    const poll = await rig.ask('events/poll', { name: 'event.updated', arguments: {}, cursor: result.cursor }, key);
    expect(receiver.received.map(({ body }) => body)).toEqual(poll.result.events);
    for (const received of receiver.received) {
      const { headers, body } = received;
      expect([headers['webhook-id'], headers['x-mcp-subscription-id']]).toEqual([body.eventId, result.id]);
      expect(isSignedWith(SECRET, received)).toBe(true);
    }
    // A renewal tells how far it has come, so a client may begin again there.
    await until(async () => {
      const renewed = await rig.ask('events/subscribe', updated(receiver.url), key);
      expect(renewed.result.cursor).toBe(poll.result.cursor);
      expect(renewed.result.deliveryStatus.lastDeliveryAt).not.toBe(null);
    });
  });

  test('begin at the cursor, leave out what is too old, and say so', async () => {
    const begun = await rig.ask('events/poll', { name: 'event.updated', arguments: {}, cursor: null }, key);
    await rig.rename(0, 'Before');
    rig.pass(MINUTE);
    const cursor = begun.result.cursor;
    const old = await rig.ask(
      'events/subscribe',
      updated(receiver.url, { cursor, maxAgeMs: 1_000, arguments: { q: 'before' } }),
      key,
    );
    expect(old.result.truncated).toBe(true);
    const whole = await rig.ask('events/subscribe', updated(receiver.url, { cursor }), key);
    expect(whole.result).toMatchObject({ truncated: false, cursor });
    rig.send();
    await until(() => expect(titles(receiver)).toEqual(['Before']));
    const foreign = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.5`;
    const gap = await rig.ask('events/subscribe', updated(`${receiver.url}/b`, { cursor: foreign }), key);
    expect(gap.result.truncated).toBe(true);
  });

  test('are tried five times within a quarter of an hour; then the subscription waits for its renewal, and nothing is lost', async () => {
    await rig.ask('events/subscribe', updated(receiver.url), key);
    receiver.answer = answerWith(500);
    rig.send();
    await rig.rename(0, 'Late');
    await rig.rename(1, 'Later');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await until(() => expect(receiver.received).toHaveLength(attempt));
      await rig.settle();
      rig.pass(10 * MINUTE);
    }
    await rig.settle();
    expect(new Set(receiver.received.map(({ body }) => body.eventId)).size).toBe(1);
    receiver.answer = answerWith(204);
    const renewed = await rig.ask('events/subscribe', updated(receiver.url), key);
    expect(renewed.result.deliveryStatus).toMatchObject({ active: false, lastError: 'http_5xx' });
    await until(() => expect(titles(receiver).slice(5)).toEqual(['Late', 'Later']));
  });

  test.each([410, 413])('that are answered with %i are given up at once, and the next ones go on', async (status) => {
    await rig.ask('events/subscribe', updated(receiver.url), key);
    receiver.answer = (response) => {
      receiver.answer = answerWith(204);
      response.writeHead(status).end();
    };
    rig.send();
    await rig.rename(0, `Unwanted ${status}`);
    await rig.rename(1, `Wanted ${status}`);
    await until(() => expect(titles(receiver)).toEqual([`Unwanted ${status}`, `Wanted ${status}`]));
  });

  test('follow no redirect', async () => {
    const other = await rig.receiver();
    await rig.ask('events/subscribe', updated(receiver.url), key);
    receiver.answer = answerWith(307, { location: other.url });
    rig.send();
    await rig.rename(0, 'Moved');
    await until(() => expect(receiver.received).toHaveLength(1));
    await rig.settle();
    const { result } = await rig.ask('events/subscribe', updated(receiver.url), key);
    expect(result.deliveryStatus.lastError).toBe('http_4xx');
    expect(other.received).toEqual([]);
  });

  test('are signed with the old and the new secret for a while after a renewal', async () => {
    await rig.ask('events/subscribe', updated(receiver.url), key);
    await rig.ask(
      'events/subscribe',
      updated(receiver.url, { delivery: { mode: 'webhook', url: receiver.url, secret: OTHER_SECRET } }),
      key,
    );
    rig.send();
    await rig.rename(0, 'Signed twice');
    await until(() => expect(receiver.received).toHaveLength(1));
    const signedBy = () => [SECRET, OTHER_SECRET].map((secret) => isSignedWith(secret, receiver.received.at(-1) as Received));
    expect(signedBy()).toEqual([true, true]);
    rig.pass(11 * MINUTE);
    await rig.rename(1, 'Signed once');
    await until(() => expect(receiver.received).toHaveLength(2));
    expect(signedBy()).toEqual([false, true]);
  });

  test('end with the subscription: by its owner, by time, and with the plan, which is told', async () => {
    rig.send();
    await rig.ask('events/subscribe', updated(receiver.url), key);
    const foreign = await rig.ask('events/unsubscribe', updated(receiver.url), await rig.enterpriseKey());
    expect(foreign.error).toMatchObject({ code: -32023, data: { kind: 'subscription' } });
    expect((await rig.ask('events/unsubscribe', updated(receiver.url), key)).result).toMatchObject({ resultType: 'complete' });
    expect((await rig.ask('events/unsubscribe', updated(receiver.url), key)).error.code).toBe(-32023);
    await rig.ask('events/subscribe', updated(`${receiver.url}/short`, { ttlMs: MINUTE }), key);
    rig.pass(2 * MINUTE);
    await rig.ask('events/subscribe', updated(`${receiver.url}/plan`), key);
    await rig.endPlan(key);
    await rig.rename(0, 'Nobody hears');
    await until(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.body).toMatchObject({ type: 'terminated', error: { code: -32024 } });
    expect(receiver.received[0]?.headers['webhook-id']).toMatch(/^msg_terminated_/);
  });

  test('ends between two occurrences that wait, where the endpoint takes its time', async () => {
    await rig.ask('events/subscribe', updated(receiver.url), key);
    for (const number of [3, 4, 5]) await rig.rename(number, `Number ${number}`);
    receiver.answer = async (response) => {
      await rig.endPlan(key);
      setTimeout(() => accept(response), 1_000);
    };
    rig.send();
    await until(() => expect(receiver.received.at(-1)?.body.type).toBe('terminated'));
    expect(receiver.received.map(({ body }) => body.data?.record.title ?? body.type)).toEqual(['Number 3', 'terminated']);
  });
});
