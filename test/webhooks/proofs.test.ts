// One engine is enough: what an endpoint answers, and how often it is asked, does not show which database stands behind it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Customer, openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
});
afterAll(() => rig.close());
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Somebody's service that knows nothing of webhooks: `answer` makes its response of what it gets. */
async function openService(answer: (body: string, path: string) => string) {
  const service = { url: '', asked: 0 };
  const server = createServer(async (request, response) => {
    service.asked += 1;
    const body = Buffer.concat(await request.toArray()).toString();
    response.end(answer(body, request.url ?? ''));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closers.push(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  rig.reach(port);
  service.url = `http://127.0.0.1:${port}/hooks`;
  return service;
}

async function add(owner: Customer, url: string): Promise<string> {
  const created = await rig.endpoints.create(owner, rig.input(url));
  if (!created.ok) throw new Error(created.detail);
  return created.id;
}

const dataOf = (body: string) => JSON.parse(body).data;

describe('a new endpoint is verified', () => {
  it.each<[string, (body: string) => string]>([
    ['the challenge alone', (body) => dataOf(body).challenge],
    ['JSON with the challenge', (body) => JSON.stringify({ challenge: dataOf(body).challenge })],
    ['a page with the challenge', (body) => `<!doctype html><p>${dataOf(body).challenge}</p>`],
  ])('by %s', async (_what, answer) => {
    const owner = await rig.customer();
    const { url } = await openService(answer);
    const id = await add(owner, url);
    expect(await rig.endpoints.prove(owner, id)).toEqual({ ok: true });
    expect((await rig.endpoints.find(owner.accountId, id))?.state).toBe('active');
  });

  it.each<[string, (body: string, path: string) => string]>([
    ['echoes the body', (body) => body],
    ['echoes the body within its own', (body, path) => JSON.stringify({ path, data: body, json: JSON.parse(body) })],
    ['echoes the members in another order', (body) => JSON.stringify(Object.fromEntries(Object.entries(dataOf(body)).sort()))],
    ['echoes the members after so much else that the rest is cut', (body) => echoCut(dataOf(body))],
    ['returns another text', () => 'ok'],
  ])('by no service that %s', async (_what, answer) => {
    const owner = await rig.customer();
    const { url } = await openService(answer);
    const id = await add(owner, url);
    expect(await rig.endpoints.prove(owner, id)).toMatchObject({ ok: false, reason: 'not_proven' });
    expect((await rig.endpoints.find(owner.accountId, id))?.state).toBe('unproven');
  });
});

/** The challenge is within the 4 KB that are read, and what comes after it is not. */
const echoCut = ({ challenge, ...others }: { challenge: string }): string =>
  `${' '.repeat(4_090 - challenge.length)}${challenge}\n${JSON.stringify(others)}`;

describe('challenges', () => {
  /** One press of the button on each of these endpoints, all at the same moment. */
  const pressAll = (owner: Customer, ids: readonly string[]) => Promise.all(ids.map((id) => rig.endpoints.prove(owner, id)));
  const addMany = async (owner: Customer, url: string, count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) ids.push(await add(owner, `${url}/${n}`));
    return ids;
  };

  it('of one account to one host are few, however many endpoints it has there, and the refusal says how long to wait', async () => {
    const [owner, other] = [await rig.customer(), await rig.customer()];
    const service = await openService(() => 'nothing');
    const ids = await addMany(owner, service.url, 18);
    for (let press = 0; press < 40; press += 1) await pressAll(owner, ids);
    expect(service.asked).toBe(5);
    const refused = await rig.endpoints.prove(owner, ids[0] ?? '');
    expect(refused).toMatchObject({ ok: false, reason: 'too_many_challenges', retryAfterSeconds: 60 });
    expect(refused).toHaveProperty('detail', expect.stringMatching(/ to 127\.0\.0\.1:\d+\. Try again in 1 minute\.$/));
    rig.pass(60_000);
    await pressAll(owner, ids);
    expect(service.asked).toBe(6);
    // Others are not held up.
    expect(await rig.endpoints.prove(other, await add(other, service.url))).toMatchObject({ reason: 'not_proven' });
    expect(service.asked).toBe(7);
  });

  it('of one account to many hosts are few, too', async () => {
    const owner = await rig.customer();
    const services = await Promise.all(Array.from({ length: 25 }, () => openService(() => 'nothing')));
    const id = await add(owner, services[0]?.url ?? '');
    for (const { url } of services) {
      await rig.endpoints.update(owner, id, rig.input(url));
      await rig.endpoints.prove(owner, id);
    }
    expect(services.filter(({ asked }) => asked > 0)).toHaveLength(20);
    const refused = await rig.endpoints.prove(owner, id);
    expect(refused).toHaveProperty('detail', 'Your account sent too many challenges. Try again in 1 minute.');
  });

  it('that were returned count for nothing: all endpoints of an account on one host are verified at once', async () => {
    const owner = await rig.customer();
    const { url } = await openService((body) => dataOf(body).challenge);
    const ids = await addMany(owner, url, 18);
    for (const id of ids) expect(await rig.endpoints.prove(owner, id)).toEqual({ ok: true });
  });
});
