import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { readAnswers } from '../support/network/raw-answers.ts';
import { createTestApi } from '../support/rigs/api.ts';

const api = createTestApi();
api.server.mount((room, _options, done) => {
  room.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, parsed) => parsed(null, body));
  room.post('/echo', async (request) => ({ echo: request.body }));
  done();
});
afterAll(() => api.close());

const KEY = `X-API-Key: ${FAKE_KEYS.enterprise}\r\n`;
const ask = (line: string, headers = '', body = '') => `${line} HTTP/1.1\r\nHost: localhost\r\n${KEY}${headers}\r\n${body}`;
const CONTINUE = 'Expect: 100-continue\r\n';

/** What is sent, and the statuses that it is answered with. Node ends a connection whose client was not told to go on. */
const KINDS: Readonly<Record<string, { bytes: string; statuses: number[]; ends?: true }>> = {
  document: { bytes: ask('GET /openapi.json'), statuses: [200] },
  list: { bytes: ask('GET /api/v1/events?limit=1'), statuses: [200] },
  'no body': { bytes: ask('POST /api/v1/events', `${CONTINUE}Content-Length: 0\r\n`), statuses: [405], ends: true },
  'no body elsewhere': { bytes: ask('POST /nothing', `${CONTINUE}Content-Length: 0\r\n`), statuses: [404], ends: true },
  body: { bytes: ask('POST /echo', `${CONTINUE}Content-Type: text/plain\r\nContent-Length: 2\r\n`, 'hi'), statuses: [100, 200] },
  read: { bytes: ask('GET /api/v1/events', CONTINUE), statuses: [417], ends: true },
  tea: { bytes: ask('GET /healthz', 'Expect: tea\r\n'), statuses: [417] },
  garbage: { bytes: 'GET / HTTP/9.9\r\n\r\n', statuses: [400], ends: true },
  connect: { bytes: 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', statuses: [405], ends: true },
};
const names = Object.keys(KINDS);
const sequences = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c])));

describe('requests sent at once on one connection', () => {
  test('are answered one after the other, and no interim answer stands inside another', async () => {
    for (const sequence of sequences) {
      const kinds = sequence.map((name) => KINDS[name] as (typeof KINDS)[string]);
      const last = kinds.findIndex(({ ends }) => ends);
      const answered = last < 0 ? kinds : kinds.slice(0, last + 1);
      const wanted = answered.flatMap(({ statuses }) => statuses);
      const closing = last < 0 ? ask('GET /healthz', 'Connection: close\r\n') : '';
      const { text } = await api.send(kinds.map(({ bytes }) => bytes).join('') + closing);
      const statuses = readAnswers(text).map(({ status }) => status);
      expect(statuses, sequence.join(', ')).toEqual(last < 0 ? [...wanted, 200] : wanted);
    }
  });

  test('are the same however the bytes are cut', async () => {
    const bytes = ask('GET /openapi.json') + KINDS.body?.bytes + ask('GET /healthz', 'Connection: close\r\n');
    for (let cut = 40; cut < bytes.length; cut += 7) {
      const { text } = await api.sendParts([bytes.slice(0, cut), bytes.slice(cut)]);
      expect(readAnswers(text).map(({ status }) => status)).toEqual([200, 100, 200, 200]);
    }
  });
});
