import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StubEvent } from '../support/fakes/stripe.ts';
import { type BillingRig, openBillingRig } from '../support/rigs/billing.ts';

let rig: BillingRig;
beforeAll(async () => {
  rig = await openBillingRig();
});
afterAll(() => rig.dispose());
beforeEach(() => {
  rig.stub.events.length = 0;
  rig.stub.mood.down = false;
});

/** A payer whose messages have not arrived. */
async function paidUnheard(tier: 'starter' | 'growth' | 'enterprise' = 'growth') {
  const me = await rig.developer();
  const answer = await rig.billing.choose({ ...me.input, tier });
  if (!answer.ok || answer.outcome !== 'pay') throw new Error('nothing to pay');
  const paid = rig.stub.pay(answer.url.split('/').at(-1)!);
  const events = rig.stub.events.splice(0);
  return { ...me, paid, events };
}
const stateOf = async (subscriptionId: string) => {
  const { db } = rig.rig.testStore.store;
  const subscription = await db
    .selectFrom('subscription')
    .select(['tier', 'status'])
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  return `${subscription?.tier} ${subscription?.status}`;
};

describe('a message', () => {
  it('is refused unless Stripe signed these bytes within five minutes', async () => {
    const me = await paidUnheard();
    const [event] = me.events as [StubEvent];
    const { deliver } = rig.stub;
    expect(await deliver(event, { secret: 'whsec_other' })).toBe(400);
    expect(await deliver(event, { ageSeconds: 301 })).toBe(400);
    expect(await deliver(event, { alter: (body) => `${body} ` })).toBe(400);
    expect(await deliver(event, { alter: (body) => body.replace('active', 'paused') })).toBe(400);
    expect(await deliver(event, { alter: () => '' })).toBe(400);
    const unsigned = await fetch(rig.stub.webhookUrl, { method: 'POST', body: JSON.stringify(event) });
    expect(unsigned.status).toBe(400);
    expect(await stateOf(me.subscriptionId)).toBe('starter active');
    expect(await deliver(event, { ageSeconds: 290 })).toBe(200);
    expect(await stateOf(me.subscriptionId)).toBe('growth active');
  });

  it('acts on the API', async () => {
    const me = await paidUnheard();
    for (const event of me.events) await rig.stub.deliver(event);
    await expect.poll(me.tier).toBe('growth');
    expect(await me.view()).toMatchObject({ payment: { state: 'paid' }, checkout: null });
  });

  it('that comes again, one by one or 20 at once, asks Stripe nothing and changes nothing', async () => {
    const me = await paidUnheard();
    const [event] = me.events as [StubEvent];
    await Promise.all(Array.from({ length: 20 }, () => rig.stub.deliver(event)));
    const { db } = rig.rig.testStore.store;
    await rig.rig.operator.setTier(me.subscriptionId, 'enterprise');
    const asked = rig.stub.asked.length;
    expect(await rig.stub.deliver(event)).toBe(200);
    expect(rig.stub.asked.length).toBe(asked);
    expect(await stateOf(me.subscriptionId)).toBe('enterprise active');
    const seen = await db.selectFrom('stripe_event').where('id', '=', event.id).selectAll().execute();
    expect(seen).toHaveLength(1);
  });

  it('is asked for again while Stripe does not answer, and heeded then', async () => {
    const me = await paidUnheard();
    const [event] = me.events as [StubEvent];
    rig.stub.mood.down = true;
    expect(await rig.stub.deliver(event)).toBe(503);
    rig.stub.mood.down = false;
    expect(await rig.stub.deliver(event)).toBe(200);
    expect(await stateOf(me.subscriptionId)).toBe('growth active');
  });

  it('about what is not ours is heard and left alone', async () => {
    const me = await paidUnheard();
    const stranger = { ...me.paid, id: 'sub_stranger', customer: 'cus_stranger' };
    rig.stub.subscriptions.set(stranger.id, stranger);
    const object = { id: stranger.id, object: 'subscription' };
    expect(await rig.stub.deliver({ id: 'evt_a', type: 'customer.subscription.updated', object })).toBe(200);
    rig.stub.subscriptions.set('sub_other', { ...stranger, id: 'sub_other', metadata: {} });
    const other = { id: 'sub_other', object: 'subscription' };
    expect(await rig.stub.deliver({ id: 'evt_b', type: 'customer.subscription.updated', object: other })).toBe(200);
    expect(await rig.stub.deliver({ id: 'evt_c', type: 'product.created', object: { id: 'prod_1', object: 'product' } })).toBe(
      200,
    );
    expect(await stateOf(me.subscriptionId)).toBe('starter active');
  });
});

