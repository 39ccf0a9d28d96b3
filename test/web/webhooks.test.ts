// One engine is enough: what the forms write is tested on both without a browser.
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import type { CheckedQuery } from '../../src/query/index.ts';
import { openReceiver, type Receiver } from '../support/network/receiver.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  // The library of the receiver compares times of messages with real time.
  site = await openSite({ settings: { MARQUEE_ALLOWED_HOSTS: receiver.host }, limitsClock: Date.now });
});
afterAll(async () => {
  await site.close();
  await receiver.close();
});

let people = 0;
async function someone(tier = 'enterprise') {
  const who = await site.signIn({ email: `hooks-${people++}@example.org`, tier });
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  const key = await accounts.createKey({ email: who.email });
  if (!key.ok) throw new Error(key.detail);
  return { ...who, subscriptionId: key.subscriptionId };
}
const read = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const send = async (who: Person, path: string, fields: Record<string, string> | URLSearchParams) => {
  const answer = await site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const FORM = { intent: 'save', payload: 'full', order: 'parallel', types: 'event.updated', feed: '' };
async function create(who: Person, fields: Record<string, string> = {}) {
  const made = await send(who, '/dashboard/webhooks/new', { ...FORM, url: receiver.url, ...fields });
  expect(made.status, made.text.slice(0, 2000)).toBe(200);
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(made.text)?.[0] ?? '';
  const path = /\/dashboard\/webhooks\/[0-9a-f-]{36}/.exec(made.text)?.[0] ?? '';
  return { secret, path, page: made };
}

describe('from the dashboard to the first delivered test event', () => {
  test('an endpoint is created, verified, tested and its attempts are shown, without scripts', async () => {
    const who = await someone();
    const { secret, path, page } = await create(who);
    expect(page.headers.get('cache-control')).toContain('no-store');
    const waiting = await read(who, path);
    expect(waiting.text).toContain('Not verified');
    expect(waiting.text).not.toContain(secret);
    expect((await send(who, path, { intent: 'test', type: 'event.updated' })).status).toBe(400);
    expect((await send(who, path, { intent: 'verify' })).headers.get('location')).toBe(`${path}?done=verified`);
    expect((await send(who, path, { intent: 'test', type: 'event.updated' })).status).toBe(303);
    await until(() => expect(receiver.received).toHaveLength(1));
    const [message] = receiver.received;
    expect(new Webhook(secret).verify(message?.text ?? '', message?.headers ?? {})).toMatchObject({
      type: 'event.updated',
      data: { test: true },
    });
    const shown = await until(async () => {
      const { text } = await read(who, path);
      expect(text).toContain(message?.headers['webhook-id']);
      return text;
    });
    expect(shown).toContain('Healthy');
    expect(shown).not.toContain('v1,');
    const attempt = /name="attempt" value="(\d+)"/.exec(shown)?.[1] ?? '';
    expect((await send(who, path, { intent: 'resend', attempt })).status).toBe(303);
    await until(() => expect(receiver.received).toHaveLength(2));
    expect(receiver.received[1]?.headers['webhook-id']).toBe(message?.headers['webhook-id']);
    const rotated = await send(who, path, { intent: 'rotate', token: 't' });
    expect(rotated.text).toMatch(/whsec_[A-Za-z0-9+/=]+/);
    expect((await send(who, path, { intent: 'recover', from: '1' })).status).toBe(303);
    expect((await send(who, path, { intent: 'recover', from: '5', to: '2' })).status).toBe(400);
    expect((await send(who, path, { intent: 'pause' })).status).toBe(303);
    expect((await read(who, path)).text).toContain('Paused');
    expect((await send(who, path, { intent: 'remove' })).headers.get('location')).toBe('/dashboard/webhooks?removed');
    expect((await read(who, path)).status).toBe(404);
  });
});

describe('an address', () => {
  test('inside, of Marquee itself or with line breaks is refused beside its field', async () => {
    const who = await someone();
    for (const url of [
      'http://127.0.0.1/hooks',
      'http://[::1]/hooks',
      'http://0x7f.1/hooks',
      'http://169.254.169.254/latest',
      'http://localhost/hooks',
      'http://hooks.internal/',
      'https://user:pass@example.com/',
      'https://example.com:8443/',
      'ftp://example.com/',
      'https://example.com/\r\nx-evil: 1',
      `${site.url}/api/v1/events`,
    ]) {
      const answer = await send(who, '/dashboard/webhooks/new', { ...FORM, url });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.text, url).toContain('aria-invalid="true"');
    }
  });
});

