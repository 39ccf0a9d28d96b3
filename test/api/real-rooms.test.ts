/**
 * The API over the real read model and the real gate: the fakes of the other tests must not hide a misunderstanding.
 * PostgreSQL is quicker.
 */

import { Writable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TIERS } from '../../src/accounts/index.ts';
import { createApi, ROUTES } from '../../src/api/index.ts';
import { createLog } from '../../src/log.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { createFakeChanges } from '../support/fakes/changes.ts';
import { createFakeExports, FAKE_EXPORT } from '../support/fakes/exports.ts';
import { createFakeFeeds, FAKE_FEED } from '../support/fakes/feeds.ts';
import { type GateRig, NOON, openGateRig } from '../support/rigs/gate.ts';

let rig: GateRig;
let server: Server;
let snapshot: Snapshot;
let now = NOW;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);

beforeAll(async () => {
  rig = await openGateRig();
  snapshot = buildSnapshot(randomDirectory(createRandom(1), 60), NOW, PUBLIC_URL);
  const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
  const clocks = { directory: () => now, limits: () => rig.time.limits };
  const api = createApi({
    search: { current: () => snapshot },
    changes: createFakeChanges(),
    feeds: createFakeFeeds(),
    exports: createFakeExports(),
    gate: rig.gate,
    publicUrl: () => PUBLIC_URL,
    clocks,
    log,
  });
  server = createServer({ api, log, ready: () => true });
  const document = (await server.app.inject('/openapi.json')).json();
  ajv.addSchema(document, 'openapi');
});
afterAll(async () => {
  await server.drain();
  await rig.dispose();
});

