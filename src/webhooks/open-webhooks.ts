/** What a worker does for webhooks: it follows the change log, and sends. */

import type { Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Outbound } from '../outbound/index.ts';
import { type ChangeReader, createChangeReader, type SearchReader } from '../search/index.ts';
import { limitQueries, type Store } from '../store/index.ts';
import type { Tracing } from '../telemetry/index.ts';
import { startSender } from './delivery/sender.ts';
import { openDispatcher } from './dispatch/dispatcher.ts';
import { createSeal } from './seal.ts';

export interface WebhooksOptions {
  store: Store;
  /** With `WEBHOOK_LIMITS`; the caller closes it. */
  outbound: Outbound;
  /** The read model; asked for when there is somebody to tell. */
  search(): Promise<SearchReader>;
  changes?: ChangeReader;
  /** The one that signs sessions. */
  secret: string;
  /** Without a trailing slash. */
  publicUrl: string;
  clocks: Clocks;
  log: Log;
  /** After how long another worker takes over what a dead one has left. */
  leaseMs?: number;
  /** See `SenderOptions`. */
  dataDir?: string;
  tracing?: Tracing | null;
  /** An endpoint was disabled: its owner is to be told. */
  onDisabled?(): void;
}

export interface Webhooks {
  /** Something was written to be sent. */
  wake(): void;
  /** Resolves when all changes up to now are written down as deliveries. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { store, outbound, search, secret, publicUrl, clocks, log, onDisabled = () => {} } = options;
  const { db } = store;
  const changes =
    options.changes ?? createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now: clocks.directory });
  const seal = createSeal(secret);
  // What they begin later runs within the same limit.
  const sender = await limitQueries(QUERY_MS, async () =>
    startSender({
      db,
      commitWatcher: store.createCommitWatcher(),
      outbound,
      seal,
      clocks,
      log,
      onDisabled,
      tracing: options.tracing ?? null,
      ...(options.leaseMs !== undefined && { leaseMs: options.leaseMs }),
      ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
    }),
  );
  const dispatcher = await limitQueries(QUERY_MS, () =>
    openDispatcher({
      db,
      changes,
      search,
      publicUrl,
      clocks,
      log,
      commitWatcher: store.createCommitWatcher(),
      onWritten: sender.wake,
    }),
  ).catch(async (error: unknown) => {
    await sender.close();
    throw error;
  });
  return {
    wake: sender.wake,
    catchUp: () => dispatcher.catchUp(),
    async close() {
      await dispatcher.close();
      await sender.close();
    },
  };
}

/** On a server: neither deliveries nor the end of the process wait longer for a network that went silent. */
const QUERY_MS = 5_000;