describe('the button that verifies an endpoint', () => {
  test('is answered 429 with Retry-After where the account has asked a host too often, over all of its endpoints', async () => {
    const who = await someone();
    receiver.proves = false;
    try {
      const asked = receiver.challenges.length;
      const paths = [(await create(who)).path, (await create(who, { url: `${receiver.url}/other` })).path];
      // Meanwhile a slow machine allows some more: all are sent at once.
      const presses = [...paths, ...paths, ...paths, ...paths, ...paths].map((path) => send(who, path, { intent: 'verify' }));
      const answers = await Promise.all(presses);
      const limited = answers.filter(({ status }) => status === 429);
      const others = answers.filter(({ status }) => status !== 429);
      expect(limited.length).toBeGreaterThan(0);
      for (const { text, headers } of limited) {
        expect(text).toContain(`Your account sent too many challenges to ${receiver.host}`);
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      }
      for (const { status, text } of others) expect([status, text.includes('did not return the challenge')]).toEqual([400, true]);
      expect(receiver.challenges).toHaveLength(asked + others.length);
    } finally {
      receiver.proves = true;
    }
  });
});

describe('pages of webhooks', () => {
  test('show Starter and Growth what webhooks are, and take no form of theirs', async () => {
    for (const tier of ['starter', 'growth']) {
      const who = await someone(tier);
      expect((await read(who, '/dashboard/webhooks')).text).toContain('Webhooks are part of Enterprise');
      const refused = await send(who, '/dashboard/webhooks/new', { ...FORM, url: receiver.url });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('Webhooks are part of Enterprise');
    }
  });

  test('of an endpoint whose feed was removed keep that filter until another one is chosen', async () => {
    const who = await someone();
    const feeds = createFeeds({ db: site.store.db, now: site.now });
    const owner = { accountId: who.accountId, actor: { id: who.accountId, name: who.email } };
    const made = await feeds.create(owner, { name: 'Concerts', query: 'category=concert' as CheckedQuery });
    const feed = made.ok ? made.feed.id : '';
    const { path } = await create(who, { feed });
    await feeds.remove(owner, feed);
    const { text } = await read(who, path);
    const chosen = /name="feed"[^>]*>.*?<option value="([^"]*)" selected/.exec(text)?.[1];
    expect(chosen).toBe(feed);
    const refused = await send(who, path, { ...FORM, url: receiver.url, feed });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Choose one of your saved queries');
  });

  test('of others are unknown, whatever is asked of them', async () => {
    const { path } = await create(await someone());
    const other = await someone();
    expect((await read(other, path)).status).toBe(404);
    for (const intent of ['save', 'rotate', 'verify', 'pause', 'activate', 'test', 'resend', 'recover', 'remove']) {
      expect([intent, (await send(other, path, { ...FORM, url: receiver.url, intent })).status]).toEqual([intent, 404]);
    }
  });

  test('list the event types with their schemas and code in six languages', async () => {
    const page = await (await site.ask('/docs/webhooks', { headers: { accept: 'text/html' } })).text();
    for (const language of ['JavaScript', 'Python', 'Go', 'Java', 'Ruby', 'PHP']) expect(page).toContain(`>${language}</h3>`);
    const schemas = (await (await site.ask('/docs/webhooks.json')).json()) as { $defs: Record<string, unknown> };
    expect(Object.keys(schemas.$defs)).toContain('feed.matched');
    for (const type of Object.keys(schemas.$defs)) expect(page).toContain(type);
  });
});
