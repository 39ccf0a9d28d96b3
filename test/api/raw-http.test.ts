import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi, type RawAnswer } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

const KEY = `X-API-Key: ${FAKE_KEYS.enterprise}\r\n`;
const END = 'Connection: close\r\n\r\n';
const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${KEY}${headers}${END}`;
const status = ({ text }: RawAnswer) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
const bodyOf = ({ text }: RawAnswer) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));

function expectProblem(answer: RawAnswer, expected: number, code: string): void {
  expect(status(answer), answer.text).toBe(expected);
  expect(answer.text).toMatch(/\r\nContent-Type: application\/problem\+json; charset=utf-8\r\n/);
  const body = bodyOf(answer);
  expect(body).toMatchObject({ status: expected, code });
  expect(answer.text).toContain(`X-Request-Id: ${body.instance.slice('urn:request:'.length)}\r\n`);
}

describe('addresses', () => {
  test.each([
    '/api/v1/events/%2e%2e%2f',
    '/api/v1/events/%zz',
    '/api/v1/events/%ED%A0%80',
    '/api/v1/venues/../../etc/passwd%00/events',
  ])('%s is refused and leads nowhere', async (target) => {
    expect([400, 404]).toContain(status(await api.send(get(target))));
  });
  test('an address that cannot be decoded is 400 outside the API too', async () => {
    expectProblem(await api.send(get('/x%zz')), 400, 'bad_request');
    expectProblem(await api.send(get('/api/v1/%zz')), 400, 'invalid_parameter');
  });
  test('unescaped bytes above ASCII are 400', async () => {
    const answer = await api.send(Buffer.from(get('/api/v1/events?q=caf\u00e9'), 'utf8'));
    expectProblem(answer, 400, 'bad_request');
    expect(answer.text).toContain('percent-encoded');
  });
  test('the host of an absolute address is ignored, and no link speaks of it', async () => {
    for (const target of ['http://evil.example/api/v1/events?limit=1', 'HTTPS://evil.example:1/api/v1/events?limit=1']) {
      const answer = await api.send(
        `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\n${KEY}${END}`,
      );
      expect(status(answer)).toBe(200);
      expect(answer.text).not.toContain('evil');
    }
    // Without a path it is the front page, which the pages of the site would answer.
    expect(status(await api.send(get('http://evil.example')))).toBe(404);
  });
  test('OPTIONS * is 204', async () => {
    expect(status(await api.send(`OPTIONS * HTTP/1.1\r\nHost: localhost\r\n${END}`))).toBe(204);
  });
});

describe('framing', () => {
  test.each([
    ['no Host', `GET /api/v1/events HTTP/1.1\r\n${KEY}${END}`],
    ['two Hosts', `GET /api/v1/events HTTP/1.1\r\nHost: a\r\nHost: b\r\n${KEY}${END}`],
    ['no Host outside the API', `GET /healthz HTTP/1.1\r\n${END}`],
    [
      'length and chunks',
      `GET /api/v1/events HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n`,
    ],
    ['two lengths', `GET /api/v1/events HTTP/1.1\r\nHost: x\r\n${KEY}Content-Length: 1\r\nContent-Length: 2\r\n${END}a`],
    ['an unknown coding', `GET /api/v1/events HTTP/1.1\r\nHost: x\r\n${KEY}Transfer-Encoding: xchunked\r\n${END}`],
    ['a bare line feed', `GET /api/v1/events HTTP/1.1\nHost: x\n${KEY}\n\n`],
    ['a folded header', `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n${KEY}${END}`],
    ['NUL in a header', `GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n${KEY}${END}`],
    ['a space before the colon', `GET /api/v1/events HTTP/1.1\r\nHost : x\r\n${KEY}${END}`],
    ['an unknown method', `FOO /api/v1/events HTTP/1.1\r\nHost: x\r\n${KEY}${END}`],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('%s is 400 and the connection ends', async (_name, bytes) => {
    const before = api.gate.used();
    const answer = await api.send(Buffer.from(bytes, 'latin1'));
    expectProblem(answer, 400, 'bad_request');
    expect(answer.ended).toBe(true);
    expect(answer.text).toContain('Connection: close\r\n');
    expect(api.gate.used()).toBe(before);
  });
  test('HTTP/1.0 needs no Host and is answered', async () => {
    expect(status(await api.send(`GET /api/v1/events HTTP/1.0\r\n${KEY}\r\n`))).toBe(200);
  });
  test('two keys are none, even if both are good', async () => {
    expectProblem(await api.send(get('/api/v1/events', KEY)), 401, 'invalid_api_key');
  });
  test('CONNECT is no way through', async () => {
    expectProblem(
      await api.send('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'),
      405,
      'method_not_allowed',
    );
  });
});

describe('sizes', () => {
  test.each([
    ['20 KB of headers', get('/api/v1/events', `X-Big: ${'a'.repeat(20_000)}\r\n`)],
    ['2,000 headers', get('/api/v1/events', Array.from({ length: 2_000 }, (_, n) => `h${n}: 1\r\n`).join(''))],
    ['101 headers', get('/api/v1/events', Array.from({ length: 101 }, (_, n) => `h${n}: 1\r\n`).join(''))],
    ['101 headers outside the API', get('/openapi.json', Array.from({ length: 101 }, (_, n) => `h${n}: 1\r\n`).join(''))],
    ['a 20 KB address', get(`/api/v1/events?q=${'a'.repeat(20_000)}`)],
    ['a 50 KB Accept', get('/api/v1/events', `Accept: ${'a/b,'.repeat(12_500)}\r\n`)],
  ])('%s are 431', async (_name, bytes) => {
    expectProblem(await api.send(bytes), 431, 'headers_too_large');
  });
  test('90 headers are fine', async () => {
    expect(status(await api.send(get('/api/v1/events', Array.from({ length: 90 }, (_, n) => `h${n}: 1\r\n`).join(''))))).toBe(
      200,
    );
  });
  test('a small body of a GET is ignored, and the connection ends, so that it is not taken for a request', async () => {
    const smuggled = get('/api/v1/venues');
    const request = get('/api/v1/events', `Content-Length: ${smuggled.length}\r\n`).replace(END, '\r\n');
    const before = api.gate.used();
    const answer = await api.send(request + smuggled);
    expect(status(answer)).toBe(200);
    expect(answer.ended).toBe(true);
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(api.gate.used() - before).toBe(1);
  });
  test('a body that never ends is not waited for', async () => {
    const request = get('/api/v1/events', 'Transfer-Encoding: chunked\r\n').replace(END, '\r\n');
    const answer = await api.send(`${request}5\r\nhello\r\n`);
    expect(status(answer)).toBe(200);
    expect(answer.ended).toBe(true);
  });
  test('a large declared body is 413 before anything is read', async () => {
    const answer = await api.send(get('/api/v1/events', 'Content-Length: 10000000\r\n'));
    expectProblem(answer, 413, 'payload_too_large');
    expect(answer.ended).toBe(true);
  });
});

describe('headers that change nothing', () => {
  test.each([
    'Range: bytes=0-\r\n',
    'Range: bytes=0-\r\nIf-Range: "x"\r\n',
    'Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    'X-HTTP-Method-Override: DELETE\r\n',
    'X-Original-URL: /api/v1/venues\r\nX-Rewrite-URL: /api/v1/venues\r\n',
    'X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\nForwarded: for=1.1.1.1;host=evil.example\r\n',
    'traceparent: 00-00000000000000000000000000000000-0000000000000000-01\r\n',
    `traceparent: ff-nonsense\r\ntracestate: ${'a=b,'.repeat(2_500)}\r\n`,
    'X-Request-Id: mine\r\n',
  ])('are ignored: %s', async (headers) => {
    const answer = await api.send(get('/api/v1/events?limit=1', headers));
    expect(status(answer)).toBe(200);
    expect(answer.text).not.toContain('evil');
    expect(answer.text).toMatch(/X-Request-Id: [0-9A-HJKMNP-TV-Z]{26}\r\n/);
    expect(bodyOf(answer).data[0].slug).toBe('event-0');
  });
  test('Expect is 417', async () => {
    expectProblem(await api.send(get('/api/v1/events', 'Expect: 100-continue\r\n')), 417, 'expectation_failed');
    expectProblem(await api.send(get('/api/v1/events', 'Expect: tea\r\n')), 417, 'expectation_failed');
    expectProblem(await api.send(get('/docs', 'Expect: tea\r\n')), 417, 'expectation_failed');
  });
  test('a browser may read what the API says of Expect', async () => {
    for (const expectation of ['100-continue', 'tea']) {
      const { text } = await api.send(get('/api/v1/events', `Expect: ${expectation}\r\n`));
      expect(text).toContain('\r\nAccess-Control-Allow-Origin: *\r\n');
      expect(text).toMatch(/\r\nVary: .*X-API-Key/);
    }
  });
});

describe('connections', () => {
  test('each of many pipelined requests is metered and answered in order', async () => {
    const before = api.gate.used();
    const one = (n: number) => `GET /api/v1/events?limit=1&offset=${n} HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
    const count = 300;
    const requests = Array.from({ length: count - 1 }, (_, n) => one(n % 40)).join('');
    const answer = await api.send(requests + get('/api/v1/events?limit=1'));
    expect(answer.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count);
    expect(api.gate.used() - before).toBe(count);
    const offsets = [...answer.text.matchAll(/"offset":(\d+)/g)].map(([, offset]) => Number(offset));
    expect(offsets.slice(0, 40)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  test('headers that do not come in time are 408 and the end; others are served meanwhile', async () => {
    const slow = createTestApi({ limits: { headersTimeout: 1_500, requestTimeout: 2_000, checkInterval: 20 } });
    const half = slow.send(`GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-A: `);
    const silent = slow.send('');
    // On a busy machine the headers of another may be late, too.
    await expect.poll(async () => status(await slow.send(get('/api/v1/events')))).toBe(200);
    expectProblem(await half, 408, 'request_timeout');
    expect((await half).ended).toBe(true);
    expect((await silent).ended).toBe(true);
    await slow.close();
  });

  test('a reader who takes nothing is dropped', async () => {
    const service = createTestApi({ limits: { stallTimeout: 200 } });
    const taken = once(service.server.app.server, 'connection');
    const socket = connect(await service.port(), '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(`GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(200));
    const connections = () =>
      new Promise((resolve) => service.server.app.server.getConnections((_error, count) => resolve(count)));
    await taken;
    await expect.poll(connections).toBe(0);
    socket.destroy();
    await service.close();
  });

  test('a connection ends after its share of requests, announced on the last', async () => {
    const worn = createTestApi({ limits: { maxRequestsPerSocket: 3 } });
    const one = `GET /api/v1/events?limit=1 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n`;
    const answer = await worn.send(one.repeat(5));
    expect(answer.text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    expect(answer.text.match(/Connection: close/g)).toHaveLength(1);
    expect(answer.ended).toBe(true);
    expect(worn.gate.used()).toBe(3);
    await worn.close();
  });
});

describe('behind a proxy', () => {
  test('an address is believed from a trusted hop only', async () => {
    const addresses: string[] = [];
    const trusted = createTestApi({ trustProxy: ['127.0.0.1'] });
    for (const service of [trusted, api]) {
      const { admit } = service.gate;
      service.gate.admit = (header, address) => {
        addresses.push(address);
        return admit(header, address);
      };
      await service.send(get('/api/v1/events', 'X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\n'));
      service.gate.admit = admit;
    }
    expect(addresses).toEqual(['198.51.100.7', '127.0.0.1']);
    await trusted.close();
  });
});

describe('the end', () => {
  test('in-flight requests are finished with Connection: close, nothing new is taken, and readiness says no', async () => {
    const service = createTestApi();
    const port = await service.port();
    expect(port).toBeGreaterThan(0);
    const idle = service.send('');
    const inFlight = service.send(`GET /api/v1/events?limit=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${FAKE_KEYS.slow}\r\n\r\n`);
    await expect.poll(() => service.gate.waiting()).toBe(1);
    const ended = service.close();
    await expect.poll(async () => (await service.send(get('/healthz'), { waitMs: 500 })).text).toBe('');
    service.gate.release();
    const answer = await inFlight;
    expect(status(answer)).toBe(200);
    expect(answer.text).toContain('Connection: close');
    expect((await idle).ended).toBe(true);
    await ended;
  });

  test('before it, a service that is in use says so for a while and answers on, each answer the last of its connection', async () => {
    const service = createTestApi({ limits: { noticeTime: 400 } });
    await service.send(get('/healthz'));
    const begun = performance.now();
    const announced = service.server.announceEnd().then(() => performance.now() - begun);
    for (const path of ['/api/v1/events?limit=1', '/healthz', '/nothing']) {
      const answer = await service.send(get(path).replace(END, '\r\n'));
      expect(status(answer)).toBe(path === '/nothing' ? 404 : 200);
      expect(answer.text).toMatch(/^connection: close/im);
      expect(answer.ended).toBe(true);
    }
    const readiness = await service.send(get('/readyz'));
    expect(status(readiness)).toBe(503);
    expect(readiness.text).toContain('"draining"');
    expect(await announced).toBeGreaterThan(399);
    await service.close();
  });

  test('before it, a service that nobody uses waits for nobody', async () => {
    const service = createTestApi({ limits: { noticeTime: 60_000 } });
    await service.port();
    await service.server.announceEnd();
    await service.close();
    const used = createTestApi({ limits: { noticeTime: 60_000, inUseTime: 0 } });
    await used.send(get('/healthz'));
    await used.server.announceEnd();
    await used.close();
  });

  test('what does not end by itself is cut at the deadline', async () => {
    const service = createTestApi({ limits: { drainTimeout: 200 } });
    await service.port();
    const stuck = service.send(`GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${FAKE_KEYS.slow}\r\n\r\n`);
    await expect.poll(() => service.gate.waiting()).toBe(1);
    await service.close();
    expect(await stuck).toEqual({ text: '', ended: true });
  });
});
