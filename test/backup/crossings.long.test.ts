/** A service in one file and out of it again, on the same engine and on the other: what a caller, a reader and a customer see. */

import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect, test } from 'vitest';
import { createAccounts, createAttempts, readSecret } from '../../src/accounts/index.ts';
import { openOutbound } from '../../src/outbound/index.ts';
import { createEndpoints, createSeal, DEFAULT_EVENT_TYPES, WEBHOOK_LIMITS } from '../../src/webhooks/index.ts';
import { DEFAULT_ENGINE, type Engine } from '../support/database/store.ts';
import { freePort } from '../support/network/free-port.ts';
import { openReceiver, type Receiver } from '../support/network/receiver.ts';
import { demoPlace, emptyPlace, manifestOf, type Place } from '../support/rigs/backup.ts';
import { pagesReady, type RunningService, startService } from '../support/rigs/service.ts';
import { PASSWORD } from '../support/rigs/sign-in.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const CROSSINGS: readonly (readonly [Engine, Engine])[] =
  DEFAULT_ENGINE === 'embedded'
    ? [['embedded', 'embedded']]
    : [
        ['postgres', 'postgres'],
        ['embedded', 'postgres'],
        ['postgres', 'embedded'],
      ];

const EMAIL = 'ada@example.org';

test.each(CROSSINGS)('a service that was restored answers as before: %s to %s', async (from, to) => {
  const receiver = await openReceiver();
  cleanups.push(() => receiver.close());
  const port = await freePort();
  const env = {
    PORT: String(port),
    MARQUEE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    MARQUEE_NOW: new Date().toISOString(),
    MARQUEE_ALLOWED_HOSTS: receiver.host,
  };
  const old = await demoPlace(from);
  cleanups.push(old.remove);
  const customer = await addCustomer(old, env, receiver);
  const first = await startService(['serve'], { ...old.env, ...env });
  cleanups.push(() => first.stop('SIGKILL'));
  const cookie = await signIn(old, env, first);
  const before = await look(first, customer.key, cookie);
  // The count of the day is written within a second.
  await expect.poll(() => requestsOf(old, customer.subscriptionId)).toBe(before.requests);
  const { head, epoch } = before.log;

  const file = join(old.folder, 'marquee.backup');
  expect(await old.type('backup', file)).toMatchObject({ status: 0, stderr: '' });
  await first.stop();
  expect(manifestOf(file)).toMatchObject({ engine: from, epoch, sequence: head });
  expect(await old.type('backup', '--verify', file)).toMatchObject({ status: 0, stderr: '' });

  const place = await emptyPlace(to);
  cleanups.push(place.remove);
  expect(await place.type('restore', file)).toMatchObject({ status: 0, stderr: '' });
  const second = await startService(['serve'], { ...place.env, ...env });
  cleanups.push(() => second.stop('SIGKILL'));
  const after = await look(second, customer.key, cookie);

  expect(after.bodies).toEqual(before.bodies);
  expect(after.account).toBe(before.account);
  // The day goes on where it was; the minute begins.
  expect(after.leftToday).toBe(before.leftToday - after.requests);
  expect(after.leftNow).toBe(before.leftNow);
  // Numbers may be used again, so every mirror loads everything once.
  expect(after.log.head).toBe(head);
  expect(after.log.epoch).not.toBe(epoch);
  expect(await changesAfter(second, customer.key, `${epoch}.${head}`)).toMatchObject({ status: 410, body: { code: 'resync' } });
  expect((await changesAfter(second, customer.key, `${after.log.epoch}.${head}`)).status).toBe(200);

  // What the restored service sends is signed with the secret that the customer has.
  const { id } = before.event;
  expect(await place.type('hide', 'event', id)).toMatchObject({ status: 0 });
  await expect.poll(() => receiver.received.find(({ body }) => body.data.id === id)).toBeDefined();
  const message = receiver.received.find(({ body }) => body.data.id === id);
  const signed = new Webhook(customer.secret).verify(message?.text ?? '', message?.headers ?? {});
  expect(signed).toMatchObject({ data: { epoch: after.log.epoch, sequence: head + 1 } });
});

