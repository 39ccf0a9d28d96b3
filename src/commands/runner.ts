/** What commands need to run sources: a process for a run in earnest, and the reading tools for one that only looks. */

import type { Config } from '../config.ts';
import { type ProcessPlace, type RunOptions, runInProcess, runSource } from '../ingest/index.ts';
import { type Outbound, openOutbound } from '../outbound/index.ts';
import { openReader, PROVIDERS } from '../providers/index.ts';
import type { SourceReport } from '../sources/index.ts';
import type { Store } from '../store/index.ts';
import type { Context } from './context.ts';

export interface Runner {
  store: Store;
  checkAddress: Outbound['checkAddress'];
  run(name: string, onProgress: RunOptions['onProgress']): Promise<SourceReport>;
  /** What a run would do; nothing is written. */
  rehearse(name: string, options?: Pick<RunOptions, 'onProgress' | 'onSample'>): Promise<SourceReport>;
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
        run: (name, onProgress) => runInProcess({ ...runPlace(config), name }, onProgress ? { onProgress } : {}),
        rehearse: (name, options = {}) =>
          runSource({
            ...{ store, name, outbound, read: reader.read, keyOf: config.keyOf, now: config.clocks.directory },
            ...options,
            dryRun: true,
          }),
      });
    } finally {
      await reader.close();
      await outbound.close();
    }
  });
}

/** What the process of a run is told of the settings. */
export function runPlace({ dataDir, databaseUrl, nowSetting, allowedHosts, keyOf }: Config): ProcessPlace {
  const keys = PROVIDERS.flatMap(({ keySetting }) => {
    const key = keySetting === null ? null : keyOf(keySetting);
    return keySetting === null || key === null ? [] : [[keySetting, key] as const];
  });
  return {
    store: { dataDir, databaseUrl: databaseUrl ?? undefined },
    nowSetting,
    allowedHosts,
    providerKeys: Object.fromEntries(keys),
  };
}
