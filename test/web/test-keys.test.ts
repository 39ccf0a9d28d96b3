import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const read = async (who: Person, path: string) =>
  (await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } })).text();
const send = async (who: Person, fields: Record<string, string>) => {
  const headers = { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const answer = await site.ask('/dashboard/keys', { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: answer.status, text: await answer.text() };
};
const keyIn = (html: string): string => /mq_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/.exec(html)?.[0] ?? '';
const ask = (key: string, path = '/events?limit=1') => fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
const accounts = () => createAccounts({ db: site.store.db, now: site.now });

describe('test keys in the dashboard', () => {
  test('are made, shown once, listed beside live keys, rotated and revoked', async () => {
    const who = await site.signIn({ email: 'tester@example.org' });
    const made = await send(who, { intent: 'create', token: 'one-test', name: 'My tests', plan: 'test:growth' });
    const key = keyIn(made.text);
    expect(made.status).toBe(200);
    expect((await ask(key, '/neighborhoods')).status).toBe(200);
    const page = await read(who, '/dashboard/keys');
    expect(page).toContain(`${key.slice(0, 20)}_…${key.slice(-4)}`);
    expect(page).not.toContain(key);
    expect(page).not.toContain('value="test:growth"');
    expect(page).toContain('value="test:starter"');
    const [, id = ''] = /^mq_test_(.{12})/.exec(key) ?? [];
    const rotated = await send(who, { intent: 'rotate', token: 'two', id, grace: '0' });
    await expect.poll(async () => (await ask(key)).status).toBe(401);
    const next = keyIn(rotated.text);
    expect((await ask(next)).status).toBe(200);
    await send(who, { intent: 'revoke', id: next.slice(8, 20) });
    await expect.poll(async () => (await ask(next)).status).toBe(401);
    expect(await read(who, '/dashboard/keys')).toContain('value="test:growth"');
  });

  test('say that there is one already, beside the form', async () => {
    const who = await site.signIn({ email: 'twice@example.org' });
    const first = await send(who, { intent: 'create', token: 'a', name: 'one', plan: 'test:starter' });
    const again = await send(who, { intent: 'create', token: 'b', name: 'two', plan: 'test:starter' });
    expect(again.status).toBe(400);
    expect(again.text).toContain(`already has a test key of this tier: &quot;one&quot; (${keyIn(first.text).slice(8, 20)}).`);
  });

  test('cost no trial, open nothing of an account, and stay out of its plans and its usage', async () => {
    const who = await site.signIn({ email: 'free@example.org' });
    const { text } = await send(who, { intent: 'create', token: 'c', name: 'tests', plan: 'test:enterprise' });
    await ask(keyIn(text));
    await ask(keyIn(text));
    expect((await accounts().own.choices(who.accountId)).free).toBe('trial');
    const created = await send(who, { intent: 'create', token: 'd', name: 'live', plan: 'free' });
    const [live = ''] = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/.exec(created.text) ?? [];
    await ask(live);
    const id = keyIn(text).slice(8, 20);
    await expect.poll(() => read(who, `/dashboard/usage?key=${id}`)).toContain('which counts toward no plan');
    const csv = await read(who, '/dashboard/usage.csv?days=7');
    expect(csv).not.toContain(id);
    expect(await read(who, `/dashboard/usage.csv?days=7&key=${id}`)).toContain(`${id},tests,/api/v1/events,200,2`);
    expect(await read(who, '/dashboard/plans')).not.toContain(id);
    expect(await read(who, '/dashboard/feeds')).not.toContain('/dashboard/feeds/new');
    const usage = (await (await ask(live, '/usage')).json()) as { data: { day: { used: number } } };
    expect(usage.data.day.used).toBe(1);
  });

  test('records of the test city lead to the page about test keys', async () => {
    const who = await site.signIn({ email: 'links@example.org' });
    const { text } = await send(who, { intent: 'create', token: 'e', name: 'tests', plan: 'test:starter' });
    const { data } = (await (await ask(keyIn(text))).json()) as { data: { url: string; imageUrl: string | null }[] };
    const { pathname } = new URL(data[0]?.url ?? '');
    const answer = await site.ask(pathname, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs/test-keys']);
    expect(await read(who, '/docs/test-keys')).toContain('X-Marquee-Simulate');
  });
});
