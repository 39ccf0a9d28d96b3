/** Whose forms are taken, where a browser names the origin alone. One engine is enough: nothing is stored. */

import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ demo: false, settings: { MARQUEE_PUBLIC_URL: 'https://events.example.org' } });
});
afterAll(() => site.close());

/** The status of a form that is sent with these headers. */
function post(headers: Record<string, string>): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
  const { hostname, port } = new URL(site.url);
  request({ hostname, port, path: '/sign-out', method: 'POST', headers: { ...type, ...headers } }, (answer) => {
    answer.resume();
    resolve(answer.statusCode);
  })
    .on('error', reject)
    .end();
  return promise;
}

test.each([
  ['the public address', 'events.example.org', 'https://events.example.org', 302],
  ['the public host without TLS', 'events.example.org', 'http://events.example.org', 403],
  ['another host', 'events.example.org', 'https://evil.example.org', 403],
  ['a name of the machine', 'localhost', 'http://localhost', 302],
  ['a name of the machine with another scheme', 'localhost', 'https://localhost', 403],
  ['no origin', 'events.example.org', 'null', 403],
])('a form of %s (host %s, origin %s) is answered with %i', async (_, host, origin, status) => {
  expect(await post({ host, origin })).toBe(status);
});
