/** Saved queries through the API of a whole service. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

let people = 0;
async function someone(tier = 'enterprise') {
  const email = `feed-api-${people++}@example.org`;
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  const account = await accounts.createAccount({ email, tier });
  const key = await accounts.createKey({ email });
  if (!account.ok || !key.ok) throw new Error('no account');
  const owner = { accountId: account.id, actor: { id: account.id, name: email } };
  return { email, accounts, owner, key: key.key, subscriptionId: key.subscriptionId };
}
const feeds = () => createFeeds({ db: site.store.db, now: site.now });
async function withFeed(query = 'category=concert', name = 'Concerts') {
  const person = await someone();
  const checked = readSavedQuery(query, { timezone: 'UTC', now: site.now() });
  if (!checked.ok) throw new Error(query);
  const created = await feeds().create(person.owner, { name, query: checked.query });
  if (!created.ok) throw new Error(created.detail);
  return { ...person, feed: created.feed };
}
async function ask(key: string, path: string) {
  const answer = await site.ask(path.startsWith('http') ? path.slice(site.url.length) : `/api/v1${path}`, {
    headers: { 'X-API-Key': key },
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

describe('GET /feeds', () => {
  test('lists the feeds of the account, and each leads to its events', async () => {
    const { key, feed } = await withFeed('category=concert&sort=start');
    const list = await ask(key, '/feeds');
    expect(list).toMatchObject({ status: 200, body: { meta: { total: 1 } } });
    const one = await ask(key, `/feeds/${feed.id.toUpperCase()}`);
    expect(one.body.data).toEqual(list.body.data[0]);
    expect(one.body.data).toMatchObject({ id: feed.id, name: 'Concerts', query: 'category=concert&sort=start' });
    const events = await ask(key, one.body.data.eventsUrl);
    expect(events.status).toBe(200);
    expect(events.body.data.length).toBeGreaterThan(0);
    expect(new Set(events.body.data.map(({ category }: { category: string }) => category))).toEqual(new Set(['concert']));
    // Nothing has changed: the body is not sent again.
    const again = await site.ask(`/api/v1/feeds`, {
      headers: { 'X-API-Key': key, 'If-None-Match': list.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('shows nothing of other accounts: their feeds do not exist', async () => {
    const { feed } = await withFeed();
    const stranger = await withFeed('', 'All');
    expect((await ask(stranger.key, '/feeds')).body.data).toMatchObject([{ name: 'All' }]);
    expect(await ask(stranger.key, `/feeds/${feed.id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('knows a removed feed no more', async () => {
    const { key, owner, feed } = await withFeed();
    await feeds().remove(owner, feed.id);
    expect((await ask(key, `/feeds/${feed.id}`)).status).toBe(404);
    expect((await ask(key, '/feeds')).body).toEqual({ data: [], meta: { total: 0 } });
  });

  test.each(['starter', 'growth'])('answers %s with 403', async (tier) => {
    const { key } = await someone(tier);
    for (const path of ['/feeds', '/feeds/01900000-0000-7000-8000-000000000001']) {
      expect(await ask(key, path)).toMatchObject({
        status: 403,
        body: { code: 'tier_required', currentTier: tier, requiredTier: 'enterprise' },
      });
    }
  });
});
