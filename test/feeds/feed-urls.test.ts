/** Feeds by secret URL on a whole service. PostgreSQL is quicker. */

import ical from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createFeeds, createFeedUrls } from '../../src/feeds/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { mergeEvents, recordChanges } from '../../src/records/index.ts';
import { transact } from '../../src/store/index.ts';
import { createOperator } from '../support/rigs/operator.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

const DAY_MS = 86_400_000;
/** A change is promised within a second; a busy machine gets more. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

let people = 0;
async function someone(tier = 'enterprise') {
  const email = `feed-urls-${people++}@example.org`;
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  const account = await accounts.createAccount({ email, tier });
  const key = await accounts.createKey({ email });
  if (!account.ok || !key.ok) throw new Error('no account');
  const owner = { accountId: account.id, actor: { id: account.id, name: email } };
  return { email, accounts, owner, key: key.key, subscriptionId: key.subscriptionId };
}
const feeds = () => createFeeds({ db: site.store.db, now: site.now });
const urls = () => createFeedUrls({ db: site.store.db, now: site.now });
const check = (query: string) => {
  const checked = readSavedQuery(query, { timezone: 'UTC', now: site.now() });
  if (!checked.ok) throw new Error(query);
  return checked.query;
};
async function withFeed(query = 'category=concert') {
  const person = await someone();
  const created = await feeds().create(person.owner, { name: 'Concerts', query: check(query) });
  if (!created.ok) throw new Error(created.detail);
  const { feed } = created;
  const urlOf = async (form: string): Promise<string> => {
    const renewed = await urls().renew(person.owner, feed.id, form);
    if (!renewed.ok) throw new Error(renewed.detail);
    return renewed.path;
  };
  return { ...person, feed, urlOf };
}
const statusOf = async (path: string) => {
  const answer = await site.ask(path);
  await answer.arrayBuffer();
  return answer.status;
};
const read = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await site.ask(path, { headers: { 'accept-encoding': 'identity', ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const calendarOf = async (path: string) => eventsIn((await read(path)).text);
const eventsIn = (text: string) =>
  new ical.Component(ical.parse(text)).getAllSubcomponents('vevent').map((component) => ({
    id: String(component.getFirstPropertyValue('uid')),
    status: String(component.getFirstPropertyValue('status')),
    sequence: Number(component.getFirstPropertyValue('sequence')),
    title: String(component.getFirstPropertyValue('summary')),
  }));
async function idsByKey(key: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const answer = await site.ask(`/api/v1/events?${query}&limit=100&offset=${offset}`, { headers: { 'X-API-Key': key } });
    const { data, meta } = (await answer.json()) as { data: { id: string }[]; meta: { hasMore: boolean } };
    ids.push(...data.map(({ id }) => id));
    if (!meta.hasMore) return ids;
  }
}

/** They differ from one request to the next, or belong to the connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(['date', 'x-request-id', 'connection', 'keep-alive', 'content-length']);
const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const matches = (text: string, pattern: string) => [...text.matchAll(new RegExp(pattern, 'gm'))].map(([, id = '']) => id);
/** Type, and the ids in the order of the document. */
const FORMS: readonly [string, string, (text: string) => string[]][] = [
  ['json', 'application/json; charset=utf-8', (text) => JSON.parse(text).data.map(({ id }: { id: string }) => id)],
  ['ics', 'text/calendar; charset=utf-8', (text) => matches(text, `^UID:(${UUID})`)],
  ['rss', 'application/rss+xml; charset=utf-8', (text) => matches(text, `<guid[^>]*>urn:uuid:(${UUID})`)],
  ['atom', 'application/atom+xml; charset=utf-8', (text) => matches(text, `<id>urn:uuid:(${UUID})`)],
  ['feed.json', 'application/feed+json; charset=utf-8', (text) => JSON.parse(text).items.map(({ id }: { id: string }) => id)],
  ['geojson', 'application/geo+json', (text) => JSON.parse(text).features.map(({ id }: { id: string }) => id)],
  ['csv', 'text/csv; charset=utf-8; header=present', (text) => matches(text, `^(${UUID}),`)],
  ['ndjson', 'application/x-ndjson; charset=utf-8', (text) => matches(text, `^\\{"id":"(${UUID})"`)],
  [
    'jsonld',
    'application/ld+json; charset=utf-8',
    (text) => JSON.parse(text).itemListElement.map(({ item }: { item: { identifier: string } }) => item.identifier),
  ],
];

