/** What commands need to run sources: the store, the outgoing door, the provider keys. */

import { type RunOptions, runSource, type SourceReport } from '../ingest/index.ts';
import { type Outbound, openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import type { Store } from '../store/index.ts';
import type { Context } from './context.ts';

export interface Runner {
  store: Store;
  checkAddress: Outbound['checkAddress'];
  run(name: string, options?: Pick<RunOptions, 'dryRun' | 'onProgress' | 'onSample'>): Promise<SourceReport>;
}

/** Opens what a run needs for the time of `work`. */
export function withRunner<T>(context: Context, work: (runner: Runner) => Promise<T>): Promise<T> {
  const { config } = context;
  return context.withStore(async (store) => {
    const outbound = openOutbound({ allowedHosts: config.allowedHosts });
    const reader = openReader();
    try {
      return await work({
        store,
        checkAddress: outbound.checkAddress,
        run: (name, options = {}) =>
          runSource({
            ...{ store, name, outbound, read: reader.read, keyOf: config.keyOf, now: config.clocks.directory },
            ...options,
          }),
      });
    } finally {
      await reader.close();
      await outbound.close();
    }
  });
}
