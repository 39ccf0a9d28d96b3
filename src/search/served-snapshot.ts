/** The snapshot that is served: what the builder sent last, who waits for a newer one, and which threads read along. */

import type { MessagePort } from 'node:worker_threads';
import { openSnapshot } from './open-snapshot.ts';
import type { Search, Snapshot } from './query.ts';
import type { BuilderReport } from './snapshot/builder.ts';
import type { SnapshotData } from './snapshot-data.ts';
import { createWeights } from './structures/shared-memory.ts';

interface Current {
  snapshot: Snapshot;
  data: SnapshotData;
  builtAt: number;
  buildMs: number;
  /** Of the snapshot as it was built. */
  sharedBytes: number;
  /** See `createWeights`: they are let go of together with the snapshot, and with its trends. */
  weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] };
}

type SnapshotReport = Exclude<BuilderReport, { kind: 'log' }>;

export interface ServedSnapshot extends Pick<Search, 'current' | 'freshness' | 'relay'> {
  /** Takes constant time: what was built is only wrapped. */
  take(report: SnapshotReport): void;
  isThere(): boolean;
  /** Resolves when a snapshot is served that holds the change `seq`. */
  waitFor(seq: number): Promise<void>;
  /** Rejects for everybody who still waits. */
  close(): void;
}

export function createServedSnapshot(): ServedSnapshot {
  const waiting = new Set<{ seq: number; resolve: () => void; reject: (error: Error) => void }>();
  const readers = new Set<MessagePort>();
  const weigh = createWeights();
  let current: Current | null = null;
  let headSeq = 0;

  function takeSnapshot({ data, buildMs, sharedBytes }: Extract<SnapshotReport, { kind: 'snapshot' }>): void {
    const weights = { snapshot: weigh(sharedBytes), trends: [] };
    current = { data, snapshot: openSnapshot(data), builtAt: Date.now(), buildMs, sharedBytes, weights };
    // A database that was restored has come to less than before.
    headSeq = data.seq;
    for (const waiter of waiting) {
      if (waiter.seq > data.seq) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  }

  function takeTrends({ trends, sharedBytes }: Extract<SnapshotReport, { kind: 'trends' }>): void {
    if (!current) return;
    const data = { ...current.data, trends };
    const weights = { ...current.weights, trends: weigh(sharedBytes) };
    current = { ...current, data, snapshot: openSnapshot(data), weights };
  }

  const served = (): Current => {
    if (!current) throw new Error('The read model is not there yet.');
    return current;
  };

  return {
    current: () => served().snapshot,
    isThere: () => current !== null,
    take(report) {
      if (report.kind === 'head') {
        headSeq = Math.max(headSeq, report.seq);
        return;
      }
      for (const reader of readers) reader.postMessage(report);
      if (report.kind === 'trends') takeTrends(report);
      else takeSnapshot(report);
    },
    freshness() {
      const { snapshot, builtAt, buildMs } = served();
      return { seq: snapshot.seq, builtAt, buildMs, headSeq };
    },
    waitFor(seq) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.add({ seq, resolve, reject });
      return promise;
    },
    relay(reader) {
      const { data, buildMs, sharedBytes } = served();
      const report: BuilderReport = { kind: 'snapshot', data, buildMs, sharedBytes };
      reader.postMessage(report);
      readers.add(reader);
      reader.once('close', () => readers.delete(reader));
    },
    close() {
      for (const waiter of waiting) waiter.reject(new Error('The read model is closed.'));
      waiting.clear();
    },
  };
}
