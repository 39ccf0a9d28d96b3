/** One engine is enough: clients see the API alone. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { ask, type DemoService, marquee, startDemoService } from '../support/rigs/service.ts';
import { type Act, type AskClient, askPython, askTypescript, type ClientOptions } from './ask-client.ts';
import { openRecordingProxy, type RecordingProxy } from './recording-proxy.ts';

let service: DemoService;
let proxy: RecordingProxy;
let key = '';
beforeAll(async () => {
  service = await startDemoService();
  proxy = await openRecordingProxy(service.url);
  const words = ['key', 'create', '--account', 'demo@marquee.example', '--tier', 'enterprise', '--test'];
  key = (await marquee(words, service.settings)).stdout.trim();
});
afterAll(async () => {
  await proxy?.close();
  await service?.stop();
});

const CLIENTS: readonly (readonly [name: string, client: AskClient])[] = [
  ['TypeScript', askTypescript],
  ['Python', askPython],
];

describe.each(CLIENTS)('the client for %s', (name, client) => {
  const run = async (acts: readonly Act[], options: ClientOptions = {}) => {
    proxy.passed.length = 0;
    const outcomes = await client({ key, url: proxy.url, options }, acts);
    return { outcomes, passed: [...proxy.passed] };
  };

  it('asks with lists, booleans and ids as the API takes them', async () => {
    const filters = { category: ['concert', 'comedy'], free: true, limit: 3, when: 'next_30_days' };
    const { outcomes } = await run([{ do: 'call', method: 'listEvents', params: filters }]);
    const { body } = await ask(service, '/events?category=concert,comedy&free=true&limit=3&when=next_30_days', key);
    expect(outcomes).toEqual([{ ok: body }]);
    const [event] = body.data;
    const one = await run([{ do: 'call', method: 'getEvent', ids: [event.id] }]);
    expect(one.outcomes).toEqual([{ ok: (await ask(service, `/events/${event.id}`, key)).body }]);
  });

  it('reads every record of a list once, page by page', async () => {
    const { outcomes, passed } = await run([{ do: 'all', method: 'allEvents', params: { when: 'next_30_days' } }]);
    const ids: string[] = 'ok' in outcomes[0]! ? outcomes[0].ok : [];
    const { total } = (await ask(service, '/events?when=next_30_days&limit=1', key)).body.meta;
    expect(ids.length).toBe(total);
    expect(new Set(ids).size).toBe(total);
    expect(passed.length).toBe(Math.ceil(total / 100));
  });

  it('sends for what it knows with its tag, and takes the unchanged response from memory', async () => {
    const act: Act = { do: 'call', method: 'listVenues', params: { limit: 5 } };
    const { outcomes, passed } = await run([act, act]);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(passed.map(({ status }) => status)).toEqual([200, 304]);
    expect(passed[1]?.ifNoneMatch).toMatch(/^W\/"/);
  });

  it('tries again after a limit, a failure and a cut connection, as often as it may', async () => {
    proxy.plan.push({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, 'cut');
    const began = Date.now();
    const { outcomes, passed } = await run([{ do: 'call', method: 'listEvents', params: { limit: 1 } }]);
    expect(outcomes[0]).toHaveProperty('ok');
    expect(passed.map(({ status }) => status)).toEqual([429, 503, 0, 200]);
    // The wait is what is promised; how much longer it takes is the machine's affair.
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
    proxy.plan.push({ status: 500 }, { status: 500 });
    const less = await run([{ do: 'call', method: 'listEvents' }], { retries: 1 });
    expect(less.outcomes).toEqual([{ error: 'ServiceError', code: 'unknown', requestId: false, retryAfter: null }]);
    // A refusal that is cut short is a broken connection.
    proxy.plan.push({ status: 503, headers: { 'content-length': '500', connection: 'close' }, body: '{' });
    const cut = await run([{ do: 'call', method: 'listEvents', params: { limit: 1 } }]);
    expect(cut.passed.map(({ status }) => status)).toEqual([503, 200]);
    // As long as the longest wait is not longer.
    proxy.plan.push({ status: 429, headers: { 'retry-after': '0' } });
    const longest = await run([{ do: 'call', method: 'listEvents', params: { limit: 1 } }], { maxRetryWait: 0 });
    expect(longest.passed.map(({ status }) => status)).toEqual([429, 200]);
  });

  it('does not wait until midnight: a long Retry-After is an error at once', async () => {
    const problem = { code: 'rate_limit_day', detail: 'spent', status: 429, title: '', type: '', instance: '' };
    proxy.plan.push({ status: 429, headers: { 'retry-after': '40000', 'x-request-id': 'r' }, body: JSON.stringify(problem) });
    const { outcomes, passed } = await run([{ do: 'call', method: 'listEvents' }]);
    expect(outcomes).toEqual([{ error: 'RateLimitError', code: 'rate_limit_day', requestId: true, retryAfter: 40_000 }]);
    expect(passed.length).toBe(1);
  });

  it('has an error for each kind of problem document', async () => {
    const { outcomes } = await run([
      { do: 'call', method: 'listEvents', params: { limit: 0 } },
      { do: 'call', method: 'getEvent', ids: ['0197a3c0-0000-7000-8000-000000000001'] },
      { do: 'call', method: 'listChanges', params: { after: '0197a3c0-0000-7000-8000-000000000001.5' } },
    ]);
    expect(outcomes).toMatchObject([
      { error: 'InvalidRequestError', code: 'invalid_parameter', requestId: true },
      { error: 'NotFoundError', code: 'not_found', requestId: true },
      { error: 'ResyncError', code: 'resync', requestId: true },
    ]);
    const strangers = await client({ key: `${key.slice(0, -1)}~`, url: service.url }, [{ do: 'call', method: 'getUsage' }]);
    expect(strangers).toMatchObject([{ error: 'AuthenticationError', code: 'invalid_api_key' }]);
  });

  it('follows the change log, and starts over where the log does', async () => {
    const [fresh] = (await run([{ do: 'follow', params: { limit: 1000 } }])).outcomes;
    const batches = fresh && 'ok' in fresh ? fresh.ok : [];
    expect(batches.map(({ reset }: { reset: boolean }) => reset)).toEqual([true, ...Array(batches.length - 1).fill(false)]);
    const last = batches.at(-1).cursor;
    const foreign = '0197a3c0-0000-7000-8000-000000000001.5';
    const { outcomes } = await run([
      { do: 'follow', after: last },
      { do: 'follow', after: foreign, params: { limit: 1000 } },
    ]);
    expect(outcomes).toEqual([{ ok: [] }, { ok: batches }]);
  });

  it('verifies webhooks as Standard Webhooks wants it', async () => {
    const { folder, remove } = temporaryFolder();
    try {
      const file = join(folder, 'vectors.json');
      await promisify(execFile)(process.execPath, ['test/support/processes/webhook-vectors-child.ts', file]);
      const { default: vectors } = await import(file, { with: { type: 'json' } });
      const acts: Act[] = vectors.map((vector: Act) => ({ ...vector, do: 'verify' }));
      const outcomes = await client({ key, url: service.url }, acts);
      const taken = outcomes.map((outcome) => 'ok' in outcome);
      expect(taken).toEqual(vectors.map(({ isValid }: { isValid: boolean }) => isValid));
      expect(taken.filter(Boolean).length, name).toBeGreaterThan(3);
    } finally {
      remove();
    }
  });
});
