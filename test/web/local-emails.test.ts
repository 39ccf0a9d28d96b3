// One engine is enough: who may read e-mails is decided before the database is asked.
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FetchBrowser, type FetchedPage, openFetchBrowser } from '../support/network/fetch-browser.ts';
import { openPlainProxy } from '../support/network/plain-proxy.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

const OPERATOR = 'operator@example.org';
let site: Site;
/** The developer, whose browser has opened the link, and the path of the e-mail that they asked for. */
let developer: { go: FetchBrowser; welcome: FetchedPage; email: string };
const closers: (() => void)[] = [];

beforeAll(async () => {
  site = await openSite({ terminal: true });
  await site.signIn({ email: OPERATOR, operator: true, password: 'correct horse battery staple' });
  const go = openBrowser();
  const { pathname, search } = new URL(welcomeLink());
  const welcome = await go(pathname + search);
  developer = { go, welcome, email: emailOf((await forget(go)).text) };
});
afterAll(async () => {
  for (const close of closers.splice(0)) close();
  await site.close();
});

/** As `npm start` left it for whoever owns the data folder. */
const welcomeLink = () => readFileSync(join(site.dataDir, 'welcome-link'), 'utf8').trim();

const openBrowser = (base = site.url, headers: Record<string, string> = {}): FetchBrowser => openFetchBrowser(base, headers);

async function openProxy(headers: Record<string, string>): Promise<string> {
  const { url, close } = await openPlainProxy(site.url, headers);
  closers.push(close);
  return url;
}

const FORWARDED = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'events.example.org',
  'x-forwarded-proto': 'https',
  'x-real-ip': '203.0.113.9',
  forwarded: 'for=203.0.113.9;host=localhost',
  via: '1.1 proxy',
};

/** Where the page that says where an e-mail went leads on. */
const emailOf = (text: string): string => /\/letters\/[\w-]+/.exec(text)?.[0] ?? '';

/** The way of somebody who has lost a password, up to the page that says where the e-mail went. */
async function forget(go: FetchBrowser) {
  const { status, location } = await go('/forgot', { email: OPERATOR });
  expect([status, location]).toEqual([302, '/check-mail?for=reset']);
  return await go(location);
}

describe('an e-mail of a service without a mail server', () => {
  test('is read by the browser that opened the link of the welcome, on its way to the operators’ desk', async () => {
    const { go, welcome, email } = developer;
    expect([welcome.status, welcome.location]).toEqual([302, '/']);
    const [cookie = ''] = welcome.setCookies;
    for (const part of ['Path=/', 'HttpOnly', 'SameSite=Strict']) expect(cookie).toContain(part);
    const { status, text } = await go(email);
    expect([status, text.includes(OPERATOR)]).toEqual([200, true]);
    const [reset = ''] = /\/reset\?token=[^\s"<]+/.exec(text) ?? [];
    expect((await go(reset)).text).toContain('Choose a new password');
  });

  test.each([
    ['behind a proxy that hides them', {}, {}],
    ['behind a proxy that says where they come from', FORWARDED, {}],
    ['on the machine itself, in another browser', null, {}],
    ['with a cookie that they made up', null, { cookie: 'marquee_welcome=made-up; marquee_inbox=operator%40example.org' }],
  ])('is not read by a stranger %s', async (_who, proxied, headers) => {
    const stranger = openBrowser(proxied ? await openProxy(proxied) : site.url, headers);
    const inbox = await forget(stranger);
    expect(inbox.text.match(/\/letters\/[\w-]+|token=/)).toBeNull();
    expect(inbox.text).toContain('open the link that');
    // The e-mail is there, under an address that the stranger may have guessed.
    const { go, email } = developer;
    expect((await go(email)).status).toBe(200);
    for (const path of [email, `${email}.data`]) {
      const { status, text } = await stranger(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain(OPERATOR);
    }
  });

  test('is not read with a wrong token, and a page says so', async () => {
    const genuine = new URL(welcomeLink()).searchParams.get('token') ?? '';
    for (const token of ['', 'made-up', `${genuine}x`, genuine.slice(1), genuine.toLowerCase()]) {
      const go = openBrowser();
      const { text, location, setCookies } = await go(`/welcome?token=${token}`);
      expect([token, text.includes('This link does not work'), location, setCookies]).toEqual([token, true, '', []]);
      expect((await go(developer.email)).status).toBe(404);
    }
  });

  test('is not shown to a page of another site that has pointed its name at this machine', async () => {
    for (const path of ['/letters/x', '/welcome?token=x', '/sign-up', '/', '/desk', '/assets/x.js'])
      expect([path, await statusUnder('rebound.example', path)]).toEqual([path, 421]);
    const posted = await site.ask('/theme', {
      method: 'POST',
      body: new URLSearchParams({ theme: 'dark' }),
      headers: { origin: 'http://rebound.example' },
    });
    expect(posted.status).toBe(403);
  });

  test('has neither its text nor the link of the welcome in the log', async () => {
    const { text } = await developer.go(developer.email);
    const [, reset = ''] = /\/reset\?token=([^\s"<]+)/.exec(text) ?? [];
    const token = new URL(welcomeLink()).searchParams.get('token') ?? '';
    const records = site.logged().filter((line) => line.startsWith('{'));
    expect(records.join('')).toContain('e-mail written to the data folder');
    for (const secret of [reset, token]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(records.filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});

describe('the link of the welcome', () => {
  const printedBy = ({ logged }: Site): string =>
    logged()
      .filter((line) => !line.startsWith('{'))
      .join('');

  test('is printed on a terminal, and kept for its owner alone', () => {
    expect(welcomeLink()).toMatch(new RegExp(`^${site.url}/welcome\\?token=[\\w-]{43}$`));
    expect(printedBy(site)).toContain(`  pages       ${welcomeLink()}\n`);
    expect(statSync(join(site.dataDir, 'welcome-link')).mode & 0o777).toBe(0o600);
    expect(site.logged().filter((line) => line.includes('welcome-link'))).toEqual([]);
  });

  test('is printed nowhere else: the log says in which file it is', async () => {
    const piped = await openSite();
    try {
      const file = join(piped.dataDir, 'welcome-link');
      expect(printedBy(piped)).toContain(`  pages       ${piped.url}\n`);
      expect(piped.logged().join('')).not.toContain('/welcome?token=');
      const named = piped.logged().filter((line) => line.includes('to read e-mails, open the link in this file'));
      expect(named.map((line) => JSON.parse(line).file)).toEqual([file]);
      expect(readFileSync(file, 'utf8')).toContain(`${piped.url}/welcome?token=`);
    } finally {
      await piped.close();
    }
  });

  test.each([
    ['in production', { NODE_ENV: 'production', MARQUEE_NOW: '' }],
    ['under a public name', { MARQUEE_PUBLIC_URL: 'https://events.example.org' }],
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1:1' }],
  ])('does not exist %s', async (_where, settings) => {
    const other = await openSite({ demo: false, terminal: true, settings });
    try {
      expect(() => readFileSync(join(other.dataDir, 'welcome-link'))).toThrow('ENOENT');
      const { status } = await other.ask('/welcome?token=x', { headers: { accept: 'text/html' } });
      expect(status).toBe(404);
    } finally {
      await other.close();
    }
  });
});

/** `fetch` would not let us say the name. */
function statusUnder(host: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(site.url + path, { headers: { accept: 'text/html', host }, agent: false }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  })
    .once('error', reject)
    .end();
  return promise;
}
