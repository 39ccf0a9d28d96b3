/** An export written beside the serving thread, from the snapshot that is current when it is asked for. */

import { MessageChannel, Worker } from 'node:worker_threads';
import type { Search, Snapshot } from '../../search/index.ts';
import type { WrittenExport } from '../write-export.ts';
import type { ExportThreadData } from './export-thread.ts';

export type ExportSearch = Pick<Search, 'current' | 'relay' | 'caughtUp'>;

export interface HeldSnapshot {
  snapshot: Snapshot;
  /** Once. Rejects when the thread fails, or with the reason of `signal`. */
  write(data: Omit<ExportThreadData, 'search'>, signal: AbortSignal): Promise<WrittenExport>;
  release(): void;
}

/** Holds the current snapshot, so that what is read beside it can be of the same moment. */
export function holdSnapshot(search: ExportSearch): HeldSnapshot {
  const { port1, port2 } = new MessageChannel();
  const snapshot = search.current();
  // In the same turn: this one and no later one.
  search.relay(port1);
  const release = () => {
    port1.close();
    port2.close();
  };
  return {
    snapshot,
    release,
    async write(data, signal) {
      signal.throwIfAborted();
      const workerData: ExportThreadData = { ...data, search: port2 };
      const worker = new Worker(EXPORT_THREAD, { workerData, transferList: [port2], resourceLimits: HEAP });
      const { promise, resolve, reject } = Promise.withResolvers<WrittenExport>();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of an export ended with ${code}`)));
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
        await worker.terminate();
        port1.close();
      }
    },
  };
}

const EXPORT_THREAD = new URL('./export-thread.ts', import.meta.url);
/**
 * Records live shortly: a small nursery keeps the process small. V8 lets a heap grow to four times what was live if it may have
 * gigabytes, and to twice with a bound as this one, unless Node's own `--max-old-space-size` is set: that is the bound of every
 * thread. The read model is outside of it.
 */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
