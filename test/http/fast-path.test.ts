import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { ResponseBuffer, SerializedHeaders, sendQuickly, sendUnchangedQuickly } from '../../src/http/fast-path.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi } from '../support/rigs/api.ts';

const HEAD = new SerializedHeaders(['Content-Type', 'text/plain', 'X-Name', 'Zo\xeb', 'Content-Length', '5']);
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
  vi.restoreAllMocks();
});

const usually = (res: ServerResponse) => void res.writeHead(200, [...HEAD.list]).end(Buffer.from('hello'));
const withoutDate = (text: string) => text.replace(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, 'Date: now\r\n');

describe('a quick answer', () => {
  test.each([5_000, 72_900, 0])(
    'has the bytes of an ordinary one, with %d ms to keep the connection',
    async (keepAliveTimeout) => {
      const letter = new ResponseBuffer(Buffer.from('hello'));
      const taken: boolean[] = [];
      const quick = await exchange((_req, res) => taken.push(sendQuickly(res, HEAD.text, letter)), [GET, GET, GET], {
        keepAliveTimeout,
      });
      const usual = await exchange((_req, res) => usually(res), [GET, GET, GET], { keepAliveTimeout });
      expect(taken).toEqual([true, true, true]);
      expect(withoutDate(quick)).toBe(withoutDate(usual));
      expect(withoutDate(quick)).toMatch(/Date: now/);
    },
  );

  test('that says that nothing has changed has the bytes of an ordinary one', async () => {
    const tag = new SerializedHeaders(['ETag', '"a"', 'X-Name', 'Zo\xeb']);
    const taken: boolean[] = [];
    const quick = await exchange((_req, res) => taken.push(sendUnchangedQuickly(res, tag.text)), [GET, GET, GET]);
    const usual = await exchange((_req, res) => void res.writeHead(304, [...tag.list]).end(), [GET, GET, GET]);
    expect(taken).toEqual([true, true, true]);
    expect(withoutDate(quick)).toBe(withoutDate(usual));
    expect(quick).toContain('304 Not Modified');
  });

  test.each([
    ['HTTP/1.0', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n', {}],
    ['HEAD', 'HEAD / HTTP/1.1\r\nHost: x\r\n\r\n', {}],
    ['POST', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n', {}],
    ['a connection that the client ends', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', {}],
    ['a connection whose requests are counted', GET, { maxRequestsPerSocket: 5 }],
  ])('is not tried for %s, and nothing is done', async (_name, request, settings) => {
    const taken: boolean[] = [];
    const answer = (_req: IncomingMessage, res: ServerResponse) => {
      taken.push(sendQuickly(res, HEAD.text, new ResponseBuffer(Buffer.from('hello'))));
      usually(res);
    };
    const text = await exchange(answer, [request], settings);
    expect(taken).toEqual([false]);
    expect(withoutDate(text)).toBe(withoutDate(await exchange((_req, res) => usually(res), [request], settings)));
  });

  test('is given to pipelined requests in their turn only', async () => {
    const waiting: ServerResponse[] = [];
    const taken: boolean[] = [];
    const text = await exchange(
      (_req, res) => {
        waiting.push(res);
        if (waiting.length < 3) return;
        for (const [index, each] of [...waiting.entries()].reverse()) {
          taken.push(sendQuickly(each, HEAD.text, new ResponseBuffer(Buffer.from('hello'))));
          if (!taken.at(-1)) each.writeHead(200, ['Content-Length', '1']).end(String(index));
        }
      },
      [GET + GET + GET],
    );
    expect(taken).toEqual([false, false, true]);
    expect(text.split('HTTP/1.1 200 OK').map((part) => part.slice(part.indexOf('\r\n\r\n') + 4))).toEqual([
      '',
      'hello',
      '1',
      '2',
    ]);
  });

  test('with a head too long for its room is not tried', async () => {
    const taken: boolean[] = [];
    await exchange(
      (_req, res) => {
        taken.push(sendQuickly(res, `X: ${'x'.repeat(5_000)}\r\n${HEAD.text}`, new ResponseBuffer(Buffer.from('hello'))));
        usually(res);
      },
      [GET],
    );
    expect(taken).toEqual([false]);
  });

  test('that a slow reader has not taken yet keeps its bytes while others are given the same body', async () => {
    const body = 'b'.repeat(300_000);
    const letter = new ResponseBuffer(Buffer.from(body));
    const leave = vi.spyOn(letter, 'leave');
    let count = 0;
    const server = await listen((_req, res) => {
      count += 1;
      const lines = `X-Count: ${count}\r\nContent-Length: ${body.length}\r\n`;
      if (!sendQuickly(res, lines, letter))
        res.writeHead(200, ['X-Count', String(count), 'Content-Length', body.length]).end(body);
    });
    const slow = open(server);
    const quick = open(server);
    slow.socket.pause();
    let last = 0;
    while (leave.mock.calls.length === 0) {
      slow.socket.write(GET);
      await expect.poll(() => count).toBe(++last);
    }
    for (let time = 0; time < 3; time += 1) {
      quick.socket.write(GET);
      await expect.poll(() => quick.text().length).toBeGreaterThan((time + 1) * body.length);
    }
    slow.socket.resume();
    await expect.poll(() => slow.text().length).toBeGreaterThan(last * body.length);
    const counts = (text: string) => [...text.matchAll(/X-Count: (\d+)/g)].map(([, n]) => Number(n));
    expect(counts(slow.text())).toEqual(Array.from({ length: last }, (_, n) => n + 1));
    expect(counts(quick.text())).toEqual([last + 1, last + 2, last + 3]);
    for (const text of [slow.text(), quick.text()]) {
      for (const part of text.split('HTTP/1.1 200 OK').slice(1))
        expect(part.slice(part.indexOf('\r\n\r\n') + 4) === body).toBe(true);
    }
  });

  test('never carries a value that would break out of its line', () => {
    for (const value of ['a\r\nSet-Cookie: b', 'a\nb', 'a\0b', 'caf\u0113']) {
      expect(() => new SerializedHeaders(['Link', value]).text).toThrow(RangeError);
    }
  });
});

describe('the API', () => {
  const api = createTestApi();
  afterAll(() => api.close());
  const ask = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${FAKE_KEYS.enterprise}\r\n\r\n`;
  const until = (text: string) => /"(?:meta|instance)":/.test(text);

  test('gives its data quickly and its refusals in the ordinary way, with the same headers on both', async () => {
    const writeHead = vi.spyOn(ServerResponse.prototype, 'writeHead');
    const { text } = await api.send(ask('/events?limit=1'), { until });
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(writeHead).not.toHaveBeenCalled();
    const refused = await api.send(ask('/events?limit=x'), { until });
    expect(writeHead).toHaveBeenCalledTimes(1);
    const names = (answer: string) =>
      (answer.split('\r\n\r\n')[0] ?? '')
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(':')[0]);
    const onlyData = ['ETag', 'Link'];
    expect(
      names(text)
        .filter((name) => !onlyData.includes(name ?? ''))
        .sort(),
    ).toEqual(names(refused.text).sort());
  });
});

type Answer = (req: IncomingMessage, res: ServerResponse) => unknown;

async function listen(
  answer: Answer,
  settings: { keepAliveTimeout?: number; maxRequestsPerSocket?: number } = {},
): Promise<Server> {
  const server = Object.assign(
    createServer((req, res) => void answer(req, res)),
    settings,
  );
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function open(server: Server): { socket: Socket; text: () => string } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  sockets.push(socket);
  return { socket, text: () => Buffer.concat(chunks).toString('latin1') };
}

/** Sends each request when the answer to the one before is there; gives all that came. */
async function exchange(
  answer: Answer,
  requests: string[],
  settings: { keepAliveTimeout?: number; maxRequestsPerSocket?: number } = {},
) {
  const { socket, text } = open(await listen(answer, settings));
  for (const request of requests) {
    const before = text().length;
    const answers = request.split(' HTTP/1.').length - 1;
    socket.write(request);
    const ends = (come: string) => come.split('\r\n\r\n').length > answers;
    await expect.poll(() => ends(text().slice(before))).toBe(true);
  }
  return text();
}
