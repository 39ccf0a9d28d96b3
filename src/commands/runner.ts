/** What commands need to run sources: a process for a run in earnest, and the reading tools for one that only looks. */

import { openGeocoder } from '../addresses/index.ts';
import type { Context } from '../context.ts';
import { type RunSourceOptions, runInProcess, runSource, type SourceReport, traceRun } from '../ingest/index.ts';
import { type Outbound, openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { runPlace } from '../run-place.ts';
import type { Store } from '../store/index.ts';
import { openTelemetry } from '../telemetry/index.ts';

export interface Runner {
  store: Store;
  checkAddress: Outbound['checkAddress'];
  run(name: string, onProgress: RunSourceOptions['onProgress']): Promise<SourceReport>;
  /** What a run would do; nothing is written. */
  rehearse(name: string, options?: Pick<RunSourceOptions, 'onProgress' | 'onSample'>): Promise<SourceReport>;
}

/** Opens what a run needs for the time of `work`. */
export function withRunner<T>(context: Context, work: (runner: Runner) => Promise<T>): Promise<T> {
  const { config, log } = context;
  return context.withStore(async (store) => {
    const { tracing, close: closeTelemetry } = await openTelemetry(config.telemetry, log);
    const outbound = openOutbound({ allowedHosts: config.allowedHosts, userAgent: config.userAgent });
    const { geocoder: address, userAgent } = config;
    const geocoder = address && openGeocoder({ db: store.db, address, userAgent, now: config.clocks.limits });
    const reader = openReader();
    try {
      return await work({
        store,
        checkAddress: outbound.checkAddress,
        run: (name, onProgress) =>
          traceRun(tracing, name, (onStep) =>
            runInProcess({ ...runPlace(config), name }, { ...(onProgress && { onProgress }), ...(onStep && { onStep }) }),
          ),
        rehearse: (name, options = {}) =>
          runSource({
            store,
            name,
            outbound,
            read: reader.read,
            readPage: reader.readPage,
            geocoder,
            keyOf: config.keyOf,
            now: config.clocks.directory,
            ...options,
            dryRun: true,
          }),
      });
    } finally {
      await reader.close();
      await geocoder?.close();
      await outbound.close();
      await closeTelemetry();
    }
  });
}
