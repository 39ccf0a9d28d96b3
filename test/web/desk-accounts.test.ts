import { beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
let operator: Person;
beforeAll(async () => {
  site = await sharedSite();
  operator = await site.signIn({ email: 'op@example.org', tier: 'starter', operator: true });
});

interface Developer extends Person {
  key: string;
  keyId: string;
  plan: string;
}

let people = 0;
async function developer(tier?: string, password?: string): Promise<Developer> {
  const email = `maker-${people++}@example.org`;
  const person = await site.signIn({ email, ...(tier && { tier }), ...(password && { password }) });
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email, ...(tier && { tier }) });
  if (!made.ok) throw new Error(made.detail);
  return { ...person, key: made.key, keyId: made.id, plan: made.subscriptionId };
}

async function askApi(key: string): Promise<{ status: number; perMinute: string | null; code: unknown }> {
  const answer = await fetch(`${site.url}/api/v1/events?limit=1`, { headers: { 'X-API-Key': key } });
  const { code } = (await answer.json()) as { code?: unknown };
  return { status: answer.status, perMinute: answer.headers.get('x-ratelimit-per-minute'), code };
}

const send = (who: { cookie: string }, path: string, fields: Record<string, string>) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
const see = (who: { cookie: string }, path: string) => site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
const doneOf = (answer: Response) => new URL(answer.headers.get('location') ?? '', site.url).searchParams.get('done');

/** What the developer asked for, by hand. */
async function requestPlan(me: Developer, intent: string): Promise<string> {
  expect(doneOf(await send(me, '/dashboard/plans', { intent, plan: me.plan, token: 't' }))).toBe('requested');
  const { id } = await site.store.db
    .selectFrom('plan_request')
    .select('id')
    .where('subscription_id', '=', me.plan)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return id;
}

describe('to developers and strangers', () => {
  test('there is no desk: 404 for every page and every form of it', async () => {
    const me = await developer();
    const victim = await developer();
    const request = await requestPlan(victim, 'choose-growth');
    const forms = [
      { intent: 'suspend' },
      { intent: 'resume' },
      { intent: 'revoke', key: victim.keyId },
      { intent: 'assign', plan: victim.plan, tier: 'enterprise', seen: 'starter trialing' },
      { intent: 'approve', request, requested: 'growth' },
      { intent: 'decline', request, note: 'no' },
    ] as Record<string, string>[];
    const paths = ['/desk/accounts', `/desk/accounts/${victim.accountId}`, `/desk/accounts/${me.accountId}`, '/desk/requests'];
    for (const who of [me, { cookie: '' }]) {
      for (const path of paths) {
        expect([path, (await see(who, path)).status]).toEqual([path, 404]);
        expect([path, (await see(who, `${path}.data`)).status]).toEqual([path, 404]);
        for (const form of forms)
          expect([path, form.intent, (await send(who, path, form)).status]).toEqual([path, form.intent, 404]);
      }
    }
    expect(await askApi(victim.key)).toMatchObject({ status: 200, perMinute: '60' });
  });
});