const ask = (path: string, key: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': key, ...headers } });

describe('the real read model', () => {
  test('fits the documented schemas, whatever the directory holds', async () => {
    const { key } = await rig.createKey('enterprise');
    for (let seed = 1; seed <= 12; seed++) {
      const directory = randomDirectory(createRandom(seed), 60);
      snapshot = buildSnapshot(directory, NOW, PUBLIC_URL);
      for (const route of ROUTES) {
        const records = route.path.startsWith('/venues') ? directory.venues : directory.events;
        const recordIds = route.isOwned
          ? [route.path.startsWith('/exports') ? FAKE_EXPORT : FAKE_FEED]
          : records.slice(0, 6).map(({ id }) => id);
        const ids = route.path.includes('{id}') ? recordIds : [''];
        const queries = route.path.startsWith('/events') ? ['', '?include=score,status,updatedAt'] : [''];
        const wide =
          route.path === '/events' ? ['?start_date=2026-03-01&limit=100&status=any&facets=category,neighborhood,free,day'] : [];
        for (const id of ids) {
          for (const query of [...queries, ...wide]) {
            rig.pass(1_000);
            const answer = await ask(route.path.replace('{id}', id) + query, key);
            expect([200, 301, 410], `${route.path} ${answer.body}`).toContain(answer.statusCode);
            const schema =
              answer.statusCode === 200
                ? route.answers[query.includes('include') ? 1 : 0]
                : { 301: 'Moved', 410: 'Problem' }[answer.statusCode];
            const validate = ajv.getSchema(`openapi#/components/schemas/${schema}`)!;
            expect(
              validate(answer.json()),
              `${route.path}${query} ${ajv.errorsText(validate.errors)} ${answer.body.slice(0, 500)}`,
            ).toBe(true);
          }
        }
      }
    }
  });

  test('an event that starts leaves the default list at that second, and the tag changes with it', async () => {
    const { key } = await rig.createKey('enterprise');
    snapshot = buildSnapshot(randomDirectory(createRandom(3), 60), NOW, PUBLIC_URL);
    now = NOW;
    const first = await ask('/events?sort=start&limit=100&include=startPrecision', key);
    // One without an hour stays until its day is over.
    const next = first.json().data.find(({ startPrecision }: { startPrecision: string }) => startPrecision === 'time');
    const start = Date.parse(next.startDatetime);
    now = start;
    const at = await ask('/events?sort=start&limit=100', key);
    now = start + 1_000;
    const after = await ask('/events?sort=start&limit=100', key);
    const ids = (answer: typeof first) => answer.json().data.map(({ id }: { id: string }) => id);
    expect(ids(at)).toContain(next.id);
    expect(ids(after)).not.toContain(next.id);
    expect(after.headers.etag).not.toBe(at.headers.etag);
    now = NOW;
  });

  test('paging through the links shows every record once', async () => {
    const { key } = await rig.createKey('enterprise');
    const total = (await ask('/events?limit=1', key)).json().meta.total;
    const seen: string[] = [];
    let path: string | undefined = '/events?limit=7';
    while (path) {
      const answer: Awaited<ReturnType<typeof ask>> = await ask(path, key);
      seen.push(...answer.json().data.map(({ id }: { id: string }) => id));
      path = /<[^>]*\/api\/v1([^>]+)>; rel="next"/.exec(String(answer.headers.link))?.[1];
    }
    expect(total).toBeGreaterThan(0);
    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
  });
});

describe('the real gate', () => {
  test('admits the next request of a client that waits exactly as told, at whatever pace it comes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3_000), { minLength: 70, maxLength: 200 }), async (pauses) => {
        const { key } = await rig.createKey();
        let refusals = 0;
        for (const ms of pauses) {
          // Bursts: most requests come at once.
          rig.pass(ms > 2_700 ? ms : ms / 100);
          const answer = await ask('/events', key);
          if (answer.statusCode !== 429) continue;
          refusals += 1;
          const seconds = Number(answer.headers['retry-after']);
          expect(Number.isInteger(seconds) && seconds >= 1).toBe(true);
          rig.pass(seconds * 1_000);
          expect((await ask('/events', key)).statusCode).toBe(200);
        }
        return refusals > 0 || pauses.length < 100;
      }),
      { numRuns: 15 },
    );
  });

  test('admits exactly the minute of the tier, says how long to wait, and lets in after that', async () => {
    const { key } = await rig.createKey('starter');
    for (let n = 1; n <= TIERS.starter.perMinute; n++) {
      const { statusCode, headers } = await ask(n % 2 ? '/events?limit=1' : '/nope', key);
      expect(statusCode).toBe(n % 2 ? 200 : 404);
      expect(headers['x-ratelimit-remaining']).toBe(String(TIERS.starter.perDay - n));
      rig.pass(100);
    }
    const refused = await ask('/events', key);
    expect(refused.statusCode).toBe(429);
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBe(54);
    expect(refused.json()).toMatchObject({ code: 'rate_limit_minute', retryAfterSeconds: wait });
    expect(refused.headers['x-ratelimit-remaining']).toBe('940');
    const usage = await ask('/usage', key);
    expect(usage.json().data).toMatchObject({
      tier: 'starter',
      day: { used: 60, remaining: 940 },
      minute: { limit: 60, remaining: 0 },
    });
    rig.pass(wait * 1000);
    expect((await ask('/events', key)).statusCode).toBe(200);
  });

  test('refuses a revoked key, a wrong checksum and two keys', async () => {
    const { key, id } = await rig.createKey('growth');
    expect((await ask('/trending', key)).statusCode).toBe(200);
    await rig.accounts.revokeKey(id);
    await expect.poll(async () => (await ask('/trending', key)).json().code).toBe('revoked_api_key');
    expect((await ask('/trending', `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`)).json().code).toBe('invalid_api_key');
    expect((await ask('/trending', '')).json().code).toBe('missing_api_key');
  });

  test('says when the day ends', async () => {
    const { key } = await rig.createKey('growth');
    const { headers } = await ask('/events', key);
    const today = new Date(rig.time.limits);
    const midnight = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + 1);
    expect(rig.time.limits).toBeGreaterThanOrEqual(NOON);
    expect(headers['x-ratelimit-reset']).toBe(new Date(midnight).toISOString().replace('.000', ''));
    expect(String(headers.ratelimit)).toContain(`"day";r=9999;t=${Math.ceil((midnight - rig.time.limits) / 1000)}`);
  });
});
