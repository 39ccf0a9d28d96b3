/** A collector of OpenTelemetry on loopback: remembers what it is sent over OTLP/HTTP, in JSON. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 2: of a server. */
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number>;
  status: { code?: number };
  service: string;
}

export interface SentMetric {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
  [form: string]: any;
}

export interface Collector {
  url: string;
  spans(): SentSpan[];
  /** Of the last request that brought metrics. */
  metrics(): SentMetric[];
  headers(): Record<string, string>[];
  /** All bodies, as they came. */
  text(): string;
  /** How requests are answered; the answer may never come. */
  answer: (response: ServerResponse) => void;
  close(): Promise<void>;
}

export async function openCollector(): Promise<Collector> {
  const requests: { path: string; headers: Record<string, string>; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = request.headers as Record<string, string>;
    requests.push({ path: request.url ?? '', headers, text: Buffer.concat(chunks).toString() });
    collector.answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const bodies = (path: string) => requests.filter((each) => each.path === path).map(({ text }) => JSON.parse(text));
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies('/v1/traces').flatMap(({ resourceSpans }) => resourceSpans.flatMap(readSpans)),
    metrics() {
      const [latest] = bodies('/v1/metrics').reverse();
      return (latest?.resourceMetrics ?? []).flatMap(({ scopeMetrics }: Otlp) =>
        scopeMetrics.flatMap(({ metrics }: Otlp) => metrics),
      );
    },
    headers: () => requests.map(({ headers }) => headers),
    text: () => requests.map(({ text }) => text).join('\n'),
    answer: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
type Otlp = any;

function readSpans({ resource, scopeSpans }: Otlp): SentSpan[] {
  const service = String(attributesOf(resource)['service.name']);
  return scopeSpans.flatMap(({ spans }: Otlp) =>
    spans.map((span: Otlp): SentSpan => ({ ...span, status: span.status ?? {}, attributes: attributesOf(span), service })),
  );
}

/** Also of a point of a metric. */
export function attributesOf({ attributes = [] }: Otlp): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }: Otlp) => [key, value.stringValue ?? Number(value.intValue ?? value.doubleValue)]),
  );
}
