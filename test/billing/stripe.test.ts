/** Both engines: forms that are sent at once wait for each other in the database. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAccountAdmin } from '../../src/accounts/index.ts';
import { createManualBilling, createRequests } from '../../src/billing/index.ts';
import { answerLate } from '../support/database/answer-late.ts';
import { type BillingRig, openBillingRig } from '../support/rigs/billing.ts';

let rig: BillingRig;
beforeAll(async () => {
  rig = await openBillingRig();
});
afterAll(() => rig.dispose());
beforeEach(() => {
  Object.assign(rig.stub.mood, { declines: false, down: false, delayMs: 0, loseAnswers: 0 });
  rig.stub.events.length = 0;
  rig.stub.charges.length = 0;
  rig.stub.asked.length = 0;
  rig.later.ms = 0;
});

const urlOf = (answer: object) => ('url' in answer ? String(answer.url) : '');

describe('a first payment', () => {
  it('changes nothing until it is made, then the plan at once, in the trial too', async () => {
    const me = await rig.developer('trial');
    const answer = await rig.billing.choose({ ...me.input, tier: 'growth' });
    expect(answer).toMatchObject({ ok: true, outcome: 'pay' });
    expect(await me.view()).toMatchObject({ tier: 'starter', status: 'trialing', payment: null, checkout: { tier: 'growth' } });
    const session = urlOf(answer).split('/').at(-1)!;
    expect(await rig.billing.settle({ by: me.by, session })).toMatchObject({ state: 'open' });
    expect(await me.tier()).toBe('starter');
    rig.stub.pay(session);
    expect(await rig.billing.settle({ by: me.by, session })).toMatchObject({ state: 'paid', tier: 'growth' });
    await expect.poll(me.tier).toBe('growth');
    expect(await me.view()).toMatchObject({
      tier: 'growth',
      status: 'active',
      payment: { state: 'paid', endsAt: null },
      checkout: null,
    });
    expect(rig.stub.charges).toEqual([14_900]);
  });

  it('brings a key back whose trial is over', async () => {
    const me = await rig.developer('trial');
    rig.rig.pass(7 * 86_400_000 + 1);
    expect(await me.admit()).toBe('trial_expired');
    await me.pay('starter');
    await expect.poll(me.admit).toBe('active');
  });

  it('is one Checkout and one charge for 20 clicks at once, in two processes, for one form or for many', async () => {
    for (const token of [() => 'one form', () => crypto.randomUUID()]) {
      const me = await rig.developer();
      const [here, there] = [rig.billing, rig.openAnother()];
      rig.stub.asked.length = 0;
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? here : there).choose({ ...me.input, token: token(), tier: 'growth' })),
      );
      expect(new Set(all.map(urlOf)).size).toBe(1);
      expect([...rig.stub.sessions.values()].filter(({ ownSubscription }) => ownSubscription === me.subscriptionId)).toHaveLength(
        1,
      );
      rig.stub.pay(urlOf(all[0]!).split('/').at(-1)!);
      const again = await Promise.all(Array.from({ length: 20 }, () => here.choose({ ...me.input, tier: 'growth' })));
      for (const answer of again) expect(answer.ok && answer.outcome).toBeOneOf(['changed', 'unchanged']);
      expect(rig.stub.charges).toEqual([14_900]);
      rig.stub.charges.length = 0;
    }
  });

  it('is not asked for again of somebody who pays while another click is under way', async () => {
    const me = await rig.developer();
    const first = await rig.billing.choose({ ...me.input, tier: 'growth' });
    const [asked, paid] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = rig.openAnother(
      answerLate(rig.rig.testStore.store.db, 'stripe_subscription', () => {
        asked.resolve();
        return paid.promise;
      }),
    );
    const click = slow.choose({ ...me.input, token: 'second', tier: 'growth' });
    await asked.promise;
    const session = urlOf(first).split('/').at(-1)!;
    rig.stub.pay(session);
    await rig.billing.settle({ by: me.by, session });
    paid.resolve();
    expect(await click).toMatchObject({ ok: true, outcome: 'unchanged' });
    expect(rig.stub.charges).toEqual([14_900]);
    const ways = [...rig.stub.sessions.values()].filter(({ ownSubscription }) => ownSubscription === me.subscriptionId);
    expect(ways).toHaveLength(1);
  });

  it('for another tier closes the first way for good; who paid it meanwhile is not asked again', async () => {
    const me = await rig.developer();
    const first = await rig.billing.choose({ ...me.input, tier: 'growth' });
    const second = await rig.billing.choose({ ...me.input, token: 'b', tier: 'enterprise' });
    expect(urlOf(second)).not.toBe(urlOf(first));
    expect(() => rig.stub.pay(urlOf(first).split('/').at(-1)!)).toThrow('expired');
    rig.stub.pay(urlOf(second).split('/').at(-1)!);
    expect(await rig.billing.choose({ ...me.input, token: 'c', tier: 'growth' })).toMatchObject({
      outcome: 'changed',
      tier: 'enterprise',
    });
    expect(rig.stub.charges).toEqual([29_900]);
  });

  it('survives an answer of Stripe that was lost: the same Checkout comes again', async () => {
    const me = await rig.developer();
    rig.stub.mood.loseAnswers = 1;
    expect(await rig.billing.choose({ ...me.input, tier: 'growth' })).toMatchObject({ outcome: 'pay' });
    const mine = [...rig.stub.sessions.values()].filter(({ ownSubscription }) => ownSubscription === me.subscriptionId);
    expect(mine).toHaveLength(1);
    expect([...rig.stub.customers.values()].filter(({ email }) => email === me.by.email)).toHaveLength(1);
  });

  it('is refused in one sentence while Stripe does not answer, and works afterwards', async () => {
    const me = await rig.developer();
    rig.stub.mood.down = true;
    expect(await rig.billing.choose({ ...me.input, tier: 'growth' })).toMatchObject({ reason: 'stripe_unavailable' });
    rig.stub.mood.down = false;
    expect(await rig.billing.choose({ ...me.input, tier: 'growth' })).toMatchObject({ outcome: 'pay' });
  });

  it('works again after the customer was removed at Stripe by hand', async () => {
    const me = await rig.developer();
    await rig.billing.choose({ ...me.input, tier: 'growth' });
    for (const each of rig.stub.customers.values()) if (each.email === me.by.email) each.deleted = true;
    expect(await rig.billing.choose({ ...me.input, tier: 'starter', token: 'b' })).toMatchObject({ outcome: 'pay' });
  });

  it('of another account is unknown', async () => {
    const me = await rig.developer();
    const other = await rig.developer();
    const session = urlOf(await rig.billing.choose({ ...me.input, tier: 'growth' }))
      .split('/')
      .at(-1)!;
    expect(await rig.billing.settle({ by: other.by, session })).toMatchObject({ reason: 'unknown_checkout' });
    const theirs = { ...other.input, subscriptionId: me.subscriptionId };
    for (const answer of [
      await rig.billing.choose({ ...theirs, tier: 'growth' }),
      await rig.billing.end(theirs),
      await rig.billing.keep(theirs),
      await rig.billing.choose({ ...theirs, subscriptionId: 'x', tier: 'growth' }),
    ])
      expect(answer).toMatchObject({ reason: 'unknown_subscription' });
    expect(await rig.billing.portal({ by: other.by, token: 't' })).toMatchObject({ reason: 'no_invoices' });
  });
});

describe('what is paid for', () => {
  it('is changed at once; a step up is charged, a step down is not; 20 clicks are one change', async () => {
    const me = await rig.developer();
    await me.pay('starter');
    rig.stub.charges.length = 0;
    const up = await Promise.all(Array.from({ length: 20 }, () => rig.billing.choose({ ...me.input, tier: 'enterprise' })));
    expect(up.every(({ ok }) => ok)).toBe(true);
    expect(rig.stub.charges).toEqual([25_000]);
    await expect.poll(me.tier).toBe('enterprise');
    expect(await rig.billing.choose({ ...me.input, tier: 'starter' })).toMatchObject({ outcome: 'changed' });
    await expect.poll(me.tier).toBe('starter');
    expect(rig.stub.charges).toEqual([25_000]);
  });

  it('stays as it is when the card is declined', async () => {
    const me = await rig.developer();
    await me.pay('starter');
    rig.stub.mood.declines = true;
    expect(await rig.billing.choose({ ...me.input, tier: 'growth' })).toMatchObject({ reason: 'payment_declined' });
    expect(await me.view()).toMatchObject({ tier: 'starter', status: 'active' });
    rig.stub.mood.declines = false;
    expect(await rig.billing.choose({ ...me.input, token: 'next form', tier: 'growth' })).toMatchObject({ outcome: 'changed' });
  });

  it('ends with its month, or goes on after all', async () => {
    const me = await rig.developer();
    const paid = await me.pay('growth');
    const endsAt = new Date(paid.periodEnd * 1_000);
    expect(await rig.billing.end(me.input)).toEqual({ ok: true, outcome: 'ending', endsAt });
    expect(await me.view()).toMatchObject({ status: 'active', payment: { state: 'paid', endsAt } });
    expect(await rig.billing.keep(me.input)).toMatchObject({ ok: true });
    expect(await me.view()).toMatchObject({ payment: { endsAt: null } });
    expect(await rig.billing.keep({ ...me.input, token: 'b' })).toMatchObject({ reason: 'nothing_to_keep' });
  });

  it('is changed at Stripe when the operator sets a tier, and by the store alone where nobody pays', async () => {
    const op = { accountId: '01900000-0000-7000-8000-0000000000aa', email: 'op@example.org' };
    const payer = await rig.developer();
    const paid = await payer.pay('starter');
    const seen = { tier: 'starter', status: 'active' } as const;
    expect(await rig.billing.assign({ ...payer.input, by: op, tier: 'growth', expect: seen })).toMatchObject({
      outcome: 'changed',
    });
    expect(rig.stub.subscriptions.get(paid.id)?.price).toBe('price_growth');
    expect(await rig.billing.assign({ ...payer.input, by: op, tier: 'starter', expect: seen })).toMatchObject({
      reason: 'changed_meanwhile',
    });
    const guest = await rig.developer();
    rig.stub.asked.length = 0;
    expect(await rig.billing.assign({ ...guest.input, by: op, tier: 'enterprise', expect: seen })).toMatchObject({
      outcome: 'changed',
    });
    expect(rig.stub.asked).toEqual([]);
  });

  it('ends up as Stripe has it, however changes and use race', async () => {
    const me = await rig.developer();
    const paid = await me.pay('growth');
    const another = rig.openAnother();
    const tiers = ['starter', 'enterprise', 'growth', 'starter', 'enterprise'] as const;
    const choices = tiers.map((tier, n) => (n % 2 ? another : rig.billing).choose({ ...me.input, token: `race ${n}`, tier }));
    const use = Array.from({ length: 50 }, () => me.admit());
    const [answers, used] = await Promise.all([Promise.all(choices), Promise.all(use)]);
    expect(used.every((each) => each === 'active')).toBe(true);
    for (const answer of answers) expect(answer.ok || answer.reason).toBeOneOf([true, 'changed_meanwhile']);
    const atStripe = rig.stub.subscriptions.get(paid.id)!.price.replace('price_', '');
    expect((await me.view()).tier).toBe(atStripe);
    await expect.poll(me.tier).toBe(atStripe);
  });

  it('is released at Stripe when its account is closed or gone, later if Stripe does not answer', async () => {
    const { db } = rig.rig.testStore.store;
    const closed = await rig.developer();
    const paid = await closed.pay('growth');
    await db.updateTable('account').set({ status: 'closed' }).where('id', '=', closed.by.accountId).execute();
    rig.stub.mood.down = true;
    await rig.billing.releaseClosed();
    rig.stub.mood.down = false;
    expect(rig.stub.subscriptions.get(paid.id)?.status).toBe('active');
    await rig.billing.releaseClosed();
    expect(rig.stub.subscriptions.get(paid.id)?.status).toBe('canceled');
    const left = await db.selectFrom('stripe_customer').where('account_id', '=', closed.by.accountId).selectAll().execute();
    expect(left).toEqual([]);
    expect(await rig.billing.choose({ ...closed.input, tier: 'growth' })).toMatchObject({ reason: 'closed_account' });
    rig.stub.asked.length = 0;
    await rig.billing.releaseClosed();
    expect(rig.stub.asked).toEqual([]);
    const leaving = await rig.developer();
    const theirs = await leaving.pay('starter');
    await rig.billing.release(leaving.by.accountId);
    expect(rig.stub.subscriptions.get(theirs.id)?.status).toBe('canceled');
  });

  it('is looked at by the clock when no message comes', async () => {
    const me = await rig.developer();
    const answer = await rig.billing.choose({ ...me.input, tier: 'growth' });
    const paid = rig.stub.pay(urlOf(answer).split('/').at(-1)!);
    await rig.billing.reconcile();
    expect((await me.view()).tier).toBe('starter');
    rig.later.ms = 11 * 60_000;
    await rig.billing.reconcile();
    expect((await me.view()).tier).toBe('growth');
    rig.stub.become(paid.id, 'canceled');
    rig.later.ms = 26 * 3_600_000;
    await rig.billing.reconcile();
    expect((await me.view()).status).toBe('inactive');
  });
});

describe('an account that is suspended', () => {
  async function setSuspended(accountId: string, suspended: boolean): Promise<void> {
    const roster = createAccountAdmin({ db: rig.rig.testStore.store.db });
    expect(await roster.setSuspended({ accountId, suspended, actor: { id: null, name: 'op@example.org' } })).toBe(true);
    await rig.billing.followSuspension(accountId);
  }

  it('is charged nothing until it goes on, and its plan is kept', async () => {
    const me = await rig.developer();
    const paid = await me.pay('growth');
    rig.stub.charges.length = 0;
    await setSuspended(me.by.accountId, true);
    rig.stub.renew(paid.id);
    expect(rig.stub.charges).toEqual([]);
    expect(await me.view()).toMatchObject({ tier: 'growth', status: 'active', payment: { state: 'paid', pausedBy: 'marquee' } });
    expect(await rig.billing.choose({ ...me.input, tier: 'enterprise' })).toMatchObject({ reason: 'closed_account' });
    await rig.billing.followSuspension(me.by.accountId);
    await setSuspended(me.by.accountId, false);
    rig.stub.renew(paid.id);
    expect(rig.stub.charges).toEqual([14_900]);
    expect(await me.view()).toMatchObject({ tier: 'growth', status: 'active', payment: { pausedBy: null } });
    const { db } = rig.rig.testStore.store;
    const done = await db.selectFrom('audit').where('subject_id', '=', me.by.accountId).select('action').orderBy('at').execute();
    const ours = done.map(({ action }) => action).filter((action) => action.startsWith('payment.'));
    expect(ours).toEqual(['payment.pause', 'payment.resume']);
  });

  it('is followed by the clock where Stripe did not answer, whichever way, and asked no more than that', async () => {
    const me = await rig.developer();
    const paid = await me.pay('starter');
    const atStripe = () => rig.stub.subscriptions.get(paid.id)?.paused;
    for (const suspended of [true, false]) {
      rig.stub.mood.down = true;
      await setSuspended(me.by.accountId, suspended);
      expect((await me.view()).payment?.pausedBy).toBe(suspended ? null : 'marquee');
      rig.stub.mood.down = false;
      await rig.billing.reconcile();
      expect(atStripe()).toBe(suspended ? 'void' : null);
      rig.stub.asked.length = 0;
      await rig.billing.reconcile();
      expect(rig.stub.asked).toEqual([]);
    }
  });

  it('is paused again when somebody lets it go on at Stripe; what was paused there by hand stays so', async () => {
    const me = await rig.developer();
    const mine = rig.stub.subscriptions.get((await me.pay('starter')).id)!;
    await setSuspended(me.by.accountId, true);
    mine.paused = null;
    rig.later.ms = 25 * 3_600_000;
    await rig.billing.reconcile();
    expect(await me.view()).toMatchObject({ payment: { pausedBy: null } });
    await rig.billing.reconcile();
    expect([mine.paused, (await me.view()).payment?.pausedBy]).toEqual(['void', 'marquee']);
    await setSuspended(me.by.accountId, false);

    mine.paused = 'keep_as_draft';
    rig.later.ms = 50 * 3_600_000;
    await rig.billing.reconcile();
    expect((await me.view()).payment?.pausedBy).toBe('stripe');
    await setSuspended(me.by.accountId, true);
    await setSuspended(me.by.accountId, false);
    expect([mine.paused, (await me.view()).payment?.pausedBy]).toEqual(['keep_as_draft', 'stripe']);
  });

  it('cannot be paid for by a Checkout from before; one that was paid just then is paused', async () => {
    const [me, quick] = [await rig.developer(), await rig.developer()];
    const [mine, theirs] = [
      urlOf(await rig.billing.choose({ ...me.input, tier: 'growth' }))
        .split('/')
        .at(-1)!,
      urlOf(await rig.billing.choose({ ...quick.input, tier: 'growth' }))
        .split('/')
        .at(-1)!,
    ];
    await setSuspended(me.by.accountId, true);
    expect(() => rig.stub.pay(mine)).toThrow('expired');
    expect((await me.view()).checkout).toBeNull();
    const paid = rig.stub.pay(theirs);
    await setSuspended(quick.by.accountId, true);
    expect(rig.stub.subscriptions.get(paid.id)?.paused).toBe('void');
  });
});

it('a payment page at a domain that no setting names is told, for browsers would not go there', async () => {
  rig.log.length = 0;
  const me = await rig.developer();
  await rig.billing.choose({ ...me.input, tier: 'growth' });
  expect(rig.log.join('')).not.toContain('STRIPE_CHECKOUT_ORIGIN');
  rig.stub.payOrigin = 'https://pay.example.com';
  await rig.billing.choose({ ...me.input, tier: 'starter', token: 'b' });
  rig.stub.payOrigin = rig.stub.url;
  expect(rig.log.join('')).toContain('STRIPE_CHECKOUT_ORIGIN');
});

it('prices at Stripe that are not those of the tiers are told', async () => {
  expect(await rig.billing.check()).toEqual([]);
  const { prices } = rig.stub;
  const { price_growth: growth } = prices;
  prices.price_growth = 1_900;
  delete prices.price_enterprise;
  expect(await rig.billing.check()).toEqual([
    'STRIPE_PRICE_GROWTH (price_growth): it costs 19 usd, but the tier costs 149 usd.',
    'STRIPE_PRICE_ENTERPRISE (price_enterprise): Stripe has no such price.',
  ]);
  Object.assign(prices, { price_growth: growth, price_enterprise: 29_900 });
});

describe('a request from before Stripe was set up', () => {
  it('is not approved once the plan is paid for, and can be taken back', async () => {
    const me = await rig.developer();
    const { db } = rig.rig.testStore.store;
    await createManualBilling({ db }).choose({ ...me.input, tier: 'enterprise' });
    await me.pay('growth');
    const requests = createRequests({ db });
    const [request] = await requests.waiting(me.by.accountId);
    const op = { accountId: '01900000-0000-7000-8000-0000000000aa', email: 'op@example.org' };
    expect(await requests.approve({ by: op, id: request!.id, tier: 'enterprise' })).toMatchObject({ reason: 'paid_by_stripe' });
    expect(await rig.billing.keep(me.input)).toMatchObject({ ok: true });
    expect((await me.view()).request).toBeNull();
  });
});

it('neither the key nor anything of a payer stands in the log', () => {
  expect(rig.log.length).toBeGreaterThan(0);
  expect(rig.log.join('\n')).not.toMatch(/sk_test|whsec|payer-|authorization/i);
});
