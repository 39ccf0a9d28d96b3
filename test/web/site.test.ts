import { beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, visit } from '../support/browser.ts';
import { type Site, sharedSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
}, 120_000);

describe('the pages', () => {
  test('forbid everything that is not theirs, with a new nonce each time', async () => {
    const [first, second] = await Promise.all([site.ask('/playground'), site.ask('/playground')]);
    const policy = first.headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toBe(second.headers.get('content-security-policy'));
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    const scripts = [...(await first.text()).matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes);
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((attributes) => !attributes.includes(`nonce="${nonce}"`))).toEqual([]);
  });

  test('leave unknown addresses to the problem document, unless a page is asked for', async () => {
    const plain = await site.ask('/nothing');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
    const page = await site.ask('/nothing', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('There is nothing at this address');
  });

  test.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a neighbour on the same domain', { 'sec-fetch-site': 'same-site' }],
    ['of an old browser elsewhere', { origin: 'https://evil.example' }],
    ['without an origin', { origin: 'null' }],
    ['of nobody', {}],
  ])('refuse the form %s', async (_, headers) => {
    const answer = await site.ask('/theme', {
      method: 'POST',
      body: new URLSearchParams({ theme: 'dark' }),
      headers: { ...headers },
    });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  });

  test.each([
    ['/pricing', '/pricing'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
  ])('lead on to %s as %s', async (next, location) => {
    const body = new URLSearchParams({ theme: 'dark', next });
    const answer = await site.ask('/theme', { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  });

  test('refuse a form that is too large', async () => {
    const body = 'x'.repeat(70_000);
    const answer = await site.ask('/theme', { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer.status).toBe(413);
  });
});

describe('rooms with a door', () => {
  test('send strangers to the sign-in page, and back afterwards', async () => {
    const answer = await site.ask('/dashboard?x=1');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/sign-in?next=%2Fdashboard%3Fx%3D1']);
  });

  test('let people into their dashboard and operators to the desk; to others there is no desk', async () => {
    const developer = await site.signIn({ email: 'dev@example.org' });
    const operator = await site.signIn({ email: 'op@example.org', operator: true });
    const status = async (path: string, cookie: string) =>
      (await site.ask(path, { headers: { cookie, accept: 'text/html' } })).status;
    expect(await status('/dashboard', developer.cookie)).toBe(200);
    expect(await status('/desk', developer.cookie)).toBe(404);
    expect(await status('/desk', 'marquee_session=made-up.signature')).toBe(404);
    expect(await status('/desk', operator.cookie)).toBe(200);
  });
});

describeInBrowser('a reader of the front page', () => {
  test('chooses the dark look, with and without scripts, and it stays', async () => {
    for (const scripts of [true, false]) {
      const { page, close } = await visit(site.url, { scripts });
      await page.goto('/');
      await page.getByRole('button', { name: 'Dark' }).click();
      await page.waitForSelector('html[data-theme="dark"]');
      await page.goto('/');
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      await close();
    }
  });
});
