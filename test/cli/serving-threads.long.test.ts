import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { readThreads } from '../../src/serving-threads.ts';
import { freePort } from '../support/network/free-port.ts';
import { CLIENT_META, REVISION } from '../support/rigs/mcp.ts';
import { marqueeHere, pagesReady, preloaded, type RunningService, startService } from '../support/rigs/service.ts';
import { askAnew, makeThreadedPlace, type ThreadedPlace } from '../support/rigs/threads.ts';
import { until } from '../support/runs/patience.ts';

const SERVE = ['serve', '--threads', '2'];

describe('a service of two threads', () => {
  let place: ThreadedPlace;
  let service: RunningService;
  let metricsPort: number;
  beforeAll(async () => {
    place = await makeThreadedPlace();
    metricsPort = await freePort();
    service = await startService(SERVE, { ...place.env, MARQUEE_METRICS_PORT: String(metricsPort) });
    await pagesReady(service);
  });
  afterAll(async () => {
    await service?.stop();
    await place?.remove();
  });

  const askMany = (times: number, path: string, init: Parameters<typeof askAnew>[1] = {}) =>
    Promise.all(Array.from({ length: times }, () => askAnew(`${service.url}${path}`, init)));

  async function makeKey(email: string, tier: string): Promise<{ key: string; id: string }> {
    return place.withStore(async (store) => {
      const accounts = createAccounts({ db: store.db });
      await accounts.createAccount({ email, tier });
      const made = await accounts.createKey({ email });
      if (!made.ok) throw new Error(made.detail);
      return made;
    });
  }

  async function readMetrics(): Promise<string> {
    return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  }

  it('admits exactly the limit of a key, whichever thread its connections come to, and tells all the same', async () => {
    const { key } = await makeKey('exact@marquee.example', 'starter');
    // A thread that has not met the key asks the store first, and the other one would admit all.
    await until(async () =>
      expect(new Set((await askMany(8, '/api/v1/usage', { key })).map(({ thread }) => thread)).size).toBe(2),
    );
    const answers = await askMany(150, '/api/v1/events?limit=1', { key });
    const admitted = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
    expect(new Set(admitted.map(({ thread }) => thread)).size).toBe(2);
    const remaining = admitted.map(({ headers }) => Number(headers.get('X-RateLimit-Remaining'))).sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: 60 }, (_, index) => 940 + index));
    const usage = await askMany(20, '/api/v1/usage', { key });
    expect(new Set(usage.map(({ thread }) => thread)).size).toBe(2);
    for (const { text } of usage) expect(JSON.parse(text).data).toMatchObject({ day: { used: 60 }, minute: { used: 60 } });
  });

  it('limits failed keys of a network once for both threads', async () => {
    const answers: number[] = [];
    while (answers.length < 1_200) {
      const some = await askMany(100, '/api/v1/events', { key: 'no key at all' });
      answers.push(...some.map(({ status }) => status));
    }
    expect(answers.filter((status) => status === 401)).toHaveLength(600);
    expect(answers.filter((status) => status === 429)).toHaveLength(600);
  });

  it('adds up what its threads have answered, decided and used', async () => {
    const { key, id } = await makeKey('sums@marquee.example', 'growth');
    const before = counterOf(await readMetrics(), 'marquee_requests_total', '/api/v1/neighborhoods');
    const answers = await askMany(40, '/api/v1/neighborhoods', { key });
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
    // A thread that is busy for half a second is not waited for.
    await until(async () => {
      const text = await readMetrics();
      expect(counterOf(text, 'marquee_requests_total', '/api/v1/neighborhoods') - before).toBe(40);
      expect(counterOf(text, 'marquee_request_duration_seconds_count', '/api/v1/neighborhoods') - before).toBe(40);
    });
    const used = () =>
      place.withStore(async ({ db }) => {
        const { rows } = await sql<{
          requests: string;
        }>`select coalesce(sum(requests), 0) as requests from usage_hour where key_id = ${id}`.execute(db);
        return Number(rows[0]?.requests);
      });
    await until(async () => expect(await used()).toBe(40));
  });

  it('shuts a revoked key out on both threads for good', async () => {
    const { key, id } = await makeKey('revoked@marquee.example', 'enterprise');
    const known = await askMany(20, '/api/v1/events?limit=1', { key });
    expect(new Set(known.map(({ status, thread }) => `${status} ${thread}`)).size).toBe(2);
    const late: string[] = [];
    const refusedBy = new Map<string, number>();
    const asking = Array.from({ length: 4 }, async () => {
      while (refusedBy.size < 2 || Math.min(...refusedBy.values()) < 10) {
        const refusing = new Set(refusedBy.keys());
        const { status, thread } = await askAnew(`${service.url}/api/v1/usage`, { key });
        if (status === 200 && refusing.has(thread)) late.push(thread);
        // Or 429, once its network has failed too often.
        if (status !== 200) refusedBy.set(thread, (refusedBy.get(thread) ?? 0) + 1);
        await pause(1);
      }
    });
    await place.withStore((store) => createAccounts({ db: store.db }).revokeKey(id));
    await Promise.all(asking);
    expect(late).toEqual([]);
  });

  it.each([
    ['/healthz', 200],
    ['/readyz', 200],
    ['/openapi.json', 200],
    ['/', 200],
    ['/sign-in', 200],
    ['/events', 200],
    ['/events.rss', 200],
    ['/status.json', 200],
    ['/llms.txt', 200],
    ['/robots.txt', 200],
    ['/mcp', 405],
    ['/embed/v1/none.json', 404],
    ['/feeds/none/calendar.ics', 404],
    ['/exports/none/manifest.json', 404],
    ['/oembed?url=none', 404],
    ['/assets/none.js', 404],
    ['/nothing/here', 404],
    ['/api/v1', 401],
    ['/api/v1/nothing', 401],
  ])('answers %s with %i on every thread', async (path, status) => {
    // Of twelve connections, all come to one thread twice in four thousand times: then nothing is wrong either.
    const answers = await askMany(12, path, { headers: { accept: 'text/html,*/*' } });
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 12 }, () => status));
    expect(new Set(answers.map(({ headers }) => headers.get('content-type'))).size).toBe(1);
  });

  it('passes bodies, methods and headers on to the thread that answers, and its answers back', async () => {
    const tools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const { status, text } of await askMany(6, '/mcp', { method: 'POST', headers: json, body: JSON.stringify(tools) })) {
      expect(status).toBe(200);
      expect(JSON.parse(text).result.tools.length).toBeGreaterThan(3);
    }
    const large = await askMany(6, '/sign-in', { method: 'POST', body: 'x'.repeat(100_000) });
    expect(large.map(({ status }) => status)).toEqual([413, 413, 413, 413, 413, 413]);
    const heads = await askMany(6, '/', { method: 'HEAD' });
    expect(heads.map(({ status, text }) => `${status}${text}`)).toEqual(['200', '200', '200', '200', '200', '200']);
    const tagged = (await askAnew(`${service.url}/`)).headers.get('etag') ?? '';
    const unchanged = await askMany(6, '/', { headers: { 'if-none-match': tagged } });
    expect(unchanged.map(({ status }) => status)).toEqual([304, 304, 304, 304, 304, 304]);
    const themed = await askAnew(`${service.url}/`, { headers: { 'accept-language': 'de' } });
    expect(themed.text).toContain('lang="de"');
    const foreign = await askAnew(`${service.url}/mcp`, { method: 'POST', headers: { ...json, origin: 'https://evil.example' } });
    expect(foreign.status).toBe(403);
  });

  it('keeps one connection for all that is asked over it, of the API and of pages', async () => {
    const agentless = await fetch(`${service.url}/llms.txt`);
    await agentless.text();
    for (const path of ['/api/v1/events?limit=1', '/llms.txt', '/healthz', '/', '/api/v1/usage']) {
      const answer = await fetch(`${service.url}${path}`, { headers: { 'x-api-key': place.keys.growth } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('connection')).toBe('keep-alive');
      await answer.text();
    }
  });

  it('starts a second one on its port not at all', async () => {
    const port = new URL(service.url).port;
    const { status, stderr } = await marqueeHere(SERVE, { ...place.env, PORT: port });
    expect(stderr).toBe(`Cannot listen on 127.0.0.1:${port} (PORT): it is already in use.\n`);
    expect(status).toBe(1);
  });
});

