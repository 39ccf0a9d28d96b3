import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { openRawClient, type RawClient, type RawClientOptions } from '../support/network/raw-client.ts';
import { createTestApi, type TestApi, type TestApiOptions } from '../support/rigs/api.ts';

let api: TestApi;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await api.close();
});

function start(limits: TestApiOptions['limits'] = {}, more: TestApiOptions = {}): void {
  api = createTestApi({ limits, ...more });
}

async function open(options: Omit<RawClientOptions, 'port'> = {}): Promise<RawClient> {
  const client = await openRawClient({ port: await api.port(), ...options });
  clients.push(client);
  return client;
}

const get = (path: string, key: string = FAKE_KEYS.enterprise) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`;
const HEALTH = get('/healthz');
const answers = (client: RawClient): number => client.count('HTTP/1.1 200 OK');

/** Asks once and waits for the answer; the connection stays open. */
async function askOnce(client: RawClient): Promise<void> {
  const before = answers(client);
  client.write(HEALTH);
  await expect.poll(() => answers(client)).toBe(before + 1);
}

test('clients that are late together are answered one after the other, and hold up nobody', async () => {
  start();
  const sockets: Socket[] = [];
  api.server.app.server.on('connection', (socket) => sockets.push(socket));
  const late = await Promise.all(Array.from({ length: 20 }, () => open()));
  for (const client of late) client.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n');
  await expect.poll(() => sockets.filter(({ bytesRead }) => bytesRead > 0)).toHaveLength(late.length);
  // As Node does it: for all of them at once.
  for (const socket of sockets) api.server.app.server.emit('clientError', LATE, socket);
  expect(sockets.filter(({ writableEnded }) => writableEnded).length).toBe(0);
  await expect.poll(() => late.filter((client) => client.ended())).toHaveLength(late.length);
  for (const client of late) expect(client.text()).toContain('"code":"request_timeout"');
});
const LATE = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });

describe('more connections than there is room for', () => {
  test('of one network close its longest idle one, and leave those of others alone', async () => {
    start({ maxConnections: 10, maxConnectionsPerNetwork: 3 });
    const other = await open({ from: '127.0.0.2' });
    await askOnce(other);
    const [first, second, third] = [await open(), await open(), await open()];
    for (const client of [second, third, first]) await askOnce(client);
    const newcomer = await open();
    await askOnce(newcomer);
    await expect.poll(() => [first, second, third, other].map((client) => client.ended())).toEqual([false, true, false, false]);
    for (const client of [first, third, other]) await askOnce(client);
  });

  test('close the longest idle one of all, and the newcomer is answered', async () => {
    start({ maxConnections: 3 });
    const held = [await open({ from: '127.0.0.2' }), await open({ from: '127.0.0.3' }), await open({ from: '127.0.0.4' })];
    await askOnce(held[0] as RawClient);
    await askOnce(await open({ from: '127.0.0.5' }));
    await expect.poll(() => held.map((client) => client.ended())).toEqual([false, true, false]);
  });

  test('are answered 503 at once where all are busy', async () => {
    start({ maxConnections: 2 });
    for (let n = 0; n < 2; n++) (await open()).write(get('/api/v1/events', FAKE_KEYS.slow));
    await expect.poll(() => api.gate.waiting()).toBe(2);
    const refused = await open();
    await expect.poll(() => refused.ended()).toBe(true);
    expect(refused.text()).toContain('HTTP/1.1 503 Overloaded');
    expect(refused.text()).toContain('"code":"overloaded"');
    api.gate.release();
    await expect.poll(() => clients.slice(0, 2).map(answers)).toEqual([1, 1]);
  });

  test('are no matter behind a trusted proxy, which speaks for many networks', async () => {
    start({ maxConnectionsPerNetwork: 1 }, { trustProxy: ['loopback'] });
    const held = [await open(), await open(), await open()];
    for (const client of held) await askOnce(client);
    expect(held.map((client) => client.ended())).toEqual([false, false, false]);
  });
});

describe('requests sent ahead', () => {
  test('are each metered and answered, a thousand and more, while others are answered in between', async () => {
    start();
    const before = api.gate.used();
    const [eager, patient] = [await open(), await open({ from: '127.0.0.2' })];
    const count = 1_500;
    let answeredMeanwhile = 0;
    eager.write(get('/api/v1/events?limit=1').repeat(count));
    while (answers(eager) < count) {
      await askOnce(patient);
      if (answers(eager) < count) answeredMeanwhile += 1;
    }
    expect(answers(eager)).toBe(count);
    expect(api.gate.used() - before).toBe(count);
    expect(answeredMeanwhile).toBeGreaterThan(0);
  });

  test('in great number behind a slow one end their connection, and no other', async () => {
    start({ maxWaitingPerNetwork: 100 });
    const [greedy, other] = [await open(), await open({ from: '127.0.0.2' })];
    greedy.write(get('/api/v1/events', FAKE_KEYS.slow) + HEALTH.repeat(500));
    other.write(get('/api/v1/events', FAKE_KEYS.slow) + HEALTH.repeat(50));
    await expect.poll(() => greedy.ended()).toBe(true);
    api.gate.release();
    await expect.poll(() => answers(other)).toBe(51);
  });
});

describe('answers that nobody takes', () => {
  test('wait one at a time for each connection, and beyond a size in sum cost the network its oldest', async () => {
    start();
    const whole = await api.send('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await api.close();
    // Four answers: three connections with one each keep them.
    const limit = 4 * whole.text.length;
    start({ maxUnreadBytesPerNetwork: limit, unreadCheckInterval: 20 });
    const taken: { from: string | undefined; socket: Socket }[] = [];
    api.server.app.server.on('connection', (socket) => taken.push({ from: socket.remoteAddress, socket }));
    const left = (from: string) => taken.filter((each) => each.from === from && !each.socket.destroyed).length;
    const good = await open({ from: '127.0.0.2' });
    const few = await Promise.all(Array.from({ length: 3 }, () => open({ from: '127.0.0.3', reads: false })));
    const greedy = await Promise.all(Array.from({ length: 20 }, () => open({ reads: false })));
    // More than the kernel keeps for a connection.
    for (const client of [...few, ...greedy]) client.write(get('/openapi.json').repeat(300));
    await expect.poll(() => api.metrics.registry.metrics()).toMatch(/reason="unread"\} (?:1[0-9]|20)$/m);
    await askOnce(good);
    expect([left('127.0.0.2'), left('127.0.0.3')]).toEqual([1, few.length]);
    // It is looked at now and then: meanwhile it may be more.
    const sum = () => taken.reduce((bytes, { from, socket }) => bytes + (from === '127.0.0.1' ? socket.writableLength : 0), 0);
    await expect.poll(sum).toBeLessThanOrEqual(limit);
    expect(left('127.0.0.1')).toBeGreaterThan(0);
  });
});