describe('a secret URL', () => {
  test.each(FORMS)('gives the events of /events as .%s, without a key', async (form, type, idsIn) => {
    const { key, urlOf } = await withFeed('category=concert&sort=start');
    const answer = await read(await urlOf(form));
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=900, s-maxage=60, stale-if-error=86400',
      'x-robots-tag': 'noindex',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      'access-control-allow-origin': '*',
    });
    const wanted = await idsByKey(key, 'category=concert&sort=start');
    expect(wanted.length).toBeGreaterThan(50);
    const ids = idsIn(answer.text);
    expect(ids.slice(0, wanted.length)).toEqual(wanted);
    // Behind them a calendar shows what was cancelled lately.
    expect(ids.length - wanted.length).toBe(matches(answer.text, '^(STATUS:CANCELLED)').length);
  });

  test('answers 304 while nothing has changed, and the new document when the feed has', async () => {
    const { owner, feed, urlOf } = await withFeed();
    const path = await urlOf('ics');
    const etag = (await read(path)).headers.get('etag') ?? '';
    const again = await read(path, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    expect(again.headers.get('cache-control')).toContain('s-maxage=60');
    await feeds().update(owner, feed.id, { query: check('category=theater') });
    await expect.poll(async () => (await read(path, { 'if-none-match': etag })).status).toBe(200);
  });

  test('answers 304 on the short way as on the long one, header by header', async () => {
    const { urlOf } = await withFeed();
    const path = await urlOf('ics');
    const first = await read(path);
    const headersOf = (answer: { headers: Headers }) =>
      Object.fromEntries([...answer.headers].filter(([name]) => !OF_CONNECTION.has(name)));
    const tag = first.headers.get('etag') ?? '';
    // The long way takes what is asked with HEAD.
    const long = await site.ask(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity', 'if-none-match': tag } });
    const short = await read(path, { 'if-none-match': `"other", ${tag}` });
    expect([long.status, short.status]).toEqual([304, 304]);
    expect(headersOf(short)).toEqual(headersOf(long));
    expect(short.headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
    const foreign = await site.ask(path, { headers: { 'if-none-match': '"other"', 'accept-encoding': 'identity' } });
    expect([foreign.status, await foreign.text()]).toEqual([200, first.text]);
  });

  test('has another strong tag for each encoding, and a HEAD without a body', async () => {
    const { urlOf } = await withFeed();
    const path = await urlOf('geojson');
    const plain = await read(path);
    const packed = await site.ask(path, { headers: { 'accept-encoding': 'br' } });
    expect(await packed.text()).toBe(plain.text);
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual(['br', 'Accept-Encoding']);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
    const head = await site.ask(path, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, plain.headers.get('etag'), '']);
  });

  test('answers 410 once it is revoked, rotated, or its feed is removed; unknown ones 404', async () => {
    const { owner, feed, urlOf } = await withFeed();
    const [rotated, revoked, removed] = [await urlOf('ics'), await urlOf('rss'), await urlOf('csv')];
    for (const path of [rotated, revoked, removed]) expect(await statusOf(path)).toBe(200);
    const fresh = await urlOf('ics');
    await expect.poll(() => statusOf(rotated)).toBe(410);
    expect(await statusOf(fresh)).toBe(200);
    await urls().revoke(owner, feed.id, 'rss');
    await expect.poll(() => statusOf(revoked)).toBe(410);
    await feeds().remove(owner, feed.id);
    for (const path of [removed, fresh]) await expect.poll(() => statusOf(path)).toBe(410);
    const gone = await read(removed);
    expect(JSON.parse(gone.text)).toMatchObject({ code: 'gone', status: 410 });
    expect([gone.headers.get('cache-control'), gone.headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
    const token = 'A'.repeat(43);
    for (const path of [`/feeds/${token}.ics`, `/feeds/${token}`, '/feeds/x.ics', fresh.replace('.ics', '.rss'), `${fresh}x`]) {
      expect(await statusOf(path), path).toBe(404);
    }
    expect((await site.ask(fresh, { method: 'POST' })).status).toBe(405);
  });

  test('stops with a downgrade, a suspension or the end of the account, and says why', async () => {
    const { subscriptionId, email, owner, urlOf } = await withFeed();
    const operator = createOperator(site.store.db, site.now);
    const path = await urlOf('ics');
    expect(await statusOf(path)).toBe(200);
    await operator.setTier(subscriptionId, 'growth');
    await expect.poll(() => statusOf(path)).toBe(403);
    expect(JSON.parse((await read(path)).text)).toMatchObject({ code: 'tier_required', currentTier: 'growth' });
    await operator.setTier(subscriptionId, 'enterprise');
    await expect.poll(() => statusOf(path)).toBe(200);
    await operator.suspend(email);
    await expect.poll(() => statusOf(path)).toBe(402);
    expect(JSON.parse((await read(path)).text)).toMatchObject({ code: 'subscription_inactive' });
    await operator.resume(email);
    await expect.poll(() => statusOf(path)).toBe(200);
    // As the form that deletes an account leaves it.
    await site.store.db.updateTable('account').set({ status: 'closed' }).where('id', '=', owner.accountId).execute();
    await operator.setTier(subscriptionId, 'growth');
    await expect.poll(() => statusOf(path)).toBe(410);
  });

  test('allows 120 requests a minute, each URL for itself', async () => {
    const { urlOf } = await withFeed('neighborhood=nowhere');
    const [one, other] = [await urlOf('json'), await urlOf('ics')];
    const statuses: number[] = [];
    for (let number = 0; number < 121; number += 1) statuses.push(await statusOf(one));
    expect(statuses.slice(0, 120).every((status) => status === 200)).toBe(true);
    const refused = await read(one);
    expect([statuses[120], refused.status]).toEqual([429, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await statusOf(other)).toBe(200);
  });

  test('stands in no line of the log', async () => {
    const { owner, feed, urlOf } = await withFeed();
    const path = await urlOf('ics');
    await read(path);
    await urls().revoke(owner, feed.id, 'ics');
    await expect.poll(() => statusOf(path)).toBe(410);
    const token = path.split('/')[2]?.split('.')[0] ?? '';
    const lines = site.logged().join('');
    expect(lines).toContain('"route":"/feeds/:file"');
    expect(lines).not.toContain(token);
    const rows = await site.store.db.selectFrom('feed_token').selectAll().where('feed_id', '=', feed.id).execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    const audit = await site.store.db.selectFrom('audit').selectAll().where('subject_id', '=', feed.id).execute();
    expect(audit.map(({ action }) => action).sort()).toEqual(['feed.create', 'feed.url-create', 'feed.url-revoke']);
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  test('of a range that is over gives an empty document', async () => {
    const end = new Date(site.now() + DAY_MS).toISOString().slice(0, 10);
    const { urlOf } = await withFeed(`start_date=${end}&end_date=${end}`);
    const path = await urlOf('ndjson');
    expect(await statusOf(path)).toBe(200);
  });
});

describe('a calendar', () => {
  /** An event in the range of a feed of its own, two months from now. */
  async function withEvents(count: number) {
    // No other event starts in this second.
    const at = new Date(Math.floor(site.now() / DAY_MS) * DAY_MS + (60 + people) * DAY_MS + 11_111_000);
    const { db } = site.store;
    const events = await db.selectFrom('event').select(['id', 'title']).where('state', '=', 'published').limit(count).execute();
    const ids = events.map(({ id }) => id);
    await change(ids, { starts_at: at, ends_at: null, status: 'scheduled', updated_at: new Date(site.now()) }, 'rescheduled');
    const second = at.toISOString().slice(0, 19);
    const feed = await withFeed(`start_date=${second}Z&end_date=${second}Z`);
    const path = await feed.urlOf('ics');
    await expect.poll(async () => (await calendarOf(path)).filter(({ id }) => ids.includes(id)).length).toBe(count);
    return { path, events, feed };
  }
  const change = (ids: string[], set: Record<string, unknown>, kind: 'cancelled' | 'rescheduled') =>
    transact(site.store.db, async (trx) => {
      await trx.updateTable('event').set(set).where('id', 'in', ids).execute();
      await recordChanges(
        trx,
        ids.map((entityId) => ({ kind, entity: 'event', entityId })),
        site.now(),
      );
    });

  test('shows an event that is cancelled as cancelled for 30 days, and the lists drop it', async () => {
    const { path, events, feed } = await withEvents(2);
    const [event] = events;
    const id = event?.id ?? '';
    await change([id], { status: 'cancelled', updated_at: new Date(site.now()) }, 'cancelled');
    const statusIn = async () => (await calendarOf(path)).find((each) => each.id === id)?.status;
    await expect.poll(statusIn).toBe('CANCELLED');
    const json = JSON.parse((await read(await feed.urlOf('json'))).text);
    expect(json.data.map((each: { id: string }) => each.id)).not.toContain(id);
    expect(json.meta.total).toBe(1);
    site.pass(29 * DAY_MS);
    expect(await statusIn()).toBe('CANCELLED');
    site.pass(2 * DAY_MS);
    expect(await statusIn()).toBeUndefined();
  });

  test('shows an event that is merged as cancelled for 30 days, also where the one that goes on is none of its events', async () => {
    const { path, events, feed } = await withEvents(2);
    const [survivor, merged] = events.map(({ id }) => id) as [string, string];
    const { revision } = await site.store.db
      .selectFrom('event')
      .select('revision')
      .where('id', '=', merged)
      .executeTakeFirstOrThrow();
    await change([survivor], { starts_at: new Date(site.now() + 90 * DAY_MS) }, 'rescheduled');
    const find = async (id: string) => (await calendarOf(path)).find((each) => each.id === id);
    await expect.poll(() => find(survivor)).toBeUndefined();
    await transact(site.store.db, async (trx) => {
      const changes = await mergeEvents(trx, [{ id: merged, into: survivor }], site.now());
      await recordChanges(trx, changes, site.now());
    });
    await expect.poll(async () => (await find(merged))?.status).toBe('CANCELLED');
    expect(await find(merged)).toMatchObject({ title: events[1]?.title, sequence: revision + 1 });
    expect(await find(survivor)).toBeUndefined();
    expect(JSON.parse((await read(await feed.urlOf('json'))).text).data).toEqual([]);
    // Another feed never had it.
    const other = await withFeed('start_date=2001-01-01&end_date=2001-01-02');
    expect(await calendarOf(await other.urlOf('ics'))).toEqual([]);
    site.pass(31 * DAY_MS);
    expect(await find(merged)).toBeUndefined();
  });

  test('that a program polls shows an event that a bundle cancels: the same UID, a higher SEQUENCE', async () => {
    const at = new Date(site.now() + 3 * DAY_MS).toISOString();
    const venue = {
      externalId: 'polled-hall',
      name: 'Polled Hall',
      type: 'club',
      latitude: 40.5,
      longitude: -74,
      isVerified: true,
    };
    const line = {
      externalId: 'polled-night',
      title: 'Polled night',
      category: 'concert',
      startDatetime: at,
      isFree: true,
      venue: venue.externalId,
    };
    const importEvent = (more: object) =>
      importBundle({ store: site.store, now: site.now, bundle: { venues: [venue], events: [{ ...line, ...more }] } });
    expect((await importEvent({})).rejected).toEqual([]);
    const { urlOf } = await withFeed(`q="polled night"`);
    const path = await urlOf('ics');
    await expect.poll(async () => (await calendarOf(path)).length).toBe(1);
    const [before] = await calendarOf(path);
    const tag = (await read(path)).headers.get('etag') ?? '';
    const poll = () => read(path, { 'if-none-match': tag });
    expect([before?.status, (await poll()).status]).toEqual(['CONFIRMED', 304]);
    site.pass(3_600_000);
    expect((await importEvent({ status: 'cancelled' })).rejected).toEqual([]);
    await expect.poll(async () => (await poll()).status).toBe(200);
    const [after, ...others] = eventsIn((await poll()).text);
    expect([after?.id, after?.status, others]).toEqual([before?.id, 'CANCELLED', []]);
    expect(after?.sequence).toBeGreaterThan(before?.sequence ?? Number.POSITIVE_INFINITY);
  });

  test('shows an event that is merged as cancelled for 30 days, beside the one that goes on', async () => {
    const { path, events } = await withEvents(3);
    const [survivor, merged] = events.map(({ id }) => id) as [string, string];
    const before = (await calendarOf(path)).find(({ id }) => id === merged);
    await transact(site.store.db, async (trx) => {
      const changes = await mergeEvents(trx, [{ id: merged, into: survivor }], site.now());
      await recordChanges(trx, changes, site.now());
    });
    const find = async (id: string) => (await calendarOf(path)).find((each) => each.id === id);
    await expect.poll(async () => (await find(merged))?.status).toBe('CANCELLED');
    expect(await find(merged)).toMatchObject({ title: before?.title, sequence: (before?.sequence ?? 0) + 1 });
    expect((await find(survivor))?.status).toBe('CONFIRMED');
    site.pass(31 * DAY_MS);
    expect(await find(merged)).toBeUndefined();
    expect((await find(survivor))?.status).toBe('CONFIRMED');
  });
});
