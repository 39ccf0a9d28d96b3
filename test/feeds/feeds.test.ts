// PostgreSQL is quicker.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts, listAudit } from '../../src/accounts/index.ts';
import { createFeeds, type Feeds, MAX_FEEDS } from '../../src/feeds/index.ts';
import type { CheckedQuery } from '../../src/query/index.ts';
import { listHead } from '../../src/store/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { createOperator } from '../support/rigs/operator.ts';
import { cleanUpAt, DAY } from '../support/runs/clean-up.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const CONCERTS = 'category=concert&free=true' as CheckedQuery;
const ALL = '' as CheckedQuery;

let opened: TestStore;
let feeds: Feeds;
let time = NOON;
let people = 0;
beforeAll(async () => {
  opened = await openTestStore();
  feeds = createFeeds({ db: opened.store.db, now: () => time });
});
afterAll(() => opened.dispose());

/** Someone with a plan of this tier. */
async function someone(tier = 'enterprise') {
  time = NOON;
  const accounts = createAccounts({ db: opened.store.db, now: () => time });
  const email = `feeds-${people++}@example.org`;
  const account = await accounts.createAccount({ email, tier });
  const key = await accounts.createKey({ email });
  if (!account.ok || !key.ok) throw new Error('no account');
  const owner = { accountId: account.id, actor: { id: account.id, name: email } };
  return { owner, email, accounts, subscriptionId: key.subscriptionId };
}

async function withFeed() {
  const person = await someone();
  const created = await feeds.create(person.owner, { name: ' Concerts ', query: CONCERTS });
  if (!created.ok) throw new Error(created.detail);
  return { ...person, feed: created.feed };
}

describe('a saved query', () => {
  it('is created, found, listed, changed and removed, and each act is on the audit list', async () => {
    const { owner, feed } = await withFeed();
    expect(feed).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Concerts',
      query: CONCERTS,
      createdAt: new Date(NOON),
      updatedAt: new Date(NOON),
    });
    expect(await feeds.find(owner.accountId, feed.id.toUpperCase())).toEqual(feed);
    const other = await feeds.create(owner, { name: 'All', query: ALL });
    expect((await feeds.list(owner.accountId)).map(({ name }) => name)).toEqual(['Concerts', 'All']);
    time += 1000;
    const changed = await feeds.update(owner, feed.id, { query: ALL });
    expect(changed).toMatchObject({ ok: true, feed: { name: 'Concerts', query: '', updatedAt: new Date(time) } });
    expect(await feeds.remove(owner, feed.id)).toEqual({ ok: true });
    expect(await feeds.find(owner.accountId, feed.id)).toBeNull();
    expect(await feeds.list(owner.accountId)).toHaveLength(other.ok ? 1 : 0);
    const { rows } = await listAudit(opened.store.db, { subject: 'feed', subjectId: feed.id });
    expect(rows.map(({ action }) => action).sort()).toEqual(['feed.create', 'feed.remove', 'feed.update']);
  });

  it('of another account is unknown', async () => {
    const { feed } = await withFeed();
    const { owner: stranger } = await withFeed();
    expect(await feeds.find(stranger.accountId, feed.id)).toBeNull();
    expect(await feeds.update(stranger, feed.id, { name: 'Mine' })).toMatchObject({ reason: 'unknown_feed' });
    expect(await feeds.remove(stranger, feed.id)).toMatchObject({ reason: 'unknown_feed' });
    expect(await feeds.list(stranger.accountId)).toHaveLength(1);
  });

  it.each(['', 'x', "'; drop table feed", '../..'])('is not found by an id that is none: %j', async (id) => {
    const { owner } = await withFeed();
    expect(await feeds.find(owner.accountId, id)).toBeNull();
    expect(await feeds.remove(owner, id)).toMatchObject({ reason: 'unknown_feed' });
  });

  it.each(['', '   ', 'a\nb', 'a\u0000b', 'x'.repeat(101), '\ud800'])('has no name like %j', async (name) => {
    const { owner, feed } = await withFeed();
    expect(await feeds.create(owner, { name, query: ALL })).toMatchObject({ reason: 'invalid_name' });
    expect(await feeds.update(owner, feed.id, { name })).toMatchObject({ reason: 'invalid_name' });
  });

  it('is as long as all filters together, and no longer', async () => {
    const { owner } = await someone();
    const query = 'x'.repeat(8_001) as CheckedQuery;
    expect(await feeds.create(owner, { name: 'Long', query })).toMatchObject({ reason: 'long_query' });
    expect(await feeds.create(owner, { name: '🎷'.repeat(100), query: query.slice(1) as CheckedQuery })).toMatchObject({
      ok: true,
    });
  });

  it('is one of a hundred at most, also when they are made at the same time', async () => {
    const { owner } = await someone();
    for (let number = 0; number < MAX_FEEDS - 2; number += 1) await feeds.create(owner, { name: `Feed ${number}`, query: ALL });
    const last = await Promise.all([1, 2, 3, 4].map((number) => feeds.create(owner, { name: `Last ${number}`, query: ALL })));
    expect(last.map((outcome) => (outcome.ok ? 'made' : outcome.reason)).sort()).toEqual([
      'made',
      'made',
      'too_many_feeds',
      'too_many_feeds',
    ]);
    const [first] = await feeds.list(owner.accountId);
    await feeds.remove(owner, first?.id ?? '');
    expect(await feeds.create(owner, { name: 'Again', query: ALL })).toMatchObject({ ok: true });
  });
});

