import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBilling } from '../../src/billing/index.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openBucket, parseStorageUrl } from '../../src/object-storage/index.ts';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { files, read } from '../house/source-tree.ts';
import { openCollector } from '../support/network/collector.ts';

const agents: string[] = [];
const server = createServer(({ headers }, response) => {
  agents.push(headers['user-agent'] ?? '');
  response
    .writeHead(404, { 'content-type': 'application/json' })
    .end('{"error":{"type":"invalid_request_error","message":"no"}}');
});
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

describe('a request to another machine names Marquee and a contact', () => {
  const { userAgent } = readConfig({ MARQUEE_CONTACT: 'desk@example.org' });

  it('as the settings say it', () => {
    expect(userAgent).toMatch(/^Marquee\/\d\S* \(\+mailto:desk@example\.org\)$/);
  });

  it('wherever the code opens the way out', () => {
    const callers = files.filter((file) => file.startsWith('src/') && !file.startsWith('src/outbound/'));
    const calls = callers.flatMap((file) =>
      Array.from(read(file).matchAll(/\bopenOutbound\([^;]*;/g), ([call]) => `${file}: ${call}`),
    );
    expect(calls.length).toBeGreaterThan(6);
    expect(calls.filter((call) => !call.includes('userAgent'))).toEqual([]);
  });

  it('to a payment service and to a storage too', async () => {
    const prices = { starter: 'a', growth: 'b', enterprise: 'c' };
    const billing = await openBilling({
      db: null as never,
      settings: { secretKey: 'sk_test_1', webhookSecret: 'whsec_1', prices, checkoutOrigin: null, apiUrl: origin },
      publicUrl: () => 'https://events.example.org',
      clocks: { directory: Date.now, limits: Date.now },
      userAgent,
      log: createLog('error', { write: () => undefined }),
    });
    await billing.check();
    await billing.close();
    const defaults = { accessKeyId: 'a', secretAccessKey: 'b', userAgent };
    const place = parseStorageUrl('MARQUEE_EXPORTS', `s3://reed/x?region=eu&endpoint=${origin}`, defaults);
    if (typeof place === 'string') throw new Error(place);
    await openBucket(place).head('x');
    expect(agents.length).toBeGreaterThan(3);
    expect(new Set(agents)).toEqual(new Set([userAgent]));
  });

  it('to a collector of traces and metrics too, before the name of the library', async () => {
    const collector = await openCollector();
    const { telemetry } = readConfig({ MARQUEE_CONTACT: 'desk@example.org', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const { tracing, sendMetrics, close } = await openTelemetry(telemetry, createLog('error', { write: () => undefined }));
    sendMetrics(async () => [{ name: 'up', help: 'up', type: 'gauge', values: [{ value: 1, labels: {} }] }]);
    tracing?.record({ name: 'work', kind: 'internal', startedAt: 1, endedAt: 2, attributes: {} });
    await close();
    await collector.close();
    expect(collector.headers().length).toBeGreaterThan(1);
    for (const headers of collector.headers()) expect(headers['user-agent']?.split(' OTel')[0]).toBe(userAgent);
  });
});
