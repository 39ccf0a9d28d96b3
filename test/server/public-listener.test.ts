/** What nobody outside may see: metrics, debugging, source maps, files of the project and of the data folder. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildPages } from '../../src/web/index.ts';
import { openRawClient } from '../support/network/raw-client.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
let client: string;
beforeAll(async () => {
  site = await sharedSite();
  client = (await buildPages()).client;
});

/** What scanners look for, and what of ours could lie in reach. */
const HIDDEN = [
  ...['/metrics', '/api/v1/metrics', '/debug', '/debug/pprof', '/debug/vars', '/actuator', '/actuator/env', '/server-status'],
  ...[
    '/json',
    '/json/list',
    '/json/version',
    '/__inspect',
    '/_debug',
    '/trace',
    '/env',
    '/config',
    '/graphql',
    '/console',
    '/admin',
  ],
  ...['/.env', '/.git/config', '/.git/HEAD', '/package.json', '/package-lock.json', '/node_modules/fastify/package.json'],
  ...[
    '/src/main.ts',
    '/src/config.ts',
    '/data/secret',
    '/secret',
    '/demo-keys.json',
    '/welcome-link',
    '/search.snapshot',
    '/database/PG_VERSION',
  ],
  ...[
    '/assets/',
    '/assets/../server/index.js',
    '/assets/%2e%2e/server/index.js',
    '/assets/..%2fserver%2findex.js',
    '/server/index.js',
  ],
  ...['/assets/%2e%2e/%2e%2e/%2e%2e/package.json', '/assets/....//package.json', '/assets/%00', '/.vite/manifest.json'],
];

test.each(HIDDEN)('%s is not there', async (path) => {
  const raw = await openRawClient({ port: Number(new URL(site.url).port) });
  raw.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  await expect.poll(() => raw.ended()).toBe(true);
  expect(raw.text()).toMatch(/^HTTP\/1\.1 (?:400|401|404) /);
  expect(raw.text()).not.toMatch(/nodejs_|process_cpu|"dependencies"|webSocketDebuggerUrl/);
});

test('the files that browsers load have no source maps and name none', async () => {
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' });
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  for (const file of files.filter((each) => /^assets\/.*\.(?:js|css)$/.test(each))) {
    expect(existsSync(join(client, file))).toBe(true);
    const answer = await site.ask(`/${file}`);
    expect([file, answer.status]).toEqual([file, 200]);
    expect(await answer.text()).not.toContain('sourceMappingURL');
    expect(answer.headers.get('sourcemap')).toBeNull();
    expect((await site.ask(`/${file}.map`)).status).toBe(404);
  }
});

test('no header tells what the service is made of', async () => {
  for (const path of ['/', '/healthz', '/api/v1/events', '/nothing']) {
    const { headers } = await site.ask(path);
    for (const name of ['server', 'x-powered-by', 'via', 'x-runtime'])
      expect([path, name, headers.get(name)]).toEqual([path, name, null]);
  }
});

test('ranges of a file are given as asked, and ignored where the file is another', async () => {
  const [file = ''] = readdirSync(join(client, 'assets')).filter((each) => each.endsWith('.js'));
  const ask = (headers: Record<string, string>) =>
    site.ask(`/assets/${file}`, { headers: { 'accept-encoding': 'identity', ...headers } });
  const whole = await ask({});
  const tag = whole.headers.get('etag') ?? '';
  const bytes = await whole.text();
  const part = await ask({ range: 'bytes=0-9' });
  expect([part.status, await part.text()]).toEqual([206, bytes.slice(0, 10)]);
  const other = await ask({ range: 'bytes=0-9', 'if-range': '"another"' });
  expect([other.status, (await other.text()).length]).toEqual([200, bytes.length]);
  expect(tag).toMatch(/"/);
  const beyond = await ask({ range: 'bytes=99999999-' });
  expect(beyond.status).toBe(416);
  for (const path of ['/docs', '/openapi.json']) {
    const answer = await site.ask(path, { headers: { range: 'bytes=0-9', 'if-range': '"x"' } });
    expect([path, answer.status]).toEqual([path, 200]);
  }
});