describe('the plan', () => {
  it.each(['starter', 'growth'])('%s has no feeds', async (tier) => {
    const { owner } = await someone(tier);
    expect(await feeds.create(owner, { name: 'Concerts', query: ALL })).toMatchObject({ reason: 'tier_required' });
  });

  it('that was downgraded, or belongs to a suspended account, changes no feed but removes it', async () => {
    const { owner, feed, subscriptionId } = await withFeed();
    const operator = createOperator(opened.store.db, () => time);
    await operator.setTier(subscriptionId, 'growth');
    expect(await feeds.update(owner, feed.id, { name: 'New' })).toMatchObject({ reason: 'tier_required' });
    await operator.setTier(subscriptionId, 'enterprise');
    expect(await feeds.update(owner, feed.id, { name: 'New' })).toMatchObject({ ok: true });
    await operator.suspend(owner.actor.name);
    expect(await feeds.update(owner, feed.id, { name: 'Newer' })).toMatchObject({ reason: 'tier_required' });
    expect(await feeds.list(owner.accountId)).toMatchObject([{ name: 'New' }]);
    expect(await feeds.remove(owner, feed.id)).toEqual({ ok: true });
  });

  it('hears of each change of a feed, so that whoever remembers it asks again', async () => {
    const { owner, feed } = await withFeed();
    const before = await listHead(opened.store.db, 'access_change');
    await feeds.update(owner, feed.id, { name: 'New' });
    await feeds.remove(owner, feed.id);
    expect(await listHead(opened.store.db, 'access_change')).toBe(before + 2);
  });
});

describe('in time', () => {
  it('a removed feed is deleted after 30 days, and those of a closed account at once', async () => {
    const { owner, feed } = await withFeed();
    const { owner: leaver } = await withFeed();
    await feeds.remove(owner, feed.id);
    await cleanUpAt(opened.store, NOON + 29 * DAY);
    const idsOf = async (accountId: string) =>
      (await opened.store.db.selectFrom('feed').select('id').where('account_id', '=', accountId).execute()).length;
    expect(await idsOf(owner.accountId)).toBe(1);
    await opened.store.db.updateTable('account').set({ status: 'closed' }).where('id', '=', leaver.accountId).execute();
    await cleanUpAt(opened.store, NOON + 31 * DAY);
    expect([await idsOf(owner.accountId), await idsOf(leaver.accountId)]).toEqual([0, 0]);
  });
});