/** An account with a key and a proven endpoint. */
async function addCustomer(place: Place, env: Record<string, string>, receiver: Receiver) {
  return place.withStore(async ({ db }) => {
    const accounts = createAccounts({ db, now: Date.now });
    const account = await accounts.createAccount({ email: EMAIL, tier: 'enterprise' });
    const key = await accounts.createKey({ email: EMAIL });
    if (!account.ok || !key.ok) throw new Error('no account');
    const owner = { accountId: account.id, actor: { id: account.id, name: EMAIL } };
    const outbound = openOutbound({ allowedHosts: [receiver.host], limits: WEBHOOK_LIMITS });
    const clocks = { directory: Date.now, limits: Date.now };
    const seal = createSeal(readSecret(place.folder, null));
    const endpoints = createEndpoints({
      ...{ db, clocks, seal, outbound },
      attempts: createAttempts(Date.now),
      publicUrl: env.MARQUEE_PUBLIC_URL ?? '',
    });
    const created = await endpoints.create(owner, {
      ...{ url: receiver.url, description: '', eventTypes: DEFAULT_EVENT_TYPES, feedId: null },
      ...{ payload: 'full', order: 'parallel', publicKey: false },
    });
    if (!created.ok) throw new Error(created.detail);
    const proven = await endpoints.prove(owner, created.id);
    await outbound.close();
    if (!proven.ok) throw new Error(proven.detail);
    return { key: key.key, subscriptionId: key.subscriptionId, secret: created.shown.secret ?? '' };
  });
}

/** As its owner does it; gives a `Cookie` header. */
async function signIn(place: Place, env: Record<string, string>, service: RunningService): Promise<string> {
  await pagesReady(service);
  const { stdout } = await place.type('account', 'link', '--email', EMAIL);
  const token = new URL(stdout.trim()).searchParams.get('token') ?? '';
  const post = (path: string, fields: Record<string, string>) =>
    fetch(`${env.MARQUEE_PUBLIC_URL}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { accept: 'text/html', connection: 'close', 'sec-fetch-site': 'same-origin' },
    });
  await post('/reset', { token, password: PASSWORD });
  const cookies = (await post('/sign-in', { email: EMAIL, password: PASSWORD })).headers.getSetCookie();
  expect(cookies).not.toEqual([]);
  return cookies.map((line) => line.split(';')[0]).join('; ');
}

const PATHS = ['/events?limit=50', '/events?q=jazz&sort=relevance', '/venues?limit=50', '/neighborhoods', '/trending'];

/** What they see, and how much is left to the key then. */
async function look(service: RunningService, key: string, cookie: string) {
  const headers = { 'X-API-Key': key, connection: 'close' };
  const bodies: string[] = [];
  let last = new Headers();
  for (const path of PATHS) {
    const answer = await fetch(`${service.url}/api/v1${path}`, { headers });
    expect([path, answer.status]).toEqual([path, 200]);
    last = answer.headers;
    bodies.push(await answer.text());
  }
  const [event] = JSON.parse(bodies[0] ?? '').data as { id: string }[];
  const { meta } = (await changesAfter(service, key)).body;
  await pagesReady(service);
  const page = await fetch(`${service.url}/dashboard/account`, { headers: { accept: 'text/html', connection: 'close', cookie } });
  return {
    bodies,
    event: event ?? { id: '' },
    log: meta as { epoch: string; head: number },
    account: [page.status, EMAIL].join(' ') + String((await page.text()).includes(EMAIL)),
    requests: PATHS.length + 1,
    leftToday: Number(last.get('X-RateLimit-Remaining')),
    leftNow: /"minute";r=(\d+)/.exec(last.get('RateLimit') ?? '')?.[1],
  };
}

async function changesAfter(service: RunningService, key: string, after?: string) {
  const query = after === undefined ? '' : `&after=${after}`;
  const answer = await fetch(`${service.url}/api/v1/changes?limit=1${query}`, {
    headers: { 'X-API-Key': key, connection: 'close' },
  });
  return { status: answer.status, body: await answer.json() };
}

const requestsOf = (place: Place, subscriptionId: string): Promise<number> =>
  place.withStore(async ({ db }) => {
    const row = await db
      .selectFrom('usage_day')
      .select('requests')
      .where('subscription_id', '=', subscriptionId)
      .executeTakeFirst();
    return Number(row?.requests ?? 0);
  });
