/** What a worker does for webhooks: it follows the change log, and sends. */

import { type ChangeReader, createChangeReader } from '../search/index.ts';
import { limitQueries, type Store } from '../store/index.ts';
import { type SenderOptions, startSender } from './delivery/sender.ts';
import { type DispatcherOptions, openDispatcher } from './dispatch/dispatcher.ts';
import { createSeal } from './seal.ts';

export interface WebhooksOptions
  extends Pick<SenderOptions, 'outbound' | 'clocks' | 'log' | 'leaseMs' | 'dataDir' | 'tracing'>,
    Pick<DispatcherOptions, 'search' | 'publicUrl'> {
  store: Store;
  changes?: ChangeReader;
  /** The one that signs sessions. */
  secret: string;
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
  const { store, secret, publicUrl, clocks, onDisabled = () => {} } = options;
  const { db } = store;
  const changes =
    options.changes ?? createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now: clocks.directory });
  const seal = createSeal(secret);
  // What they begin later runs within the same limit.
  const sender = await limitQueries(QUERY_MS, async () =>
    startSender({ ...options, db, commitWatcher: store.createCommitWatcher(), seal, onDisabled }),
  );
  const dispatcher = await limitQueries(QUERY_MS, () =>
    openDispatcher({ ...options, db, changes, commitWatcher: store.createCommitWatcher(), onWritten: sender.wake }),
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
