/**
 * A thread that accepts connections beside others and answers the API. It has its own gate over the counters that all of them share (in memory, or in Redis), and
 * reads the snapshot of the main thread, which answers everything else. Started by `open-threads.ts` with `ServingThreadData`.
 */

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { expose } from 'comlink';
import { type LimitMemory, openGate, openRedisLimits, openThreadLimits } from '../accounts/index.ts';
import { createRequestStats, type TakenStats } from '../api/index.ts';
import { createClocks } from '../clock.ts';
import { createFeedLists } from '../feeds/index.ts';
import { createPassedLog, printWarnings } from '../log.ts';
import type { RedisPlace } from '../redis-place.ts';
import { readSearch } from '../search/index.ts';
import { createServer, type ListenAddress } from '../server/index.ts';
import { joinStore, type StoreAddress } from '../store/index.ts';
import { noteQuery, openTelemetry, type TelemetryPlace } from '../telemetry/index.ts';
import { openDirectoryApi } from './open-directory-api.ts';

/** Plain data: it crosses threads. Holds secrets: never log it. */
export interface ServingFacts {
  address: ListenAddress;
  /** Without a trailing slash. */
  publicUrl: string;
  /** See `readSecret`. */
  secret: string;
  store: StoreAddress;
  /** Null: limits are in Redis. */
  limits: LimitMemory | null;
  redis: RedisPlace | null;
  telemetry: TelemetryPlace | null;
  nowSetting: string | undefined;
  logLevel: string;
  trustProxy: string[] | null;
  acceptsAddresses: boolean;
  /** How many threads like this one there are. */
  threads: number;
}

export interface ServingThreadData {
  facts: ServingFacts;
  ends: { search: MessagePort; calls: MessagePort };
}

/** What the main thread asks for. */
export interface ServingCalls {
  /** See `Server`. */
  announceEnd(): Promise<void>;
  flush(): Promise<void>;
  takeStats(): TakenStats | null;
  /** Answers what was asked, writes what was counted, and ends the thread. */
  close(): void;
}

/** What the main thread is told. */
export type ThreadReport =
  | { kind: 'listening' }
  | { kind: 'refused'; code: string | undefined; message: string }
  | { kind: 'lines'; lines: string }
  | { kind: 'stats'; stats: TakenStats }
  | { kind: 'tunnel'; port: MessagePort; address: string };

const { facts, ends } = workerData as ServingThreadData;

async function serve(): Promise<void> {
  const { publicUrl, secret, trustProxy, acceptsAddresses, threads } = facts;
  const clocks = createClocks(facts.nowSetting);
  const { log, flush: flushLog } = createPassedLog(facts.logLevel, (lines) => tell({ kind: 'lines', lines }));
  const store = joinStore(facts.store, { poolSize: POOL_SIZE, ...(facts.telemetry && { onQuery: noteQuery }) });
  const search = await readSearch(ends.search);
  const redis = facts.redis && (await openRedisLimits({ place: facts.redis, log }));
  const limits = facts.limits && openThreadLimits({ memory: facts.limits, wall: clocks.limits, keepsMinutes: false });
  const commitWatcher = store.createCommitWatcher();
  const gate = await openGate({ db: store.db, commitWatcher, clocks, log, redis, ...limits, countsForProcess: limits !== null });
  const telemetry = await openTelemetry(facts.telemetry, log);
  const stats = createRequestStats();
  const feeds = createFeedLists({ db: store.db, now: clocks.directory });
  const { tracing } = telemetry;
  const { api } = openDirectoryApi({ store, search, gate, feeds, publicUrl, secret, clocks, log, metrics: stats, tracing });
  const openTunnel = (port: MessagePort, address: string) => tell({ kind: 'tunnel', port, address }, [port]);
  const server = createServer({ api, log, ready: () => true, trustProxy, acceptsAddresses, openTunnel, threads });
  const passStats = (): void => {
    const taken = stats.take();
    if (taken) tell({ kind: 'stats', stats: taken });
  };

  async function close(): Promise<void> {
    await server.drain();
    await gate.close();
    redis?.close();
    await store.close();
    await telemetry.close();
    passStats();
    flushLog();
    process.exit(0);
  }

  const calls: ServingCalls = {
    announceEnd: server.announceEnd,
    flush: gate.flush,
    takeStats: stats.take,
    // Whatever goes wrong ends the thread, and with it the process.
    close: () => void close(),
  };
  expose(calls, ends.calls as unknown as Parameters<typeof expose>[1]);
  try {
    await server.listen({ ...facts.address, reusePort: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return tell({ kind: 'refused', code, message });
  }
  setInterval(passStats, PASS_EVERY_MS).unref();
  tell({ kind: 'listening' });
}

function tell(report: ThreadReport, transferred: MessagePort[] = []): void {
  parentPort?.postMessage(report, transferred);
}

/** Requests with keys that are known ask the store nothing. */
const POOL_SIZE = 5;
const PASS_EVERY_MS = 1_000;

printWarnings();
await serve();
