/** Embeds of a whole service: what their routes give, and what the pages of the dashboard do. PostgreSQL is quicker. */

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createEmbedFinder } from '../../src/embeds/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

let site: Site;
let owner: Person;
beforeAll(async () => {
  site = await openSite();
  owner = await site.signIn({ email: 'embeds@example.org', tier: 'starter' });
});
afterAll(() => site.close());

const send = (who: Person, path: string, fields: Record<string, string>) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
const read = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, text: await answer.text() };
};
/** The id of a new embed. */
async function create(fields: Record<string, string> = {}, who = owner): Promise<string> {
  const made = await send(who, '/dashboard/embeds/new', { intent: 'save', feed_name: 'Concerts', layout: 'list', ...fields });
  expect(made.status, (await made.text()).slice(0, 3_000)).toBe(303);
  return /\/dashboard\/embeds\/(\w+)\?created/.exec(String(made.headers.get('location')))?.[1] ?? '';
}
const documentOf = (id: string, headers: Record<string, string> = {}) => site.ask(`/embed/v1/${id}.json`, { headers });

describe('the events of an embed', () => {
  test('are those that the API finds, without a key, for every site and every plan', async () => {
    const id = await create({ category: 'concert' });
    const answer = await documentOf(id, { origin: 'https://club.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=60/);
    const { events, city, map, layout, name } = (await answer.json()) as {
      events: { title: string; start: string; image: string }[];
      city: object;
      map: { areas: string[] };
      layout: string;
      name: string;
    };
    expect([layout, name]).toEqual(['list', 'Concerts']);
    expect(city).toEqual({ name: 'Port Alder', timezone: 'America/Chicago', currency: 'USD', locale: 'en-US' });
    expect(map.areas.length).toBeGreaterThan(2);
    expect(map.areas[0]).toMatch(/^M\d+ \d+L.*Z$/);
    const accounts = createAccounts({ db: site.store.db, now: site.now });
    const key = await accounts.createKey({ email: owner.email });
    const api = await site.ask('/api/v1/events?category=concert&sort=start&limit=60', {
      headers: { 'X-API-Key': key.ok ? key.key : '' },
    });
    const { data } = (await api.json()) as { data: { title: string; startDatetime: string }[] };
    expect(events.map(({ title, start }) => [title, start])).toEqual(
      data.map(({ title, startDatetime }) => [title, startDatetime]),
    );
    for (const { image } of events.slice(0, 3)) expect((await fetch(image)).headers.get('content-type')).toMatch(/^image\//);
    // Feeds stay what the Enterprise plan has.
    const feed = await send(owner, '/dashboard/feeds/new', { intent: 'save', feed_name: 'Mine', category: 'concert' });
    expect(feed.status).toBe(400);
  });

  test('are answered from memory, with a tag, and compressed', async () => {
    const id = await create();
    const first = await documentOf(id, { 'accept-encoding': 'gzip' });
    expect(first.headers.get('content-encoding')).toBe('gzip');
    const again = await documentOf(id, { 'accept-encoding': 'gzip', 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('are for the sites that the owner has named', async () => {
    const id = await create({ origins: 'https://club.example, bar.example/listing' });
    for (const [origin, status] of [
      ['https://club.example', 200],
      ['https://bar.example', 200],
      [site.url, 200],
      ['https://other.example', 404],
    ] as const) {
      const answer = await documentOf(id, { origin });
      expect([origin, answer.status]).toEqual([origin, status]);
      expect(answer.headers.get('access-control-allow-origin')).toBe(status === 200 ? origin : null);
    }
    const page = await site.ask(`/embed/${id}`);
    expect(page.headers.get('content-security-policy')).toContain(
      "frame-ancestors 'self' https://club.example https://bar.example",
    );
    const wrong = await send(owner, '/dashboard/embeds/new', {
      intent: 'save',
      feed_name: 'X',
      layout: 'list',
      origins: 'ftp://x',
    });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Enter up to 20 sites')]);
  });

  test.each([
    'https://a;sandbox',
    "https://'unsafe-inline'",
    'https://*.example.com',
    'https://*',
    'https://a_b.example',
    'https://[::1]',
    'https://x.example;script-src',
  ])('cannot be named %s: a site is one host, and no directive of a policy', async (origins) => {
    const wrong = await send(owner, '/dashboard/embeds/new', { intent: 'save', feed_name: 'X', layout: 'list', origins });
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Enter up to 20 sites')]);
  });

  test('of an earlier release with such a site keep it out of the policy, and stay closed to others', async () => {
    const id = await create({ origins: 'https://club.example' });
    await site.store.db
      .updateTable('embed')
      .set({ origins: ['https://a;sandbox', 'https://bar.example:8443'] })
      .where('id', '=', id)
      .execute();
    const policy = (await site.ask(`/embed/${id}`)).headers.get('content-security-policy');
    expect(policy).toMatch(/; frame-ancestors 'self' https:\/\/bar\.example:8443$/);
    expect(policy).not.toContain('sandbox');
  });

  test.each(['nobody', 'A1b2C3d4E5f6G7', '../../etc/passwd', 'a'.repeat(300)])('there are none for the id %s', async (id) => {
    const answer = await documentOf(encodeURIComponent(id));
    expect(answer.status).toBe(404);
  });
});

describe('an embed', () => {
  test('is changed and removed by its owner alone', async () => {
    const id = await create({ layout: 'map' });
    const other = await site.signIn({ email: 'others@example.org' });
    const path = `/dashboard/embeds/${id}`;
    expect((await read(other, path)).status).toBe(404);
    expect((await send(other, path, { intent: 'save', feed_name: 'Mine', layout: 'list' })).status).toBe(404);
    await send(other, path, { intent: 'remove' });
    const { text } = await read(owner, path);
    expect(text).toContain(`embed=&quot;${id}&quot;`);
    expect(text).toContain('/embed/v1/marquee-events.js');
    expect(text).toMatch(/name="layout"[^>]*checked=""[^>]*value="map"|name="layout"[^>]*value="map"[^>]*checked=""/);
    const saved = await send(owner, path, { intent: 'save', feed_name: 'Renamed', layout: 'calendar', free: 'true' });
    expect(saved.headers.get('location')).toBe(`${path}?saved`);
    expect(((await (await documentOf(id)).json()) as { name: string }).name).toBe('Renamed');
    expect((await send(owner, path, { intent: 'remove' })).status).toBe(303);
    expect((await read(owner, path)).status).toBe(404);
    expect((await site.ask(`/embed/${await create({ feed_name: 'Kept' })}`)).status).toBe(200);
  });

  test('has twenty at most for an account, whatever is clicked twice', async () => {
    const many = await site.signIn({ email: 'many@example.org' });
    const token = 'a-token-of-a-form-1234';
    const fields = { intent: 'save', feed_name: 'Twice', layout: 'list', token };
    const [one, two] = await Promise.all([
      send(many, '/dashboard/embeds/new', fields),
      send(many, '/dashboard/embeds/new', fields),
    ]);
    expect(one.headers.get('location')).toBe(two.headers.get('location'));
    for (let n = 1; n < 20; n += 1) await create({ feed_name: `Embed ${n}` }, many);
    const full = await send(many, '/dashboard/embeds/new', { intent: 'save', feed_name: 'More', layout: 'list' });
    expect([full.status, await full.text()]).toEqual([400, expect.stringContaining('An account can have 20 embeds')]);
  });
});

describe('the script', () => {
  test('weighs at most 12 kB compressed, has no key, and is cached for days', async () => {
    const answer = await site.ask('/embed/v1/marquee-events.js', { headers: { 'accept-encoding': 'identity' } });
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=604800/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const text = await answer.text();
    expect(brotliCompressSync(text).length).toBeLessThanOrEqual(12_000);
    expect(text).not.toMatch(/mq_(?:live|test)_|innerHTML|document\.write|eval\(/);
    expect(gzipSync(text).length).toBeLessThanOrEqual(12_000);
  });
});

describe('oEmbed', () => {
  const ask = async (url: string, more = '') => {
    const answer = await site.ask(`/oembed?url=${encodeURIComponent(url)}${more}`);
    return { status: answer.status, headers: answer.headers, body: answer.status === 200 ? await answer.json() : null };
  };

  test('gives an iframe for an embed, within the size that was asked for, and its page leads there', async () => {
    const id = await create({ feed_name: 'Jazz & "friends" <b>' });
    const page = await site.ask(`/embed/${id}`);
    const html = await page.text();
    const [, link = ''] = /type="application\/json\+oembed" href="([^"]+)"/.exec(html) ?? [];
    const found = await site.ask(link.replaceAll('&amp;', '&').slice(site.url.length));
    expect(await found.json()).toMatchObject({
      version: '1.0',
      type: 'rich',
      title: 'Jazz & "friends" <b>',
      width: 600,
      height: 480,
    });
    const small = await ask(`${site.url}/embed/${id}`, '&maxwidth=320&maxheight=200&format=json');
    expect(small.body).toMatchObject({ width: 320, height: 200, html: expect.stringContaining(`src="${site.url}/embed/${id}"`) });
    expect(JSON.stringify(small.body)).not.toContain('<b>\\"');
    expect(small.headers.get('access-control-allow-origin')).toBe('*');
    expect(html).not.toContain('<b>');
    expect(page.headers.get('content-security-policy')).toMatch(/frame-ancestors \*$/);
    expect(page.headers.get('x-frame-options')).toBe(null);
  });

  test('gives a link for events and venues, and nothing for all others', async () => {
    const { slug, title } = await site.store.db
      .selectFrom('event')
      .select(['slug', 'title'])
      .where('state', '=', 'published')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect((await ask(`${site.url}/events/${slug}`)).body).toMatchObject({
      type: 'link',
      title,
      url: `${site.url}/events/${slug}`,
    });
    for (const url of ['https://elsewhere.example/embed/x', `${site.url}/events/no-such`, `${site.url}/docs`, 'nonsense']) {
      expect((await ask(url)).status, url).toBe(404);
    }
    expect((await ask(`${site.url}/events/${slug}`, '&format=xml')).status).toBe(501);
  });
});

describe('ids that nobody has', () => {
  const COLUMNS = { layout: 'list', query: '', created_at: new Date(0), updated_at: new Date(0) } as const;
  const embed = (id: string) => ({ ...COLUMNS, id, name: id, origins: [], updatedAt: new Date(0) });
  const randomId = (n: number) => `x${String(n).padStart(13, '0')}`;

  test('never push out what is read before, and a network may look up 30 of them in a minute', async () => {
    const asked: string[] = [];
    const finder = createEmbedFinder(
      async (id) => {
        asked.push(id);
        return id.startsWith('known') ? embed(id) : null;
      },
      () => 1_000,
      (error) => expect.fail(String(error)),
    );
    const known = 'known123456789';
    expect(await finder.find(known, '192.0.2.1')).toMatchObject({ embed: { id: known } });
    const outcomes = [];
    for (let n = 0; n < 6_000; n += 1) outcomes.push(await finder.find(randomId(n), `198.18.${Math.floor(n / 250)}.7`));
    expect(asked).toHaveLength(1 + 24 * 30);
    expect(outcomes.filter(({ wait }) => wait > 0)).toHaveLength(6_000 - 24 * 30);
    expect(await finder.find(known, '198.18.0.7')).toMatchObject({ embed: { id: known }, wait: 0 });
    // Known to be nobody's: told again without a look.
    expect(await finder.find(randomId(0), '198.18.0.7')).toEqual({ embed: null, wait: 0 });
    for (let n = 0; n < 6_000; n += 1) await finder.find(randomId(n), `198.51.${n % 250}.${n % 200}`);
    expect(asked.filter((id) => id === known)).toHaveLength(1);
  });

  test('are answered with 429 and a wait once a network has guessed too often', async () => {
    let last = await site.ask(`/embed/${randomId(0)}`);
    for (let n = 1; n < 40 && last.status === 404; n += 1) last = await site.ask(`/embed/${randomId(n)}`);
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true]);
  });
});

test('one network may ask 120 times a minute', async () => {
  const id = await create();
  let last = await documentOf(id);
  for (let n = 0; n < 130 && last.status === 200; n += 1) last = await documentOf(id);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(last.headers.get('access-control-allow-origin')).toBe('*');
});
