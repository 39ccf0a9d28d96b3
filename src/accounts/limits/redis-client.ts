/**
 * The connection to Redis or Valkey: one server, a primary behind sentinels, or a cluster. It keeps connecting; nothing waits in it.
 * Why a call failed is a `RedisFault`.
 */

import { readFileSync } from 'node:fs';
import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisPlace } from '../../redis-place.ts';

export type ScriptName = 'decide' | 'compare' | 'refund' | 'minutes' | 'bucket' | 'probe';
export type ScriptArgument = string | number | Buffer;

export interface RedisClient {
  /** Keys of one call must stand on one node of a cluster. */
  isCluster: boolean;
  /** Runs a script as one atomic step. Rejects at once while there is no connection. */
  run(script: ScriptName, keys: readonly string[], values: readonly ScriptArgument[]): Promise<number[]>;
  /** The calls made in `work` are one write for each server. */
  inOneWrite(work: () => void): void;
  isReady(): boolean;
  /** A connection has ended: what Redis has may be less than it was. */
  onEnd(listener: () => void): void;
  /** Ends the connection, which may have fallen silent, and makes another. */
  reconnect(): void;
  /** Sections of `INFO` as text. */
  info(): Promise<string>;
  close(): void;
}

/** `editScript` is for tests with a clock of their own. */
export async function connectRedis(place: RedisPlace, editScript: (lua: string) => string = (lua) => lua): Promise<RedisClient> {
  // Only who shares limits loads it.
  const ioredis = await import('ioredis');
  const client = place.kind === 'cluster' ? openCluster(ioredis.Cluster, place) : openSingle(ioredis.Redis, place);
  // What fails shows in each call.
  client.on('error', () => undefined);
  const texts = readScripts(editScript);
  for (const [name, lua] of texts) client.defineCommand(name, { lua });
  type RunScript = (count: number, ...rest: ScriptArgument[]) => Promise<Buffer | number[]>;
  // The library reads a reply as text, unless it is asked for bytes.
  const scripts = client as unknown as Record<`${ScriptName}Buffer`, RunScript>;

  return {
    isCluster: place.kind === 'cluster',
    async run(script, keys, values) {
      const rest = [...keys, ...values];
      const reply = await scripts[`${script}Buffer`](keys.length, ...rest).catch((error: Error) => {
        // The library sends a script that is gone once more by its digest, which may be gone again.
        if (!error.message.startsWith('NOSCRIPT')) throw error;
        return client.callBuffer('eval', texts.get(script) ?? '', keys.length, ...rest) as Promise<Buffer | number[]>;
      });
      return Buffer.isBuffer(reply) ? unpack(reply) : reply;
    },
    inOneWrite(work) {
      const streams = ('nodes' in client ? client.nodes('master') : [client]).flatMap(({ stream }) => stream ?? []);
      for (const stream of streams) stream.cork();
      work();
      for (const stream of streams) stream.uncork();
    },
    onEnd(listener) {
      if (!('nodes' in client)) return void client.on('close', listener);
      for (const node of client.nodes()) node.on('close', listener);
      client.on('+node', (node: Redis) => node.on('close', listener));
    },
    isReady: () => client.status === 'ready',
    reconnect() {
      if ('nodes' in client) for (const node of client.nodes('master')) node.disconnect(true);
      else client.disconnect(true);
    },
    info: () => ('nodes' in client ? (client.nodes('master')[0] ?? client).info() : client.info()),
    close: () => client.disconnect(),
  };
}

/** Eight bytes each: the parser of the library takes longer for numbers. */
const unpack = (packed: Buffer): number[] =>
  Array.from({ length: packed.length / NUMBER_BYTES }, (_, place) => packed.readDoubleLE(place * NUMBER_BYTES));

function readScripts(edit: (lua: string) => string): ReadonlyMap<string, string> {
  const readAll = (parts: readonly string[]) => parts.map((part) => readFileSync(new URL(part, FOLDER), 'utf8')).join('\n');
  return new Map(Object.entries(SCRIPTS).map(([name, parts]) => [name, edit(readAll(parts))]));
}

function openSingle(RedisClass: typeof Redis, place: RedisPlace): Redis {
  const [node] = place.nodes;
  const common = { ...connection(place), db: place.db, enableOfflineQueue: false, retryStrategy: () => RETRY_MS };
  if (place.kind === 'single') return new RedisClass({ ...common, ...node });
  return new RedisClass({
    ...common,
    sentinels: place.nodes,
    name: place.primary ?? '',
    sentinelRetryStrategy: () => RETRY_MS,
    // No `failoverDetector`: of version 6.0.0 it may end a connection that is being made, and then none is made again. An old primary
    // that lives on refuses writes, which makes another connection too.
    sentinelCommandTimeout: CONNECT_MS,
    ...(place.sentinelPassword !== null && { sentinelPassword: place.sentinelPassword }),
    ...(place.isTls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
  });
}

function openCluster(ClusterClass: typeof Cluster, place: RedisPlace): Cluster {
  return new ClusterClass(place.nodes, {
    redisOptions: connection(place),
    enableOfflineQueue: false,
    clusterRetryStrategy: () => RETRY_MS,
    slotsRefreshTimeout: CONNECT_MS,
    // A decision that has waited for a shard is of no use any more.
    maxRedirections: 3,
  });
}

function connection({ username, password, isTls }: RedisPlace) {
  return {
    ...(username !== null && { username }),
    ...(password !== null && { password }),
    ...(isTls && { tls: {} }),
    connectTimeout: CONNECT_MS,
    connectionName: 'marquee',
    // A decision whose answer was lost must not be made again when the connection is back.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The primary became a replica.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  } satisfies RedisOptions;
}

/** Why a call of Redis failed. */
export type FaultReason = 'deadline' | 'unreachable' | 'loading' | 'readonly' | 'oom' | 'cluster' | 'denied' | 'other';

export class RedisFault extends Error {
  readonly reason: FaultReason;
  constructor(reason: FaultReason, cause?: unknown) {
    super(`Redis: ${reason}`, { cause });
    this.reason = reason;
  }
}

/** Whatever the client rejected with, as one of ours. */
export function toRedisFault(error: unknown): RedisFault {
  return error instanceof RedisFault ? error : new RedisFault(reasonOf(error), error);
}

function reasonOf(error: unknown): FaultReason {
  const { message = '' } = error as Partial<Error>;
  const [, reason = 'unreachable'] = FAULTS.find(([pattern]) => pattern.test(message)) ?? [];
  return reason;
}

const FOLDER = new URL('./scripts/', import.meta.url);
const SCRIPTS: Readonly<Record<ScriptName, readonly string[]>> = {
  decide: ['ring.lua', 'decision.lua', 'decide.lua'],
  compare: ['ring.lua', 'decision.lua', 'compare.lua'],
  refund: ['ring.lua', 'refund.lua'],
  minutes: ['ring.lua', 'minutes.lua'],
  bucket: ['bucket.lua'],
  probe: ['probe.lua'],
};
const NUMBER_BYTES = 8;
const RETRY_MS = 100;
const CONNECT_MS = 1_000;
const FAULTS: readonly (readonly [RegExp, FaultReason])[] = [
  [/^LOADING|^MASTERDOWN|^BUSY/, 'loading'],
  [/^READONLY/, 'readonly'],
  [/\bOOM\b/, 'oom'],
  [/^CLUSTERDOWN|^TRYAGAIN|Too many Cluster redirections|slots/i, 'cluster'],
  [/^NOAUTH|^WRONGPASS|^NOPERM/, 'denied'],
  [/^ERR/, 'other'],
];