describe('a stop of a service of two threads', () => {
  it('hands the minute on to the next one, and keeps the day after kill -9', async () => {
    const place = await makeThreadedPlace();
    onTestFinished(() => place.remove());
    let service = await startService(SERVE, place.env);
    onTestFinished(() => void service.process.kill('SIGKILL'));
    const { starter: key } = place.keys;
    const ask = () => askAnew(`${service.url}/api/v1/events?limit=1`, { key });
    const filledAt = performance.now();
    const first = await Promise.all(Array.from({ length: 60 }, ask));
    expect(first.every(({ status }) => status === 200)).toBe(true);
    expect(await service.stop('SIGINT')).toBe(0);
    service = await startService(SERVE, place.env);
    const { status } = await ask();
    // Where a start takes a minute, the minute is over.
    if (performance.now() - filledAt < 60_000) expect(status).toBe(429);
    const admitted = status === 200 ? 61 : 60;
    const used = () =>
      place.withStore(async ({ db }) => {
        const row = await db
          .selectFrom('usage_day')
          .select(({ fn }) => fn.sum('requests').as('sum'))
          .executeTakeFirst();
        return Number(row?.sum);
      });
    await until(async () => expect(await used()).toBe(admitted));
    service.process.kill('SIGKILL');
    service = await startService(SERVE, place.env);
    for (let time = 0; time < 6; time += 1) {
      const { text } = await askAnew(`${service.url}/api/v1/usage`, { key });
      const { days } = JSON.parse(text).data as { days: { requests: number }[] };
      // Not of today: a UTC day may have begun since.
      expect(days.reduce((sum, { requests }) => sum + requests, 0)).toBe(admitted);
    }
    expect(await service.stop('SIGINT')).toBe(0);
  });

  it('passes a stream on as it comes, and ends it when the service ends', async () => {
    const place = await makeThreadedPlace();
    onTestFinished(() => place.remove());
    const service = await startService(SERVE, place.env);
    onTestFinished(() => void service.process.kill('SIGKILL'));
    const headers = {
      ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      ...{ 'X-API-Key': place.keys.enterprise, 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'events/stream' },
    };
    const params = { name: 'event.updated', arguments: {}, cursor: null, _meta: CLIENT_META };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events/stream', params });
    const streams = await Promise.all(
      Array.from({ length: 4 }, () => fetch(`${service.url}/mcp`, { method: 'POST', headers, body })),
    );
    const readers = streams.map((answer) => answer.body?.getReader());
    for (const reader of readers) {
      const { value } = (await reader?.read()) ?? {};
      expect(Buffer.from(value ?? []).toString()).toContain('notifications/events/');
    }
    const ended = service.stop('SIGINT');
    for (const reader of readers) while (!(await reader?.read())?.done);
    expect(await ended).toBe(0);
  });

  it('comes when one of its threads dies, and says why', async () => {
    const place = await makeThreadedPlace();
    onTestFinished(() => place.remove());
    const preload = new URL('../support/processes/mortal-serving-thread.ts', import.meta.url).href;
    const file = join(place.env.MARQUEE_DATA_DIR ?? '', 'die');
    const service = await startService(SERVE, { ...place.env, MORTAL_FILE: file }, preloaded(['--import', preload]));
    const ended = new Promise<number | null>((resolve) => service.process.once('exit', resolve));
    writeFileSync(file, '');
    expect(await ended).toBe(1);
    expect(service.printed()).toContain('unexpected error; the service ends');
    expect(service.printed()).toContain('made to die');
  });
});

describe('--threads', () => {
  it('is a number, or all cores but one', () => {
    expect(readThreads('3', 'api', 8)).toBe(3);
    expect(readThreads('auto', 'all', 8)).toBe(7);
    expect(readThreads('auto', 'all', 1)).toBe(1);
  });

  it.each(['0', '-1', '1.5', '65', 'many', ''])('refuses %j', async (threads) => {
    const { status, stderr } = await marqueeHere(['serve', `--threads=${threads}`], {});
    expect(stderr).toBe(`--threads must be a whole number from 1 to 64, or auto, but is "${threads}"\n`);
    expect(status).toBe(1);
  });

  it('is refused for a worker, which has no port', async () => {
    const { stderr } = await marqueeHere(['serve', '--role', 'worker', '--threads', '2'], {});
    expect(stderr).toBe('--threads is for roles that answer requests; a worker has no port\n');
  });
});

/** The sum of a counter's samples of one route. */
function counterOf(text: string, name: string, route: string): number {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(`route="${route}"`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
