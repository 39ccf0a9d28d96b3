// One engine is enough: what the forms write is tested on both without a browser.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { createOperator } from '../support/rigs/operator.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

let people = 0;
/** Somebody with a plan of this tier. */
async function someone(tier = 'enterprise') {
  const who = await site.signIn({ email: `feeds-${people++}@example.org`, tier });
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  const key = await accounts.createKey({ email: who.email });
  if (!key.ok) throw new Error(key.detail);
  return { ...who, accounts, key: key.key, subscriptionId: key.subscriptionId };
}
const read = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const send = async (who: Person, path: string, fields: Record<string, string>) => {
  const answer = await site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
/** As a reader sees it: without markup, with single spaces. */
const textOf = (html: string) =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
const listed = (who: Person) => createFeeds({ db: site.store.db, now: site.now }).list(who.accountId);
const create = async (who: Person, fields: Record<string, string> = {}) => {
  const made = await send(who, '/dashboard/feeds/new', { intent: 'save', feed_name: 'Concerts', category: 'concert', ...fields });
  expect(made.status, made.text.slice(0, 2000)).toBe(303);
  return String(made.headers.get('location')).split('?')[0] ?? '';
};
const SECRET = /\/feeds\/[A-Za-z0-9_-]{43}\.[a-z.]+/g;
const secretsIn = (html: string): string[] => [...new Set(html.match(SECRET) ?? [])];

describe('the form for a feed', () => {
  test('shows how many events match, saves the filters and shows them again', async () => {
    const who = await someone();
    const api = await fetch(`${site.url}/api/v1/events?category=concert&limit=1`, { headers: { 'X-API-Key': who.key } });
    const { meta, data } = (await api.json()) as { meta: { total: number }; data: { title: string }[] };
    const preview = await read(who, '/dashboard/feeds/new?feed_name=Concerts&category=concert&free=');
    expect(textOf(preview.text)).toContain(`${meta.total.toLocaleString('en-US')} events match now.`);
    expect(preview.text).toContain(data[0]?.title);
    const address = await create(who, { sort: 'start' });
    expect(await listed(who)).toMatchObject([{ name: 'Concerts', query: 'category=concert&sort=start' }]);
    const page = await read(who, address);
    expect(page.text).toContain('category=concert&amp;sort=start');
    expect(page.text).toMatch(/name="category"[^>]*checked=""[^>]*value="concert"|value="concert"[^>]*checked=""/);
    const saved = await send(who, address, { intent: 'save', feed_name: 'Free', free: 'true' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${address}?saved`]);
    expect(await listed(who)).toMatchObject([{ name: 'Free', query: 'free=true' }]);
    expect(textOf((await read(who, '/dashboard/feeds')).text)).toContain('Free free=true None');
  });

  test('has a field for every filter of /events and the order', async () => {
    const who = await someone();
    const { text } = await read(who, '/dashboard/feeds/new');
    for (const name of [
      'q',
      'category',
      'neighborhood',
      'when',
      'price_max',
      'tags',
      'updated_since',
      'bbox',
      'status',
      'sort',
    ]) {
      expect(text, name).toContain(`name="${name}"`);
    }
    for (const name of ['limit', 'offset', 'fields', 'include', 'facets']) expect(text).not.toContain(`name="${name}"`);
  });

  test('says what is wrong beside the field and keeps what was typed', async () => {
    const who = await someone();
    const wrong = await send(who, '/dashboard/feeds/new', {
      intent: 'save',
      feed_name: 'My feed',
      price_max: 'cheap',
      q: 'jazz',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('must be an amount from 0 to 1000000');
    for (const typed of ['My feed', 'cheap', 'jazz']) expect(wrong.text).toContain(`value="${typed}"`);
    const nameless = await send(who, '/dashboard/feeds/new', { intent: 'save', feed_name: ' ' });
    expect([nameless.status, nameless.text.includes('has 1 to 100 characters')]).toEqual([400, true]);
    expect(await listed(who)).toEqual([]);
  });

  test('sent twice makes one feed', async () => {
    const who = await someone();
    const token = crypto.randomUUID();
    await Promise.all([create(who, { token }), create(who, { token })]);
    expect(await listed(who)).toHaveLength(1);
  });

  test('follows the fields for scripts, and only for who is signed in', async () => {
    const who = await someone();
    const answer = await read(who, '/dashboard/feeds/preview?category=concert');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const stranger = await site.ask('/dashboard/feeds/preview?category=concert');
    expect(stranger.status).toBe(302);
  });
});

describe('a secret URL', () => {
  test('is shown in its own answer, which nobody stores, and never after', async () => {
    const who = await someone();
    const address = await create(who);
    const shown = await send(who, address, { intent: 'renew', form: 'ics', token: 'one' });
    const [url] = secretsIn(shown.text);
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(url).toMatch(/\.ics$/);
    const page = await read(who, address);
    expect(secretsIn(page.text)).toEqual([]);
    expect(page.text).toContain(`/feeds/…${url?.slice(-8, -4)}.ics`);
    expect(site.logged().join('')).not.toContain(url?.split('/')[2]?.slice(0, 43));
    const again = await send(who, address, { intent: 'renew', form: 'ics', token: 'two' });
    expect(secretsIn(again.text)).not.toContain(url);
    expect(again.text).toContain('URL is rotated');
    const revoked = await send(who, address, { intent: 'revoke', form: 'ics' });
    expect([revoked.status, revoked.headers.get('location')]).toEqual([303, `${address}?revoked=ics`]);
    expect((await read(who, address)).text).not.toContain('/feeds/…');
  });
});

describe('the feeds of others', () => {
  test.each([
    ['save', { feed_name: 'Stolen' }],
    ['renew', { form: 'ics', token: 'x' }],
    ['revoke', { form: 'ics' }],
  ])('are out of reach of the form to %s: there is no such feed', async (intent, fields: Record<string, string>) => {
    const mine = await someone();
    const address = await create(mine);
    await send(mine, address, { intent: 'renew', form: 'ics', token: 'mine' });
    const other = await someone();
    expect((await read(other, address)).status).toBe(404);
    const answer = await send(other, address, { intent, ...fields });
    expect([answer.status, secretsIn(answer.text)]).toEqual([404, []]);
    expect(await listed(mine)).toMatchObject([{ name: 'Concerts' }]);
    expect((await read(mine, address)).text).toContain('/feeds/…');
    expect(textOf((await read(other, '/dashboard/feeds')).text)).toContain('No feeds yet');
  });

  test('are not removed by a form of another account', async () => {
    const mine = await someone();
    const address = await create(mine);
    await send(await someone(), address, { intent: 'remove' });
    expect(await listed(mine)).toHaveLength(1);
  });
});

describe('the plan', () => {
  test.each(['starter', 'growth'])('%s reads what feeds are and how to get them, and makes none', async (tier) => {
    const who = await someone(tier);
    for (const path of ['/dashboard/feeds', '/dashboard/feeds/new']) {
      const { status, text } = await read(who, path);
      expect(status).toBe(200);
      expect(text).toContain('Feeds are part of Enterprise');
      expect(text).toContain('href="/dashboard/plans"');
      expect(text).not.toContain('name="feed_name"');
    }
    const refused = await send(who, '/dashboard/feeds/new', { intent: 'save', feed_name: 'Mine' });
    expect(refused.status).toBe(400);
    expect(await listed(who)).toEqual([]);
  });

  test('that was downgraded shows its feeds and says that they have stopped; removing works', async () => {
    const who = await someone();
    const address = await create(who);
    await createOperator(site.store.db, site.now).setTier(who.subscriptionId, 'growth');
    for (const path of ['/dashboard/feeds', address]) {
      expect((await read(who, path)).text).toContain('Your feeds have stopped.');
    }
    expect((await send(who, address, { intent: 'renew', form: 'ics', token: 'y' })).text).toContain(
      'Feeds need an active Enterprise plan.',
    );
    const removed = await send(who, address, { intent: 'remove' });
    expect([removed.status, removed.headers.get('location')]).toEqual([303, '/dashboard/feeds?removed']);
    expect(await listed(who)).toEqual([]);
  });
});

describeInBrowser('feeds in a browser', () => {
  test.each([1280, 390])('are made with a preview that follows each field, without barriers, %i px wide', async (width) => {
    const who = await someone();
    const { page, context, complaints, close } = await visit(site.url, { width });
    await context.addCookies(who.cookies);
    await page.goto('/dashboard/feeds/new');
    const count = () => page.locator('#preview + div strong').innerText();
    const before = await count();
    await page.getByLabel('Name', { exact: true }).fill('Concerts');
    await page.locator('.pill', { hasText: 'concert' }).first().click();
    await expect.poll(count).not.toBe(before);
    await lookAt(page, `new-${width}`);
    await page.getByRole('button', { name: 'Create feed' }).click();
    await page.waitForURL(/\/dashboard\/feeds\/[0-9a-f-]{36}\?created/);
    await page.getByRole('button', { name: /^Create URL for Calendar/ }).click();
    await page.locator('#shown').waitFor();
    expect(secretsIn(await page.locator('.new-key').innerText())).toHaveLength(1);
    await lookAt(page, `feed-${width}`);
    await page.goto('/dashboard/feeds');
    await lookAt(page, `feeds-${width}`);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('are made without scripts, too', async () => {
    const who = await someone();
    const { page, context, close } = await visit(site.url, { scripts: false });
    await context.addCookies(who.cookies);
    await page.goto('/dashboard/feeds/new');
    const count = () => page.locator('#preview + div strong').innerText();
    const before = await count();
    await page.locator('input[name="feed_name"]').fill('Concerts');
    await page.locator('.pill', { hasText: 'concert' }).first().click();
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await count()).not.toBe(before);
    await page.getByRole('button', { name: 'Create feed' }).click();
    await page.waitForURL(/\?created/);
    expect(await listed(who)).toMatchObject([{ name: 'Concerts', query: 'category=concert' }]);
    await close();
  });
});

async function lookAt(page: Page, name: string): Promise<void> {
  expect(await findBarriers(page), name).toEqual([]);
  expect(await sticksOut(page), name).toBe(false);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
}
