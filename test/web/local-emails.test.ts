import { request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
let email: string;

beforeAll(async () => {
  site = await sharedSite();
  const answer = await site.ask('/sign-up', {
    method: 'POST',
    body: new URLSearchParams({ email: 'local-emails@example.org', password: 'correct horse battery staple' }),
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const inbox = await site.ask(answer.headers.get('location') ?? '', { headers: { accept: 'text/html', cookie } });
  [email = ''] = /\/letters\/[\w-]+/.exec(await inbox.text()) ?? [];
});

/** A path of the site under any name; `fetch` would not let us say it. */
async function readUnder(host: string | undefined, path: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const all = { accept: 'text/html', ...headers, ...(host && { host }) };
  request(site.url + path, { headers: all, agent: false }, async (answer) => {
    resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() });
  })
    .once('error', reject)
    .end();
  return await promise;
}

test('a local e-mail is shown under a name of this machine', async () => {
  for (const host of [undefined, 'localhost:3000', 'marquee.localhost']) {
    const { status, text } = await readUnder(host, email);
    expect([host, status, text.includes('local-emails@example.org')]).toEqual([host, 200, true]);
  }
});

test('a local e-mail is not shown to a page of another site that has pointed its name at this machine', async () => {
  for (const path of [email, '/sign-up', '/', '/desk', '/assets/x.js']) {
    const { status, text } = await readUnder('rebound.example', path);
    expect([path, status]).toEqual([path, 421]);
    expect(text).not.toContain('local-emails@example.org');
  }
  const posted = await site.ask('/theme', {
    method: 'POST',
    body: new URLSearchParams({ theme: 'dark' }),
    headers: { origin: 'http://rebound.example' },
  });
  expect(posted.status).toBe(403);
});

test('a local e-mail is not shown through a proxy', async () => {
  for (const name of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip']) {
    const { status } = await readUnder(undefined, email, { [name]: '203.0.113.9' });
    expect([name, status]).toEqual([name, 404]);
  }
});
