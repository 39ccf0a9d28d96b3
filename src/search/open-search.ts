/** The read model of a store: a worker thread builds, this thread serves what was built last. */

import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { StoreAddress } from '../store/index.ts';
import { startBuilderThread } from './builder-thread.ts';
import type { Search, Snapshot } from './query.ts';
import { createServedSnapshot } from './served-snapshot.ts';
import type { BuilderWorkerData } from './snapshot/builder-worker.ts';
import { TRENDING_REASONS, whyNothingTrends } from './trending-reason.ts';

export interface SearchOptions {
  /** Snapshots are kept there, so that the next start is quick; undefined: they are not. */
  dataDir: string | undefined;
  /** What the addresses of records begin with. */
  publicUrl: string;
  /** As `MARQUEE_NOW` has it: the builder's thread makes its own clock of it. */
  nowSetting: string | undefined;
  log?: Log | undefined;
}

/** A read model whose builder reads what it kept of the last time, while the store is still being opened. */
export interface BegunSearch {
  /**
   * Once, with the address of a store that is open and stays open. Resolves when the first snapshot is there; rejects when there can
   * be none. An empty database gives an empty snapshot.
   */
  open(address: StoreAddress): Promise<Search>;
  /** For one that is not opened after all. */
  cancel(): Promise<void>;
}

/** A builder that dies is started again; meanwhile the last snapshot serves, and `freshness` tells. */
export function beginSearch(options: SearchOptions, builderThread: URL = BUILDER_THREAD): BegunSearch {
  const { log } = options;
  const first = Promise.withResolvers<void>();
  const served = createServedSnapshot();
  const noteTrends = createTrendNote(log);
  const builder = startBuilderThread({
    url: builderThread,
    workerData: workerDataOf(options),
    log,
    onReport(report) {
      if (report.kind === 'log') return void log?.[report.level](report.facts, report.message);
      served.take(report);
      if (report.kind === 'snapshot') noteTrends(served.current(), report.data.trends.generatedAt);
      if (report.kind === 'snapshot') first.resolve();
    },
    isServing: served.isThere,
    onFailure: first.reject,
  });
  let closing: Promise<void> | null = null;

  const search: Search = {
    current: served.current,
    freshness: served.freshness,
    relay: served.relay,
    async caughtUp(seq) {
      if (served.current().seq >= seq) return;
      if (closing) throw new Error('The read model is closed.');
      const caughtUp = served.waitFor(seq);
      builder.look();
      await caughtUp;
    },
    close() {
      if (!closing) {
        served.close();
        closing = builder.close();
      }
      return closing;
    },
  };
  // A builder may fail before anybody waits for it.
  first.promise.catch(() => {});
  return {
    async open(address) {
      builder.open(address);
      await first.promise;
      return search;
    },
    async cancel() {
      closing ??= builder.cancel();
      await closing;
    },
  };
}

/** An empty list of trends after a first load looks like a fault. The first directory with events decides: later ones are no news. */
function createTrendNote(log: Log | undefined): (snapshot: Snapshot, now: number) => void {
  let isDecided = false;
  return (snapshot, now) => {
    if (isDecided || !log) return;
    const reason = whyNothingTrends(snapshot, now);
    isDecided = reason !== 'no_events';
    if (reason === 'no_signals') log.info({ reason }, `nothing is trending yet: ${TRENDING_REASONS[reason]}`);
  };
}

function workerDataOf({ dataDir, publicUrl, nowSetting }: SearchOptions): BuilderWorkerData {
  return {
    file: dataDir === undefined ? undefined : join(dataDir, SNAPSHOT_FILE),
    publicUrl: publicUrl.replace(/\/+$/, ''),
    nowSetting,
  };
}

const BUILDER_THREAD = new URL('./snapshot/builder-worker.ts', import.meta.url);
const SNAPSHOT_FILE = 'search.snapshot';
