// One engine is enough: what the forms write is tested on both without a browser.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openStripeStub, type StripeStub } from '../support/fakes/stripe.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let stub: StripeStub;
let site: Site;
beforeAll(async () => {
  stub = await openStripeStub();
  const { secretKey, webhookSecret, prices } = stub.settings;
  site = await openSite({
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_STARTER: prices.starter,
      STRIPE_PRICE_GROWTH: prices.growth,
      STRIPE_PRICE_ENTERPRISE: prices.enterprise,
      STRIPE_API_URL: stub.url,
      STRIPE_CHECKOUT_ORIGIN: 'https://pay.example.com',
    },
    // Stripe signs with real time.
    limitsClock: Date.now,
  });
  stub.webhookUrl = `${site.url}/billing/stripe`;
});
afterAll(async () => {
  await site?.close();
  await stub?.close();
});

let people = 0;
async function developer(tier?: string): Promise<Person & { key: string; keyId: string; plan: string }> {
  const email = `dev-${people++}@example.org`;
  const person = await site.signIn({ email, ...(tier && { tier }) });
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email, ...(tier && { tier }) });
  if (!made.ok) throw new Error(made.detail);
  return { ...person, key: made.key, keyId: made.id, plan: made.subscriptionId };
}

const askApi = async (key: string, path = '/events?limit=1') => {
  const answer = await fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  return { status: answer.status, perMinute: answer.headers.get('x-ratelimit-per-minute'), body: (await answer.json()) as Json };
};
type Json = Record<string, unknown>;

const send = (who: { cookie: string }, path: string, fields: Record<string, string>) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });

describe('a plan that is paid for', () => {
  test('is paused by suspending its account, which its page says', async () => {
    const operator = await site.signIn({ email: 'op@example.org', tier: 'starter', operator: true });
    const me = await developer();
    const chosen = await send(me, '/dashboard/plans', { intent: 'choose-growth', plan: me.plan, token: 't' });
    const paid = stub.pay(chosen.headers.get('location')?.split('/').at(-1) ?? '');
    const told = stub.events.find(({ type, object }) => type === 'customer.subscription.created' && object.id === paid.id);
    expect(await stub.deliver(told!)).toBe(200);
    const here = `/desk/accounts/${me.accountId}`;
    const page = async () => (await site.ask(here, { headers: { cookie: operator.cookie, accept: 'text/html' } })).text();
    expect(await page()).toContain('payments are paused until you reactivate the account');
    expect((await send(operator, here, { intent: 'suspend' })).status).toBe(302);
    expect(stub.subscriptions.get(paid.id)?.paused).toBe('void');
    expect(await page()).toContain('Nothing is charged while the account is suspended');
    // As if Stripe had not answered.
    await site.store.db.updateTable('stripe_subscription').set({ paused_by: null }).where('id', '=', paid.id).execute();
    expect(await page()).toContain('Still charged');
  });
});

describe('the plans of others', () => {
  test('are unknown: no form and no address reaches them', async () => {
    const me = await developer();
    const other = await developer();
    for (const intent of ['choose-growth', 'end', 'keep']) {
      const answer = await send(other, '/dashboard/plans', { intent, plan: me.plan, token: 't' });
      expect([intent, answer.status]).toEqual([intent, 404]);
    }
    const mine = await send(me, '/dashboard/plans', { intent: 'choose-growth', plan: me.plan, token: 't' });
    const session = mine.headers.get('location')?.split('/').at(-1) ?? '';
    expect(session).toMatch(/^cs_test_/);
    const back = `/dashboard/plans/return?session=${session}`;
    const see = async (who: Person) => (await site.ask(back, { headers: { cookie: who.cookie, accept: 'text/html' } })).status;
    expect([await see(me), await see(other)]).toEqual([200, 404]);
    const page = await site.ask('/dashboard/plans', { headers: { cookie: other.cookie } });
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' ${stub.url} https://pay.example.com;`);
    expect(await page.text()).not.toContain(me.plan);
  });

  test('cannot be changed from another site, nor by more fields than the form has', async () => {
    const me = await developer();
    const body = new URLSearchParams({ intent: 'choose-growth', plan: me.plan });
    const foreign = await site.ask('/dashboard/plans', {
      method: 'POST',
      body,
      headers: { cookie: me.cookie, 'sec-fetch-site': 'cross-site' },
    });
    expect(foreign.status).toBe(403);
    const more = {
      intent: 'keep',
      plan: me.plan,
      tier: 'enterprise',
      status: 'active',
      isOperator: 'true',
      trialEndsAt: '2099-01-01',
    };
    await send(me, '/dashboard/plans', more);
    const row = await site.store.db
      .selectFrom('subscription')
      .select(['tier', 'status'])
      .where('id', '=', me.plan)
      .executeTakeFirst();
    expect(row).toEqual({ tier: 'starter', status: 'trialing' });
    expect((await send(me, '/dashboard/plans', { intent: 'choose-gold', plan: me.plan })).status).toBe(400);
  });

  test('20 clicks on pay lead to one Checkout', async () => {
    const me = await developer();
    const form = { intent: 'choose-growth', plan: me.plan, token: 'one form' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(me, '/dashboard/plans', form)));
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect([...stub.sessions.values()].filter(({ ownSubscription }) => ownSubscription === me.plan)).toHaveLength(1);
  });
});

