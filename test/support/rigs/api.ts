/** The API on a fixed clock over the fake directory and gate, through the door and, where bytes matter, through a socket. */

import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { createApi, createMetrics, type Deprecation, type Metrics } from '../../../src/api/index.ts';
import { createLog } from '../../../src/log.ts';
import type { SearchReader } from '../../../src/search/index.ts';
import { createServer, type PageLimits, type Server, type ServerLimits } from '../../../src/server/index.ts';
import { createFakeChanges } from '../fakes/changes.ts';
import { createFakeDirectory, FAKE_NOW, type FakeDirectory } from '../fakes/directory.ts';
import { createFakeExports } from '../fakes/exports.ts';
import { createFakeFeeds } from '../fakes/feeds.ts';
import { createFakeGate, FAKE_KEYS, type FakeGate } from '../fakes/gate.ts';
import { PATIENCE_MS } from '../runs/patience.ts';

export const PUBLIC_URL = 'https://events.example.org';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
}

export interface TestApi {
  server: Server;
  directory: FakeDirectory;
  gate: FakeGate;
  metrics: Metrics;
  /** All log lines so far. */
  logged(): Record<string, unknown>[];
  /** `path` below the prefix; with an enterprise key unless headers say otherwise (`null`: without a key). */
  ask(path: string, headers?: Record<string, string> | null, method?: string): Promise<Answer>;
  /** The one bad parameter of a 400; as `ask`. */
  refusal(path: string, headers?: Record<string, string>): Promise<BadParameter>;
  /** A 200; as `ask`. */
  accepted(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Any path, no key. */
  askPlain(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** Listens once, then sends bytes on a connection and gives all that comes back until the end or the deadline. */
  send(bytes: string | Buffer, options?: { waitMs?: number; until?: (text: string) => boolean }): Promise<RawAnswer>;
  /** The same, in several packets. */
  sendParts(
    parts: readonly (string | Buffer)[],
    options?: { waitMs?: number; until?: (text: string) => boolean },
  ): Promise<RawAnswer>;
  port(): Promise<number>;
  close(): Promise<void>;
}

export interface BadParameter {
  in: string;
  name: string;
  value: string;
  code: string;
  detail: string;
}

export interface RawAnswer {
  text: string;
  /** Whether the service ended the connection. */
  ended: boolean;
}

export interface TestApiOptions {
  limits?: Partial<ServerLimits>;
  trustProxy?: string[];
  acceptsAddresses?: boolean;
  publicUrl?: string;
  pageLimits?: Partial<PageLimits>;
  ready?: () => boolean;
  now?: () => number;
  maxInFlight?: number;
  /** In place of the fake directory. */
  search?: SearchReader;
  deprecations?: readonly Deprecation[];
}

export function createTestApi(options: TestApiOptions = {}): TestApi {
  const directory = createFakeDirectory();
  const gate = createFakeGate();
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLog('info', sink);
  const metrics = createMetrics();
  const now = options.now ?? (() => FAKE_NOW);
  const api = createApi({
    search: options.search ?? directory.search,
    changes: createFakeChanges(),
    gate,
    feeds: createFakeFeeds(),
    exports: createFakeExports(),
    publicUrl: () => options.publicUrl ?? PUBLIC_URL,
    clocks: { directory: now, limits: now },
    log,
    metrics,
    ...(options.deprecations && { deprecations: options.deprecations }),
    ...(options.maxInFlight !== undefined && { maxInFlight: options.maxInFlight }),
  });
  const server = createServer({
    api,
    log,
    ready: options.ready ?? (() => true),
    trustProxy: options.trustProxy ?? null,
    acceptsAddresses: options.acceptsAddresses ?? false,
    ...(options.limits && { limits: options.limits }),
    ...(options.pageLimits && { pageLimits: options.pageLimits }),
  });
  let listening: Promise<{ port: number }> | null = null;
  const port = async () => {
    listening ??= server.listen({ port: 0, host: '127.0.0.1' });
    return (await listening).port;
  };

  const askPlain: TestApi['askPlain'] = async (path, headers = {}, method = 'GET') => {
    const reply = await server.app.inject({ method: method as 'GET', url: path, headers });
    const type = String(reply.headers['content-type'] ?? '');
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string>,
      text: reply.body,
      bytes: reply.rawPayload,
      json:
        /[/+]json\b/.test(type) && reply.body !== '' && !reply.headers['content-encoding'] ? JSON.parse(reply.body) : undefined,
    };
  };

  const ask: TestApi['ask'] = (path, headers = {}, method = 'GET') =>
    askPlain(`/api/v1${path}`, headers === null ? {} : { 'x-api-key': FAKE_KEYS.enterprise, ...headers }, method);

  const sendParts: TestApi['sendParts'] = async (parts, { waitMs = PATIENCE_MS, until } = {}) => {
    const socket = connect(await port(), '127.0.0.1');
    const chunks: Buffer[] = [];
    let ended = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, waitMs);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      if (until?.(Buffer.concat(chunks).toString('latin1'))) resolve();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      ended = true;
      resolve();
    });
    socket.on('end', () => {
      ended = true;
      resolve();
    });
    for (const part of parts) {
      socket.write(part);
      // As packets of their own.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await promise;
    clearTimeout(deadline);
    socket.destroy();
    return { text: Buffer.concat(chunks).toString('utf8'), ended };
  };

  return {
    server,
    directory,
    gate,
    metrics,
    logged: () => lines.map((line) => JSON.parse(line)),
    askPlain,
    ask,
    async refusal(path, headers) {
      const answer = await ask(path, headers);
      expect(answer.status, path).toBe(400);
      expect(answer.json.code).toBe('invalid_parameter');
      expect(answer.json.errors, path).toHaveLength(1);
      return answer.json.errors[0];
    },
    async accepted(path, headers) {
      const answer = await ask(path, headers);
      expect(answer.status, `${path} ${answer.text.slice(0, 300)}`).toBe(200);
      return answer;
    },
    sendParts,
    send: (bytes, how) => sendParts([bytes], how),
    port,
    async close() {
      await metrics.close();
      await server.drain();
    },
  };
}
