/** The files of exports: ranges, addresses that are signed, secret links. */

import { randomUUID } from 'node:crypto';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDownloadRoutes,
  createLocalStorage,
  createSigningKey,
  createUrlSigner,
  type Manifest,
  type OwnExports,
} from '../../src/exports/index.ts';
import { createLog } from '../../src/log.ts';
import { type Customer, type ExportRig, openExportRig } from '../support/rigs/exports.ts';
import type { Site } from '../support/rigs/site.ts';

let rig: ExportRig;
let site: Site;
let own: OwnExports;
let manifestOf: ExportRig['manifestOf'];
let ready: ExportRig['ready'];
let request: ExportRig['request'];
let ada: Customer;

beforeAll(async () => {
  rig = await openExportRig();
  ({ site, own, manifestOf, ready, request } = rig);
  ada = await rig.createCustomer('ada@exports.example', 'enterprise');
});
afterAll(() => site.close());

describe('the files of an export', () => {
  let url: string;
  let whole: Buffer;
  beforeAll(async () => {
    const manifest = await manifestOf(ada, await request(ada));
    url = manifest.files.find(({ name }) => name.startsWith('events'))?.url ?? '';
    whole = Buffer.from(await (await fetch(url)).arrayBuffer());
  });
  const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });

  it.each([
    ['bytes=0-99', 206, 0, 100],
    ['bytes=100-', 206, 100, undefined],
    ['bytes=-50', 206, -50, undefined],
    ['bytes=5-999999999', 206, 5, undefined],
    ['bytes=0-0,5-6', 200, 0, undefined],
    ['bytes=9-5', 200, 0, undefined],
    ['chapters=1-2', 200, 0, undefined],
  ])('answer %s with %i', async (range, status, start, end) => {
    const answer = await get({ Range: range });
    const body = Buffer.from(await answer.arrayBuffer());
    expect(answer.status).toBe(status);
    expect(body.equals(whole.subarray(start, end))).toBe(true);
    const from = start < 0 ? whole.length + start : start;
    if (status === 206)
      expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${from + body.length - 1}/${whole.length}`);
  });

  it('answer 416 beyond the end, with the length', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const answer = await get({ Range: range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    }
  });

  it('go on only where the file is the same (If-Range), and are not sent twice (If-None-Match)', async () => {
    const first = await get({}, 'HEAD');
    const tag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const [ifRange, status] of [
      [tag, 206],
      [modified, 206],
      ['"other"', 200],
      [`W/${tag}`, 200],
      [new Date(0).toUTCString(), 200],
    ] as const)
      expect((await get({ Range: 'bytes=5-9', 'If-Range': ifRange })).status, ifRange).toBe(status);
    expect((await get({ 'If-None-Match': tag })).status).toBe(304);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('say their type, name and length to HEAD, and are no page', async () => {
    const answer = await get({}, 'HEAD');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="events-00001.ndjson"',
      'content-length': String(whole.length),
      'accept-ranges': 'bytes',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
    expect((await get({}, 'POST')).status).toBe(405);
  });

  it('are closed to an address that was changed, and gone after ten minutes', async () => {
    const [, access = '', id = '', name = ''] = /\/exports\/([^/]+)\/([^/]+)\/(.+)$/.exec(url) ?? [];
    const [expires = '', signature = ''] = access.split('.');
    const later = (Number.parseInt(expires, 36) + 60).toString(36);
    for (const path of [
      `${later}.${signature}/${id}/${name}`,
      `${expires}.${'A'.repeat(43)}/${id}/${name}`,
      `${access}/${randomUUID()}/${name}`,
      `${access}/${id}/records.bin`,
      `${access}/${id}/..%2f..%2fsecret`,
      `${'A'.repeat(43)}/${id}/${name}`,
      `${'A'.repeat(43)}/manifest.json`,
    ])
      expect((await site.ask(`/exports/${path}`)).status, path).toBe(404);
    site.pass(600_001);
    const answer = await get();
    expect([answer.status, await answer.json()]).toEqual([410, expect.objectContaining({ code: 'gone' })]);
  });
});

describe('a secret link', () => {
  it('leads to the newest export without a key, and is gone when it is revoked or replaced', async () => {
    const requestId = await request(ada);
    const { id } = await ready(ada, requestId);
    const first = await own.createLink(ada, requestId);
    if (!first.ok) throw new Error(first.detail);
    expect(Buffer.from(first.token, 'base64url')).toHaveLength(32);
    const newestManifest = await site.ask(`/exports/${first.token}/manifest.json`);
    expect([newestManifest.status, newestManifest.headers.get('location')]).toEqual([
      302,
      `${site.url}/exports/${first.token}/${id}/manifest.json`,
    ]);
    const manifestUrl = newestManifest.headers.get('location') ?? '';
    const manifest = (await (await fetch(manifestUrl)).json()) as Manifest;
    const file = new URL(manifest.files.at(-1)?.url ?? '', manifestUrl);
    expect((await fetch(file)).status).toBe(200);
    expect((await own.findRequest(ada.accountId, requestId))?.linkLast4).toBe(first.token.slice(-4));

    const other = await request(ada, { format: 'csv' });
    const { id: otherId } = await ready(ada, other);
    expect((await site.ask(`/exports/${first.token}/${otherId}/manifest.json`)).status).toBe(404);

    const second = await own.createLink(ada, requestId);
    expect((await fetch(file)).status).toBe(410);
    expect((await site.ask(`/exports/${second.ok && second.token}/${id}/manifest.json`)).status).toBe(200);
    await own.revokeLink(ada, requestId);
    expect((await site.ask(`/exports/${second.ok && second.token}/${id}/manifest.json`)).status).toBe(410);
    const { rows } = { rows: await site.store.db.selectFrom('export_link').selectAll().execute() };
    expect(JSON.stringify(rows)).not.toContain(first.token);
  });

  it('is good for 120 requests a minute', async () => {
    const requestId = await request(ada);
    await ready(ada, requestId);
    const link = await own.createLink(ada, requestId);
    const statuses: number[] = [];
    for (let n = 0; n < 125; n += 1) {
      const answer = await site.ask(`/exports/${link.ok && link.token}/manifest.json`);
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 302).length).toBeGreaterThanOrEqual(120);
    expect(statuses.at(-1)).toBe(429);
  });
});

it('addresses that open nothing are slowed down for whoever tries them, and for nobody else', async () => {
  const requestId = await request(ada);
  const { id } = await ready(ada, requestId);
  const link = await own.createLink(ada, requestId);
  const app = fastify({ trustProxy: true });
  app.register(
    createDownloadRoutes({
      db: site.store.db,
      storage: createLocalStorage(site.dataDir),
      signer: createUrlSigner('secret'),
      key: createSigningKey('secret'),
      publicUrl: site.url,
      now: site.now,
      monotonic: () => 0,
      log: createLog('silent'),
      refuse: (_request, reply, { code, members }) => void reply.status(599).send(`${code} ${members?.retryAfterSeconds ?? ''}`),
    }),
  );
  const ask = async (path: string, address = '198.51.100.7') =>
    (await app.inject({ url: `/exports/${path}`, headers: { 'x-forwarded-for': address } })).body;
  const guesses = [
    `${'A'.repeat(43)}/manifest.json`,
    `${'A'.repeat(43)}/${id}/manifest.json`,
    `zzzzzz.${'A'.repeat(43)}/${id}/manifest.json`,
  ];
  const answers = new Map<string, number>();
  for (let n = 0; n < 650; n += 1) {
    const answer = await ask(guesses[n % guesses.length] ?? '');
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  expect(answers.get('not_found ')).toBe(600);
  expect([...answers.keys()].at(-1)).toMatch(/^rate_limit_minute [1-9]/);
  expect(await ask(guesses[0] ?? '', '203.0.113.9')).toBe('not_found ');
  // A link that is right opens all the same, and a wrong file behind it is no guess.
  const path = link.ok ? link.token : '';
  expect(JSON.parse(await ask(`${path}/${id}/manifest.json`)).format).toBe('ndjson');
  expect(await ask(`${path}/${id}/records.bin`)).toBe('not_found ');
  await app.close();
});
