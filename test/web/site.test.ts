// One engine is enough: headers and forms do not show which database stands behind them.
import { type IncomingHttpHeaders, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
/** Any method, and the answer as it came. */
const askPlain = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ statusCode: number; headers: IncomingHttpHeaders; octets: number }>((resolve, reject) => {
    request(site.url + path, { method, headers, agent: false }, async (answer) => {
      const octets = (await answer.toArray()).reduce((sum, { length }: Buffer) => sum + length, 0);
      resolve({ statusCode: answer.statusCode ?? 0, headers: answer.headers, octets });
    })
      .on('error', reject)
      .end();
  });
beforeAll(async () => {
  site = await sharedSite();
});

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
    expect(await page.text()).toContain('Page not found');
  });

  test.each(['/Docs', '/docs/', '/DOCS/ERRORS', '/docs//errors', '//docs', '/Playground', '/docs/?x=1'])(
    'have exact addresses: there is nothing at %s',
    async (path) => {
      expect((await site.ask(path)).status).toBe(404);
      for (const method of ['GET', 'POST']) {
        const page = await site.ask(path, { method, headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' } });
        expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
        const text = await page.text();
        expect(text).toContain('Page not found');
        // In the browser the app would find the page that is meant.
        expect(text).not.toContain('<script');
      }
    },
  );

  test.each(['PUT', 'PATCH', 'DELETE', 'TRACE', 'QUERY', 'PROPFIND', 'M-SEARCH'])(
    'answer 405 to %s with what they allow',
    async (method) => {
      const asked = (path: string) => askPlain(method, path);
      expect(await asked('/docs')).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
      expect(await asked('/')).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
      expect(await asked('/playground')).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
      expect(await asked('/healthz')).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
      expect((await asked('/nothing')).statusCode).toBe(404);
      expect((await asked('/docs/')).statusCode).toBe(404);
    },
  );

  test.each([
    ['a browser', '/docs', { accept: 'text/html' }, 'text/html; charset=utf-8'],
    ['a program', '/docs', {}, 'application/problem+json; charset=utf-8'],
    ['a script of the app', '/docs.data', {}, 'application/problem+json; charset=utf-8'],
    ['another site', '/docs', { 'sec-fetch-site': 'cross-site' }, 'application/problem+json; charset=utf-8'],
    ['nobody', '/check-mail', { origin: 'null' }, 'application/problem+json; charset=utf-8'],
  ])('answer 405 to a form of %s where none is taken, in words of our own', async (_sender, path, more, type) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...more };
    const answer = await site.ask(path, { method: 'POST', body: new URLSearchParams({ a: 'b' }), headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(answer.headers.get('content-type')).toBe(type);
    const text = await answer.text();
    expect(text).toContain('his page does not accept the method of the request');
    expect(text).not.toMatch(/did not provide|routeId|`action`|loader/);
    expect(site.logged().join('')).not.toContain('a page failed');
  });

  test('refuse a form of another site with a page for browsers, and a problem document for programs', async () => {
    const refused = (accept: string) =>
      site.ask('/theme', { method: 'POST', body: new URLSearchParams(), headers: { accept, 'sec-fetch-site': 'cross-site' } });
    const page = await refused('text/html');
    expect([page.status, page.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>Request from another site</h1>');
    const problem = await refused('*/*');
    expect(await problem.json()).toMatchObject({ status: 403, code: 'cross_site_request' });
  });

  test.each(['/', '/docs', '/playground', '/nothing'])('answer HEAD of %s with the headers of GET', async (path) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip' };
    // Between the two, a page may come to be kept as finished bytes, which have other headers.
    await until(async () => {
      const [get, head] = [await askPlain('GET', path, headers), await askPlain('HEAD', path, headers)];
      expect(head.statusCode).toBe(get.statusCode);
      expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
      for (const name of ['vary', 'content-encoding', 'content-type', 'cache-control'])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
      expect(head.octets).toBe(0);
    });
  });

  test('answer HEAD of a stream at once, and keep none open for it', async () => {
    const { cookie } = await site.signIn({ email: 'heads@example.org' });
    const live = (method: string) => site.ask('/dashboard/usage/live', { method, headers: { cookie } });
    for (let n = 0; n < 25; n++) expect((await live('HEAD')).status).toBe(200);
    const stream = await live('GET');
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await stream.body?.cancel();
  });

  test('say why a form was not taken', async () => {
    const { cookie } = await site.signIn({ email: 'why@example.org' });
    const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie };
    const said = async (path: string, body: string | URLSearchParams) => {
      const answer = await site.ask(path, { method: 'POST', body, headers });
      const text = await answer.text();
      expect(text).not.toContain('Internal Server Error');
      return [answer.status, /<p class="lead">([^<]*)/.exec(text)?.[1] ?? text];
    };
    expect(await said('/playground', '{}')).toEqual([400, expect.stringContaining('This form cannot be read.')]);
    expect(await said('/theme', '{}')).toEqual([400, 'This form cannot be read.\n']);
    for (const path of ['/dashboard/plans', '/dashboard/account'])
      expect(await said(path, new URLSearchParams({ intent: 'x' }))).toEqual([
        400,
        expect.stringContaining('This page has no such form.'),
      ]);
  });

  test('say of a key that is not there that it is not, also to programs', async () => {
    const { cookie } = await site.signIn({ email: 'no-key@example.org' });
    const answer = await site.ask('/dashboard/usage.csv?key=zzz', { headers: { cookie } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8']);
    expect(await answer.text()).toBe('Key not found.\n');
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
    ['/.//evil.example', '/'],
    ['/a/..//evil.example', '/'],
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