test('messages of Stripe come in through the service\u2019s own door, with their signature alone', async () => {
  const me = await developer();
  await send(me, '/dashboard/plans', { intent: 'choose-growth', plan: me.plan, token: 't' });
  const session = [...stub.sessions.values()].find(({ ownSubscription }) => ownSubscription === me.plan);
  stub.pay(session?.id ?? '');
  const event = stub.events.at(-1)!;
  expect(await stub.deliver(event, { secret: 'whsec_false' })).toBe(400);
  expect(await stub.deliver(event)).toBe(200);
  await expect.poll(async () => (await askApi(me.key)).perMinute).toBe('300');
});

async function open(who: Person, look = {}): Promise<Awaited<ReturnType<typeof visit>>> {
  const visited = await visit(site.url, look);
  await visited.context.addCookies(who.cookies);
  return visited;
}
const card = (page: Page) => page.locator('.card').first();

describeJourney('a developer on trial', () => {
  test.each([{ scripts: true }, { scripts: false }])('upgrades through Stripe, and the API follows (%o)', async (look) => {
    const me = await developer();
    const { page, close } = await open(me, look);
    await page.goto('/dashboard/plans');
    expect(await card(page).textContent()).toMatch(/Trial: 7 days left/);
    expect(await askApi(me.key, '/neighborhoods')).toMatchObject({ status: 403 });
    await page.getByRole('button', { name: 'Choose Growth ($149/month)' }).click();
    await page.waitForURL(`${stub.url}/pay/*`);
    await page.goBack();
    expect((await askApi(me.key)).perMinute).toBe('60');
    await page.goto('/dashboard/plans');
    await page.getByRole('link', { name: 'Continue payment' }).click();
    await page.getByRole('button', { name: 'Pay 149 USD' }).click();
    await page.getByText('Thank you. Growth is active.').waitFor();
    if (look.scripts) expect(await findBarriers(page)).toEqual([]);
    await expect.poll(async () => (await askApi(me.key, '/neighborhoods')).status).toBe(200);
    await page.getByRole('link', { name: 'View plans' }).click();
    await page.getByText('$149 a month, next on').waitFor();
    await page.getByRole('button', { name: 'Downgrade to Starter ($49/month)' }).click();
    await page.getByText('The plan is changed.').waitFor();
    await expect.poll(async () => (await askApi(me.key)).perMinute).toBe('60');
    await close();
  });
});

describeInBrowser('a developer', () => {
  test('reads why a declined card changed nothing, then ends the plan and keeps it after all', async () => {
    const me = await developer();
    const { page, close } = await open(me);
    await page.goto('/dashboard/plans');
    await page.getByRole('button', { name: 'Choose Starter' }).click();
    await page.getByRole('button', { name: 'Pay 49 USD' }).click();
    await page.goto('/dashboard/plans');
    stub.mood.declines = true;
    await page.getByRole('button', { name: 'Upgrade to Enterprise' }).click();
    await page.getByText('The payment was declined').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    stub.mood.declines = false;
    await page.getByText('End plan').first().click();
    await page.getByRole('button', { name: 'End plan' }).click();
    await page.getByText('This plan ends on').waitFor();
    await page.getByRole('button', { name: 'Keep plan' }).click();
    await page.getByText('Nothing changed: you already have this plan.').waitFor();
    await page.getByRole('button', { name: 'Manage billing' }).click();
    await page.waitForURL(`${stub.url}/portal/*`);
    await close();
  });

  test('reads what the end of the trial means, before and after it', async () => {
    const me = await developer();
    const { page, close } = await open(me);
    await page.goto('/dashboard/plans');
    expect(await card(page).textContent()).toContain('You are not charged automatically');
    const { db } = site.store;
    const ended = new Date(site.now() - 1_000);
    await db.updateTable('subscription').set({ trial_ends_at: ended }).where('id', '=', me.plan).execute();
    await page.reload();
    expect(await card(page).textContent()).toContain('The trial is over');
    await close();
  });

  test('meets no barrier on a phone at night, whatever state the plans are in', async () => {
    const me = await developer();
    const { db } = site.store;
    const accounts = createAccounts({ db, now: site.now });
    const plans = [me.plan];
    for (const tier of ['growth', 'starter', 'enterprise']) {
      const made = await accounts.createKey({ email: me.email, tier });
      if (made.ok) plans.push(made.subscriptionId);
    }
    const at = new Date(site.now());
    const [, late = '', ending = '', unpaid = ''] = plans;
    const row = { period_ends_at: at, version: 1, created_at: at, seen_at: at };
    await db
      .insertInto('stripe_subscription')
      .values([
        { id: `sub_${late}`, subscription_id: late, status: 'past_due', tier: 'growth', ...row },
        { id: `sub_${ending}`, subscription_id: ending, status: 'active', tier: 'starter', ends_at: at, ...row },
      ])
      .execute();
    await db.updateTable('subscription').set({ status: 'inactive' }).where('id', '=', unpaid).execute();
    const { page, complaints, close } = await open(me, { width: 390, dark: true });
    await page.goto('/dashboard/plans');
    for (const words of ['The last payment failed', 'This plan ends on', 'subscription_inactive', 'The trial ends on'])
      await page.getByText(words).first().waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    expect(complaints()).toEqual([]);
    await close();
  });
});
