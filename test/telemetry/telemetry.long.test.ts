// One engine is enough: nothing here asks the database anything of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { attributesOf, type Collector, openCollector, type SentSpan } from '../support/network/collector.ts';
import { freePort } from '../support/network/free-port.ts';
import { ask, keysIn, marquee, pagesReady, preloaded, type RunningService, startService } from '../support/rigs/service.ts';
import { until } from '../support/runs/patience.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function prepare(words: readonly string[], env: Record<string, string> = {}, execArgv: readonly string[] = []) {
  const { folder, remove } = await copyDemoFolder();
  closers.push(remove);
  const service = await startService(words, { MARQUEE_DATA_DIR: folder, ...env }, preloaded(execArgv));
  closers.push(() => service.process.exitCode ?? service.stop('SIGKILL'));
  return { folder, service, keys: keysIn(folder) };
}

async function withCollector(words: readonly string[], env: Record<string, string> = {}) {
  const collector = await openCollector();
  closers.push(collector.close);
  return { collector, ...(await prepare(words, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env })) };
}

/** Names of the queries that this span made. */
function queriesOf(collector: Collector, of: SentSpan | undefined): string[] {
  const queries = collector.spans().filter(({ parentSpanId, kind }) => parentSpanId === of?.spanId && kind === 3);
  for (const { name, traceId, attributes } of queries) {
    expect(traceId).toBe(of?.traceId);
    const { 'db.operation.name': operation, 'db.collection.name': table, ...rest } = attributes;
    expect(rest).toEqual({ 'db.system.name': 'postgresql' });
    expect(name).toBe([operation, ...(table === undefined ? [] : [table])].join(' '));
  }
  return queries.map(({ name }) => name);
}

const spanNamed = (collector: Collector, name: string) => {
  const span = collector.spans().find((each) => each.name === name);
  if (!span) throw new Error(`no span ${name} among ${collector.spans().map((each) => each.name)}`);
  return span;
};