describe('an operator', () => {
  test('touches through one account\u2019s page only what is that account\u2019s', async () => {
    const [me, other] = [await developer(), await developer()];
    const request = await requestPlan(other, 'choose-growth');
    const here = `/desk/accounts/${me.accountId}`;
    for (const form of [
      { intent: 'revoke', key: other.keyId },
      { intent: 'assign', plan: other.plan, tier: 'enterprise', seen: 'starter trialing' },
      { intent: 'approve', request, requested: 'growth' },
      { intent: 'decline', request },
    ] as Record<string, string>[])
      expect([form.intent, (await send(operator, here, form)).status]).toEqual([form.intent, 404]);
    expect((await send(operator, here, { intent: 'delete' })).status).toBe(400);
    for (const id of ['x', '01900000-0000-7000-8000-00000000ffff']) {
      expect((await see(operator, `/desk/accounts/${id}`)).status).toBe(404);
      expect((await send(operator, `/desk/accounts/${id}`, { intent: 'suspend' })).status).toBe(404);
    }
    expect(await askApi(other.key)).toMatchObject({ status: 200, perMinute: '60' });
  });

  test('declines with a sentence only, which is asked for beside its field', async () => {
    const me = await developer();
    const request = await requestPlan(me, 'choose-growth');
    for (const path of ['/desk/requests', `/desk/accounts/${me.accountId}`]) {
      const answer = await send(operator, path, { intent: 'decline', request, note: '  ', token: 't' });
      const text = await answer.text();
      expect([path, answer.status]).toEqual([path, 400]);
      expect(text).toMatch(/<details open/);
      expect(text).toMatch(/<input[^>]*aria-invalid="true"[^>]*name="note"[^>]*value=" {2}"/);
      expect(text.match(/>Write a note to the developer/g)).toHaveLength(1);
    }
    const { state } = await site.store.db
      .selectFrom('plan_request')
      .select('state')
      .where('id', '=', request)
      .executeTakeFirstOrThrow();
    expect(state).toBe('open');
  });

  test('finds no request of an account that was deleted', async () => {
    const me = await developer(undefined, 'correct horse battery');
    const request = await requestPlan(me, 'choose-growth');
    const deleted = await send(me, '/dashboard/account/delete', { current: 'correct horse battery' });
    expect(deleted.headers.get('location')).toBe('/sign-in?done=deleted');
    const { state } = await site.store.db
      .selectFrom('plan_request')
      .select('state')
      .where('id', '=', request)
      .executeTakeFirstOrThrow();
    expect(state).toBe('withdrawn');
    expect(await (await see(operator, '/desk/requests')).text()).not.toContain(request);
  });

  test('approves once, however often it is sent, and the API follows', async () => {
    const me = await developer();
    await askApi(me.key);
    const request = await requestPlan(me, 'choose-growth');
    const form = { intent: 'approve', request, requested: 'growth', token: 'one form' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(operator, '/desk/requests', form)));
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400, 400]);
    await expect.poll(async () => (await askApi(me.key)).perMinute).toBe('300');
    const { db } = site.store;
    const changes = await db
      .selectFrom('audit')
      .where('action', '=', 'plan.change')
      .where('subject_id', '=', me.accountId)
      .selectAll()
      .execute();
    expect(changes).toHaveLength(1);
    expect(changes[0]).toMatchObject({ actor: operator.email, actor_id: operator.accountId, address: '127.0.0.1' });
  });

  test('sets a tier in the middle of a minute: what was used counts on', async () => {
    const me = await developer('growth');
    for (let n = 0; n < 70; n++) await askApi(me.key);
    const form = { intent: 'assign', plan: me.plan, tier: 'starter', seen: 'growth active', token: 't' };
    const here = `/desk/accounts/${me.accountId}`;
    expect(doneOf(await send(operator, here, form))).toBe('assign');
    await expect.poll(() => askApi(me.key)).toEqual({ status: 429, perMinute: '60', code: 'rate_limit_minute' });
    expect(doneOf(await send(operator, here, form))).toBe('unchanged');
    const stale = await send(operator, here, { ...form, tier: 'enterprise' });
    expect([stale.status, await stale.text()]).toEqual([400, expect.stringContaining('has changed since you opened the page')]);
  });

  test('suspends and resumes, never themselves, and revokes keys', async () => {
    const me = await developer();
    const here = `/desk/accounts/${me.accountId}`;
    expect(doneOf(await send(operator, here, { intent: 'suspend' }))).toBe('suspend');
    await expect.poll(async () => (await askApi(me.key)).code).toBe('subscription_inactive');
    expect((await see(me, '/dashboard/plans')).status).toBe(302);
    expect(doneOf(await send(operator, here, { intent: 'suspend' }))).toBe('unchanged');
    expect(doneOf(await send(operator, here, { intent: 'resume' }))).toBe('resume');
    await expect.poll(async () => (await askApi(me.key)).status).toBe(200);
    expect(doneOf(await send(operator, here, { intent: 'revoke', key: me.keyId }))).toBe('revoke');
    await expect.poll(async () => (await askApi(me.key)).code).toBe('revoked_api_key');
    expect((await send(operator, `/desk/accounts/${operator.accountId}`, { intent: 'suspend' })).status).toBe(400);
    const page = await (await see(operator, here)).text();
    for (const deed of ['account.suspend', 'account.resume', 'key.revoke']) expect(page).toContain(deed);
  });

  test('finds people by address, key id and whole key, which does not stay in the address', async () => {
    const me = await developer();
    const whole = await see(operator, `/desk/accounts?q=${me.key}`);
    expect([whole.status, whole.headers.get('location')]).toEqual([302, `/desk/accounts?q=mq_live_${me.keyId}`]);
    for (const q of [me.email, me.keyId, `mq_live_${me.keyId}`]) {
      const page = await (await see(operator, `/desk/accounts?q=${q}`)).text();
      expect(page).toContain(`/desk/accounts/${me.accountId}`);
      expect(page).not.toContain(`/desk/accounts/${operator.accountId}`);
    }
  });
});

