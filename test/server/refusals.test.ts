import { request } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestApi } from '../support/rigs/api.ts';

const api = createTestApi();
api.server.mount((room, _options, done) => {
  room.post('/forms', async () => ({ ok: true }));
  room.get('/broken', async () => {
    throw new Error('a secret of ours');
  });
  done();
});
afterAll(() => api.close());

interface Asked {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

async function ask({ method, path, headers = {}, body = '' }: Asked) {
  const port = await api.port();
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string>;
    text: string;
  }>();
  const asking = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    let text = '';
    answer.on('data', (chunk) => {
      text += chunk;
    });
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers as Record<string, string>, text }));
  });
  asking.once('error', reject);
  asking.end(body);
  return await promise;
}

const json = { 'content-type': 'application/json' };
const REFUSED: readonly [string, Asked, number, string][] = [
  ['a body that is no JSON', { method: 'POST', path: '/forms', headers: json, body: '{' }, 400, 'bad_request'],
  [
    'a body that is too large',
    { method: 'POST', path: '/forms', headers: json, body: 'x'.repeat(70_000) },
    413,
    'payload_too_large',
  ],
  [
    'a media type that is not taken',
    { method: 'POST', path: '/forms', headers: { 'content-type': 'image/png' }, body: 'x' },
    415,
    'unsupported_media_type',
  ],
  ['a method that is not taken', { method: 'POST', path: '/openapi.json', headers: json, body: '{' }, 405, 'method_not_allowed'],
  ['an unknown address', { method: 'PATCH', path: '/nothing', headers: json, body: '{' }, 404, 'unknown_route'],
  ['an address that cannot be decoded', { method: 'GET', path: '/x%zz' }, 400, 'bad_request'],
  ['a route that breaks', { method: 'GET', path: '/broken' }, 500, 'internal'],
];

describe('outside the API', () => {
  test.each(REFUSED)('%s is refused in our form, with an id and a plain type', async (_name, asked, status, code) => {
    const answer = await ask(asked);
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = JSON.parse(answer.text);
    expect(problem).toMatchObject({ status, code, instance: `urn:request:${answer.headers['x-request-id']}` });
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
    expect(answer.text).not.toMatch(/FST_|a secret/);
    expect(
      api.logged().filter(({ requestId, status: noted }) => requestId === answer.headers['x-request-id'] && noted),
    ).toHaveLength(1);
  });

  test.each(REFUSED)('%s is refused with a page where a browser asks', async (_name, asked, status) => {
    const answer = await ask({ ...asked, headers: { ...asked.headers, accept: 'text/html,*/*;q=0.8' } });
    expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.text).toContain(`Request ID: ${answer.headers['x-request-id']}`);
    expect(answer.text).toMatch(/<h1>[A-Z][^<]+<\/h1>/);
  });

  test('OPTIONS is answered before any body is read, with the headers of every answer', async () => {
    for (const [headers, body] of [
      [json, '{'],
      [json, 'x'.repeat(70_000)],
      [{ 'content-type': 'nonsense' }, 'x'],
      [{}, ''],
    ] as const) {
      for (const path of ['/openapi.json', '/nothing']) {
        const answer = await ask({ method: 'OPTIONS', path, headers, body });
        expect([answer.status, answer.headers.allow, answer.headers['x-content-type-options']]).toEqual([
          204,
          'GET, HEAD, OPTIONS',
          'nosniff',
        ]);
        expect(answer.headers['x-request-id']).toMatch(/^[0-9A-Z]{26}$/);
      }
    }
  });
});