describe('with a collector, a service', () => {
  it('sends a span of each request, in the trace of its caller, and nothing that a caller sent', async () => {
    const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'X-Token=se%20cret,x-other=1', OTEL_SERVICE_NAME: 'listings' };
    const { collector, service, keys } = await withCollector(['serve'], headers);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    const query = `${service.url}/api/v1/events?q=${keys.growth}&limit=1`;
    expect((await fetch(query, { headers: { 'x-api-key': keys.growth, traceparent } })).status).toBe(200);
    expect((await fetch(`${service.url}/api/v1/events/ada@example.org`, { headers: { 'x-api-key': 'mq_live_x' } })).status).toBe(
      401,
    );
    await pagesReady(service);
    const form = {
      method: 'POST',
      body: 'email=ada%40example.org&password=not+the+one',
      headers: { ...FORM, origin: service.url },
    };
    expect((await fetch(`${service.url}/sign-in`, form)).status).toBeLessThan(500);
    expect(await service.stop()).toBe(0);

    const listed = spanNamed(collector, 'GET /api/v1/events');
    expect(listed).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331', kind: 2, service: 'listings' });
    expect(listed.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/v1/events',
      'http.response.status_code': 200,
      'marquee.request_id': expect.stringMatching(/^[0-9A-Z]{26}$/),
      'marquee.tier': 'growth',
      'marquee.queries': expect.any(Number),
    });
    const [began, ended] = [listed.startTimeUnixNano, listed.endTimeUnixNano].map((nano) => Number(nano) / 1e6);
    expect(Math.abs(Date.now() - (began ?? 0))).toBeLessThan(3_600_000);
    expect(ended).toBeGreaterThan(began ?? 0);
    const refused = spanNamed(collector, 'GET /api/v1/events/{id}');
    expect(refused.attributes).toMatchObject({ 'http.response.status_code': 401 });
    expect(refused.traceId).not.toBe(traceId);
    // The first may have come before the pages were ready.
    const pages = collector.spans().filter(({ name }) => name === 'GET /*');
    expect(pages.map(({ attributes }) => attributes['http.response.status_code'])).toContain(200);
    // A key that is new to the service is looked for in the database. For a form, the thread of the pages first asks whether it is there.
    expect(queriesOf(collector, listed)).toContain('SELECT api_key');
    const signIn = spanNamed(collector, 'POST /*');
    expect(queriesOf(collector, signIn)).toContain('SELECT');
    expect(signIn.attributes['marquee.queries']).toBe(queriesOf(collector, signIn).length);
    for (const secret of [keys.growth, 'mq_live_', 'ada@', 'limit=1']) expect(collector.text()).not.toContain(secret);
    for (const sent of collector.headers()) expect(sent).toMatchObject({ 'x-token': 'se cret', 'x-other': '1' });
  });

  it('sends the figures that /metrics has, each once', async () => {
    const port = await freePort();
    const { collector, service, keys } = await withCollector(['serve', '--role', 'api'], {
      MARQUEE_METRICS_PORT: String(port),
    });
    for (let index = 0; index < 20; index += 1) await ask(service, '/neighborhoods', keys.enterprise);
    const exposed = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(exposed).toMatch(/^marquee_requests_total\{route="\/api\/v1\/neighborhoods".*\} 20$/m);
    await service.stop();

    const metrics = collector.metrics();
    const names = metrics.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const onPage = [...exposed.matchAll(/^# TYPE (\w+) (?:counter|gauge|histogram)$/gm)].map(([, name]) => name);
    expect(names.filter((name) => !onPage.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['marquee_snapshot_seq', 'process_resident_memory_bytes']));
    const isOfRoute = (point: object) => attributesOf(point).route === '/api/v1/neighborhoods';
    const of = (name: string) => metrics.find((metric) => metric.name === name);
    const requests = of('marquee_requests_total')?.sum;
    expect(requests).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
    expect(requests.dataPoints.filter(isOfRoute).map(({ asDouble }: { asDouble: number }) => asDouble)).toEqual([20]);
    const [durations] = of('marquee_request_duration_seconds')?.histogram.dataPoints.filter(isOfRoute) ?? [];
    expect(Number(durations.count)).toBe(20);
    expect(durations.bucketCounts.map(Number).reduce((sum: number, each: number) => sum + each)).toBe(20);
    expect(durations.explicitBounds).toEqual([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]);
    expect(collector.spans().filter(({ name }) => name === 'GET /api/v1/neighborhoods')).toHaveLength(20);
  });

  it('sends the run of a source with its steps and queries, and the metrics of a worker', async () => {
    const { folder, remove } = await copyDemoFolder();
    closers.push(remove);
    const file = join(folder, 'library.ics');
    writeFileSync(file, 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nEND:VCALENDAR\r\n');
    const added = await marquee(['source', 'add', 'ical', file, '--name', 'library', '--every', '1h'], {
      MARQUEE_DATA_DIR: folder,
    });
    expect(added.stderr).toBe('');
    const collector = await openCollector();
    closers.push(collector.close);
    const port = await freePort();
    const env = { MARQUEE_DATA_DIR: folder, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, MARQUEE_METRICS_PORT: String(port) };
    const worker = await startService(['serve', '--role', 'worker'], env);
    closers.push(() => worker.process.exitCode ?? worker.stop('SIGKILL'));
    await until(() => spanNamed(collector, 'run of a source'));
    const run = spanNamed(collector, 'run of a source');
    expect(run.attributes).toEqual({ 'marquee.source': 'library', 'marquee.outcome': 'done' });
    const steps = collector.spans().filter(({ parentSpanId }) => parentSpanId === run.spanId);
    expect(steps.map(({ name }) => name)).toEqual(['fetch', 'skip known response', 'parse', 'resolve venues', 'diff']);
    expect(queriesOf(collector, steps[3])).toContain('SELECT record');
    for (const step of steps) {
      expect(step.traceId).toBe(run.traceId);
      expect(Number(step.startTimeUnixNano)).toBeLessThanOrEqual(Number(step.endTimeUnixNano));
    }
    await until(() => spanNamed(collector, 'job write exports'));
    const job = spanNamed(collector, 'job write exports');
    expect(queriesOf(collector, job)).toContain('UPDATE export');
    expect(job.attributes).toEqual({ 'marquee.job': 'write exports', 'marquee.queries': queriesOf(collector, job).length });
    const exposed = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(exposed).toMatch(/^marquee_source_failures\{source="library"\} 0$/m);

    // By hand, beside the worker.
    const typed = await marquee(['ingest', 'library'], { ...env, OTEL_SERVICE_NAME: 'typed' });
    expect(typed).toMatchObject({ status: 0, stderr: '' });
    const ofHand = collector.spans().find(({ name, service }) => name === 'run of a source' && service === 'typed');
    expect(ofHand?.attributes).toEqual(run.attributes);
    await worker.stop();
    expect(collector.metrics().map(({ name }) => name)).toContain('process_resident_memory_bytes');
  });

  it('sends only the share of traces that is set, and those that callers want', async () => {
    const { collector, service, keys } = await withCollector(['serve', '--role', 'api'], { OTEL_TRACES_SAMPLER_ARG: '0' });
    await ask(service, '/events?limit=1', keys.growth);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await fetch(`${service.url}/api/v1/venues`, { headers: { 'x-api-key': keys.growth, traceparent } });
    await service.stop();
    expect(collector.spans().map(({ name }) => name)).toEqual(['GET /api/v1/venues']);
  });
});

describe('a collector that', () => {
  const answersAll = async (service: RunningService, key: string) => {
    for (let index = 0; index < 50; index += 1) expect((await ask(service, '/events?limit=1', key)).status).toBe(200);
  };

  it('is not there fails no request and no stop, and is told of once', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const { service, keys } = await prepare(['serve', '--role', 'api'], { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    await answersAll(service, keys.growth);
    await until(() => expect(service.printed()).toContain('cannot send traces to the collector'));
    await answersAll(service, keys.growth);
    expect(await service.stop()).toBe(0);
    expect(service.printed().split('cannot send traces').length - 1).toBe(1);
  });

  it('takes what it is sent and never answers fails no request and no stop', async () => {
    const { collector, service, keys } = await withCollector(['serve', '--role', 'api']);
    collector.answer = () => undefined;
    await answersAll(service, keys.growth);
    await until(() => expect(collector.spans().length).toBeGreaterThan(0));
    await answersAll(service, keys.growth);
    expect(await service.stop()).toBe(0);
  });

  it('refuses what it is sent fails no request and no stop', async () => {
    const { collector, service, keys } = await withCollector(['serve', '--role', 'api']);
    collector.answer = (response) => void response.writeHead(401).end('who are you?');
    await answersAll(service, keys.growth);
    expect(await service.stop()).toBe(0);
    expect(collector.spans().length).toBeGreaterThan(0);
  });
});

describe('without a collector, a service', () => {
  it('loads nothing of the libraries', async () => {
    const loadsOf = async (env: Record<string, string>) => {
      const { folder, remove } = await copyDemoFolder();
      closers.push(remove);
      const list = join(folder, 'loads');
      const recorder = new URL('../support/processes/record-loads.mjs', import.meta.url).href;
      const { service, keys } = await prepare(['serve', '--role', 'api'], { LOADS_FILE: list, ...env }, ['--import', recorder]);
      await ask(service, '/events?limit=1', keys.growth);
      await service.stop();
      return readFileSync(list, 'utf8').split('\n');
    };
    const isOfSdk = (url: string) => /@opentelemetry\/(?!api\/|semantic-conventions\/)/.test(url);
    const loads = await loadsOf({});
    expect(loads.length).toBeGreaterThan(100);
    expect(loads.filter(isOfSdk)).toEqual([]);
    // The list would have them.
    const collector = await openCollector();
    closers.push(collector.close);
    expect((await loadsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).filter(isOfSdk).length).toBeGreaterThan(10);
  });
});
