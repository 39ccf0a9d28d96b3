import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi, type TestApi, type TestApiOptions } from '../support/rigs/api.ts';

let api: TestApi;
afterEach(() => api.close());

/** A service with one page, which is made as long as `hold` is not resolved. */
function start(options: TestApiOptions = {}) {
  const hold = Promise.withResolvers<void>();
  const made = { begun: 0 };
  // On a busy machine the loop may be late where no test is about that.
  api = createTestApi({ ...options, pageLimits: { maxStallMs: Number.POSITIVE_INFINITY, ...options.pageLimits } });
  const { limitPage, refuse } = api.server;
  api.server.mount((room, _options, done) => {
    room.get('/page', async (request, reply) => {
      const answer = await limitPage(request.ip, async () => {
        made.begun += 1;
        if (request.headers['x-slow']) await hold.promise;
        return 'a page';
      });
      if (typeof answer === 'string') return reply.send(answer);
      refuse(request, reply, answer);
      return reply;
    });
    done();
  });
  return { hold, made };
}

const from = async (remoteAddress: string, headers: Record<string, string> = {}) => {
  const answer = await api.server.app.inject({ url: '/page', remoteAddress, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
};

describe('pages', () => {
  test('are made in a burst, and then as many as the second brings; other networks, the API and health checks do not notice', async () => {
    start({ pageLimits: { burst: 5, perSecond: 1e-6, refusalDelayMs: 0 } });
    for (let n = 0; n < 5; n++) expect((await from('203.0.113.7')).status).toBe(200);
    const refused = await from('203.0.113.7');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    expect(JSON.parse(refused.body)).toMatchObject({
      code: 'page_limit',
      retryAfterSeconds: Number(refused.headers['retry-after']),
    });
    const page = await from('203.0.113.7', { accept: 'text/html' });
    expect([page.status, page.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect((await from('203.0.113.8')).status).toBe(200);
    expect((await api.ask('/events?limit=1')).status).toBe(200);
    expect((await api.askPlain('/healthz')).status).toBe(200);
  });

  test('that are not made in time are answered 503, and count until they are made', async () => {
    const { hold } = start({ pageLimits: { maxMakingMs: 1, maxInFlight: 1 } });
    const late = await from('203.0.113.7', { 'x-slow': 'yes' });
    expect(late.status).toBe(503);
    expect(JSON.parse(late.body)).toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 5,
      detail: expect.stringContaining('not ready'),
    });
    expect((await from('203.0.113.8')).status).toBe(503);
    hold.resolve();
    await expect.poll(async () => (await from('203.0.113.8')).status).toBe(200);
  });

  test('of one IPv6 network are counted together', async () => {
    start({ pageLimits: { burst: 2, perSecond: 1e-6, refusalDelayMs: 0 } });
    const statuses = [];
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
      statuses.push((await from(address)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });

  test('of a client behind a trusted proxy count for the client', async () => {
    start({ trustProxy: ['127.0.0.1'], pageLimits: { burst: 1, perSecond: 1e-6, refusalDelayMs: 0 } });
    const asked = (client: string) => from('127.0.0.1', { 'x-forwarded-for': client });
    expect([(await asked('203.0.113.1')).status, (await asked('203.0.113.1')).status]).toEqual([200, 429]);
    expect((await asked('203.0.113.2')).status).toBe(200);
  });

  test('come back with time', async () => {
    start({ pageLimits: { burst: 1, perSecond: 50, refusalDelayMs: 0 } });
    expect((await from('203.0.113.7')).status).toBe(200);
    await expect.poll(async () => (await from('203.0.113.7')).status).toBe(200);
  });

  test('are refused slowly, so that who asks again and again does so seldom; beyond a number at once', async () => {
    start({ pageLimits: { burst: 1, perSecond: 1e-6, refusalDelayMs: 60_000, maxDelayed: 2 } });
    await from('203.0.113.7');
    let refused = 0;
    for (let n = 0; n < 2; n++) void from('203.0.113.7').then(() => refused++);
    expect((await from('203.0.113.7')).status).toBe(429);
    expect(refused).toBe(0);
  });

  test('are no more at a time than there is room for', async () => {
    const { hold, made } = start({ pageLimits: { maxInFlight: 2 } });
    const slow = [from('203.0.113.1', { 'x-slow': '1' }), from('203.0.113.2', { 'x-slow': '1' })];
    await expect.poll(() => made.begun).toBe(2);
    const refused = await from('203.0.113.3');
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([503, 'overloaded']);
    hold.resolve();
    for (const answer of await Promise.all(slow)) expect(answer.status).toBe(200);
    expect((await from('203.0.113.3')).status).toBe(200);
  });
});

describe('an event loop that stood still', () => {
  test('refuses the pages that came meanwhile, and answers the API and the health checks', async () => {
    start({ pageLimits: { maxStallMs: 500 } });
    const bell = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(ASK_IN_A_STALL, {
      eval: true,
      workerData: { port: await api.port(), bell, key: FAKE_KEYS.enterprise },
    });
    const said = Promise.withResolvers<Record<string, string>>();
    worker.once('message', said.resolve);
    worker.once('error', said.reject);
    await expect.poll(() => Atomics.load(bell, 0)).toBe(1);
    Atomics.store(bell, 0, 2);
    Atomics.notify(bell, 0);
    // The loop stands: everything is sent, and then some time passes.
    Atomics.wait(bell, 1, 0, 10_000);
    Atomics.wait(bell, 0, 2, 2_000);
    expect(await said.promise).toEqual({ '/healthz': '200', '/api/v1/events?limit=1': '200', '/page': '503' });
    await expect.poll(async () => (await from('203.0.113.7')).status).toBe(200);
    await worker.terminate();
  });
});

/** Connects, and asks for one thing on each connection when the bell rings; rings back when all is sent. */
const ASK_IN_A_STALL = `
const { connect } = require('node:net');
const { once } = require('node:events');
const { parentPort, workerData: { port, bell, key } } = require('node:worker_threads');
void (async () => {
  const paths = ['/healthz', '/api/v1/events?limit=1', '/page'];
  const sockets = await Promise.all(paths.map(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }));
  Atomics.store(bell, 0, 1);
  Atomics.wait(bell, 0, 1);
  const answers = {};
  const sent = sockets.map((socket, at) => new Promise((resolve) => {
    socket.once('data', (bytes) => {
      answers[paths[at]] = String(bytes).slice(9, 12);
      socket.destroy();
      if (Object.keys(answers).length === paths.length) parentPort.postMessage(answers);
    });
    socket.write('GET ' + paths[at] + ' HTTP/1.1\\r\\nHost: localhost\\r\\nX-API-Key: ' + key + '\\r\\n\\r\\n', resolve);
  }));
  await Promise.all(sent);
  Atomics.store(bell, 1, 1);
  Atomics.notify(bell, 1);
})();
`;