describeInBrowser('at the desk', () => {
  test('a request is declined with a word, asked again and approved, without scripts', async () => {
    const me = await developer();
    const theirs = await visit(site.url, { scripts: false });
    await theirs.context.addCookies(me.cookies);
    const mine = await visit(site.url, { scripts: false });
    await mine.context.addCookies(operator.cookies);
    const ask = async () => {
      await theirs.page.goto('/dashboard/plans');
      await theirs.page.getByRole('button', { name: 'Request Growth' }).click();
      await theirs.page.getByText('Your request was sent to the operator').waitFor();
    };
    await ask();
    await mine.page.goto(`/desk/accounts?q=${me.email}`);
    await mine.page.getByRole('link', { name: me.email }).click();
    await mine.page.getByText('Decline with a note').click();
    await mine.page.getByLabel('Note to the developer').fill('<b>Write</b> to us first.');
    await mine.page.getByRole('button', { name: 'Decline' }).click();
    await mine.page.getByText('Declined. The developer sees it').waitFor();
    await theirs.page.goto('/dashboard/plans');
    await theirs.page.getByText('was declined on').waitFor();
    expect(await theirs.page.locator('.card').first().textContent()).toContain('<b>Write</b> to us first.');
    await ask();
    await mine.page.goto('/desk/requests');
    const card = mine.page.locator('.card', { hasText: me.email });
    await card.getByRole('button', { name: 'Approve' }).click();
    await mine.page.getByText('Approved.').waitFor();
    await expect.poll(async () => (await askApi(me.key)).perMinute).toBe('300');
    await Promise.all([theirs.close(), mine.close()]);
  });

  test('no page with something on it has a barrier on a phone at night', async () => {
    const me = await developer();
    await requestPlan(me, 'choose-enterprise');
    await send(operator, `/desk/accounts/${me.accountId}`, { intent: 'suspend' });
    const { page, context, complaints, close } = await visit(site.url, { width: 390, dark: true });
    await context.addCookies(operator.cookies);
    for (const path of ['/desk/accounts', `/desk/accounts/${me.accountId}`, '/desk/requests']) {
      await page.goto(path);
      expect([path, await findBarriers(page)]).toEqual([path, []]);
      expect([path, await sticksOut(page)]).toEqual([path, false]);
    }
    expect(complaints()).toEqual([]);
    await close();
  });

  test('a tier is set and an account suspended with scripts', async () => {
    const me = await developer();
    const { page, context, close } = await visit(site.url);
    await context.addCookies(operator.cookies);
    await page.goto(`/desk/accounts/${me.accountId}`);
    await page.getByLabel('Tier').selectOption('Enterprise');
    await page.getByRole('button', { name: 'Set tier' }).click();
    await page.getByText('The tier is set.').waitFor();
    await expect.poll(async () => (await askApi(me.key)).perMinute).toBe('1000');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The account is suspended').waitFor();
    await page.getByRole('button', { name: 'Reactivate account' }).click();
    await page.getByText('The account is active again.').waitFor();
    await close();
  });
});
