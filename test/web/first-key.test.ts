/**
 * From a confirmed address to the first key, and what people read if there is none. One engine is enough: what the forms write is
 * tested on both without a browser.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openStore } from '../../src/store/index.ts';
import { copyDataFolder, createDatabase, DEFAULT_ENGINE } from '../support/database/store.ts';
import { PASSWORD } from '../support/rigs/sign-in.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { demoClock } from '../support/runs/demo-clock.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const text = (html: string) => html.replace(/<!-- -->|<[^>]+>/g, '').replaceAll('&quot;', '"');
const mails = (dataDir: string) => (existsSync(join(dataDir, 'mail')) ? readdirSync(join(dataDir, 'mail')).sort() : []);

/** A browser without scripts that keeps its cookies, come as far as the link of the e-mail. `from`: behind a proxy on this machine. */
async function signUp(at: Site, email: string, from?: string) {
  const cookies = new Map<string, string>();
  async function go(path: string, form?: Record<string, string>) {
    const answer = await at.ask(path, {
      method: form ? 'POST' : 'GET',
      ...(form && { body: new URLSearchParams(form) }),
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(from && { 'x-forwarded-for': from }),
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  }
  await go('/sign-up', { email, password: PASSWORD });
  const written = () => mails(at.dataDir).map((file) => readFileSync(join(at.dataDir, 'mail', file), 'utf8'));
  await expect.poll(() => written().some((mail) => mail.includes(`To: ${email}`))).toBe(true);
  const mail = written().findLast((each) => each.includes(`To: ${email}`)) ?? '';
  const plain = mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  const token = /verify\?token=([^\s"<]+)/.exec(plain)?.[1] ?? '';
  return { go, token };
}

describe('a confirmed address', () => {
  test('shows the first key and a request that works, in an answer that nobody stores, and never after', async () => {
    const { go, token } = await signUp(site, 'ada@example.org');
    const before = Promise.all([go('/verify', { token }), go('/verify', { token })]);
    const pages = await before;
    const texts = await Promise.all(pages.map(async (page) => text(await page.text())));
    const [key = ''] = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/.exec(texts[0] ?? '') ?? [];
    // A double click shows the same key.
    expect(texts[1]).toContain(key);
    expect(texts[0]).toContain(`curl -H "X-API-Key: ${key}"`);
    for (const page of pages) expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await site.ask('/api/v1/events?limit=3', { headers: { 'X-API-Key': key } })).status).toBe(200);
    const later = await go(`/verify?token=${token}`);
    expect(await later.text()).not.toContain(key);
    expect(text(await (await go('/dashboard/keys')).text())).toContain('First key');
  });

  test('of a mailbox that had its trial says so before and after, and in the dashboard, and what to do', async () => {
    const first = await signUp(site, 'grace@example.org');
    await first.go('/verify', { token: first.token });
    const { go, token } = await signUp(site, 'grace+two@example.org');
    expect(text(await (await go(`/verify?token=${token}`)).text())).toContain('your mailbox had a trial with another account');
    const confirmed = text(await (await go('/verify', { token })).text());
    expect(confirmed).toContain('Each mailbox has one trial, and yours had it with another account.');
    expect(confirmed).toContain('choose a plan for this one');
    expect(confirmed).not.toContain('mq_live_');
    const dashboard = text(await (await go('/dashboard')).text());
    expect(dashboard).toContain('This account has no trial.');
    expect(dashboard).toContain('Choose a plan');
  });
});

test('more trials than a network may begin in a day are told so, and how to go on', async () => {
  const behindProxy = await openSite({ demo: false, settings: { MARQUEE_TRUST_PROXY: 'loopback' } });
  const { db } = behindProxy.store;
  const accounts = createAccounts({ db, now: behindProxy.now });
  for (let n = 0; n < 20; n += 1) {
    const email = `dev-${n}@example.org`;
    const account = await accounts.createAccount({ email });
    if (!account.ok) throw new Error(account.detail);
    const owner = { accountId: account.id, actor: { id: account.id, name: email }, address: `203.0.113.${n}` };
    await accounts.own.create(owner, { form: email, name: 'site', plan: { kind: 'free' } });
  }
  const { go, token } = await signUp(behindProxy, 'late@example.org', '203.0.113.99');
  const confirmed = text(await (await go('/verify', { token })).text());
  expect(confirmed).toContain('Too many trials have started from your network today.');
  expect(confirmed).toContain('Try again tomorrow (UTC) or from another network, or choose a plan.');
  await behindProxy.close();
});

test('a started demo says how to become an operator', () => {
  expect(site.logged().join('')).toContain('  marquee account create --email you@example.org --operator');
});

test('e-mails about trials that are due leave when a process starts', async () => {
  const { options, remove } = DEFAULT_ENGINE === 'embedded' ? await copyDataFolder() : await createDatabase();
  const store = await openStore(options);
  const fiveDaysAgo = demoClock() - 5 * 86_400_000;
  await createAccounts({ db: store.db, now: () => fiveDaysAgo }).createAccount({ email: 'ada@example.org' });
  await store.close();
  const { dataDir, databaseUrl } = options;
  const settings = { MARQUEE_DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  const started = await openSite({ demo: false, settings });
  await expect.poll(() => mails(dataDir).length).toBe(1);
  const [file = ''] = mails(dataDir);
  expect(readFileSync(join(dataDir, 'mail', file), 'utf8')).toContain('Your trial ends in 3 days');
  await started.close();
  await remove();
});