describe('a payment that fails', () => {
  it('leaves the key working while Stripe tries, then is 402, and comes back when paid', async () => {
    const me = await rig.developer();
    const paid = await me.pay('growth');
    const become = async (status: string) => {
      rig.stub.events.length = 0;
      rig.stub.become(paid.id, status);
      for (const event of rig.stub.events) await rig.stub.deliver(event);
    };
    await become('past_due');
    expect(await me.view()).toMatchObject({ status: 'active', payment: { state: 'late' } });
    expect(await me.admit()).toBe('active');
    expect(await rig.billing.choose({ ...me.input, tier: 'starter' })).toMatchObject({ reason: 'payment_due' });
    await become('unpaid');
    await expect.poll(me.admit).toBe('subscription_inactive');
    expect(await me.view()).toMatchObject({ payment: { state: 'unpaid' } });
    await become('active');
    await expect.poll(me.admit).toBe('active');
    await become('canceled');
    await expect.poll(me.admit).toBe('subscription_inactive');
    expect(await me.view()).toMatchObject({ payment: null });
    await me.pay('starter');
    await expect.poll(me.admit).toBe('active');
  });

  it('of an old subscription, told late, does not end the new one', async () => {
    const me = await rig.developer();
    const old = await me.pay('growth');
    rig.stub.become(old.id, 'canceled');
    const late = rig.stub.events.splice(0).at(-1)!;
    await rig.billing.choose({ ...me.input, tier: 'starter' });
    await me.pay('enterprise');
    expect(await rig.stub.deliver(late)).toBe(200);
    expect(await stateOf(me.subscriptionId)).toBe('enterprise active');
  });
});

describe('a history', () => {
  it('leads to the same state in every order, with one repeated, through two processes', async () => {
    const there = await rig.listenAnother();
    for (const order of permutations(['past_due', 'active', 'unpaid'])) {
      const me = await paidUnheard('growth');
      const history = new Map<string, StubEvent>();
      for (const status of ['past_due', 'active', 'unpaid']) {
        rig.stub.become(me.paid.id, status);
        history.set(status, rig.stub.events.splice(0)[0]!);
      }
      const arriving = [...order, order[0]!].map((status) => history.get(status)!);
      const sent = arriving.map((event, index) => rig.stub.deliver(event, index % 2 ? { to: there } : {}));
      expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
      expect(await stateOf(me.subscriptionId)).toBe('growth inactive');
    }
  });

  it('is not undone by an answer of Stripe that arrives after a later one was written', async () => {
    const there = await rig.listenAnother();
    const me = await paidUnheard('growth');
    const [created] = me.events as [StubEvent];
    const asked = rig.stub.asked.length;
    rig.stub.mood.lagMs = 300;
    const slow = rig.stub.deliver(created);
    await expect.poll(() => rig.stub.mood.lagMs, { interval: 1 }).toBe(0);
    rig.stub.become(me.paid.id, 'unpaid');
    expect(await rig.stub.deliver(rig.stub.events.at(-1)!, { to: there })).toBe(200);
    expect(await stateOf(me.subscriptionId)).toBe('growth inactive');
    expect(await slow).toBe(200);
    // Stripe was asked once by the quick one, twice by the slow one: its first answer was old.
    expect(rig.stub.asked.length - asked).toBe(3);
    expect(await stateOf(me.subscriptionId)).toBe('growth inactive');
  });

  it('whose messages come while it goes on ends where Stripe ends', async () => {
    const me = await paidUnheard('growth');
    const sent: Promise<number>[] = [];
    for (const status of ['past_due', 'active', 'unpaid', 'active', 'past_due', 'unpaid']) {
      rig.stub.become(me.paid.id, status);
      sent.push(...rig.stub.events.splice(0).map((event) => rig.stub.deliver(event)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(new Set(await Promise.all(sent))).toEqual(new Set([200]));
    expect(await stateOf(me.subscriptionId)).toBe('growth inactive');
  });
});

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((item, index) => permutations(list.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
