/** The read model in a thread beside the serving one: what that one relays, over the same memory. */

import type { MessagePort } from 'node:worker_threads';
import { openSnapshot } from './open-snapshot.ts';
import type { SearchReader, Snapshot } from './query.ts';
import type { BuilderReport } from './snapshot/builder.ts';
import type { SnapshotData } from './snapshot-data.ts';
import { createWeights } from './structures/shared-memory.ts';

export type RelayedReport = Extract<BuilderReport, { kind: 'snapshot' | 'trends' }>;

interface Current {
  snapshot: Snapshot;
  data: SnapshotData;
  /** See `createWeights`: those of its trends are let go of with them. */
  weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] };
}

/** `relayed`: the other end of what was given to `relay`. Resolves when the first snapshot is there. */
export async function readSearch(relayed: MessagePort): Promise<SearchReader> {
  const weigh = createWeights();
  const first = Promise.withResolvers<void>();
  let current: Current | null = null;
  relayed.on('message', (report: RelayedReport) => {
    const weights = weigh(report.sharedBytes);
    if (report.kind === 'snapshot') {
      current = { snapshot: openSnapshot(report.data), data: report.data, weights: { snapshot: weights, trends: [] } };
      first.resolve();
      return;
    }
    if (!current) return;
    const data = { ...current.data, trends: report.trends };
    current = { snapshot: openSnapshot(data), data, weights: { ...current.weights, trends: weights } };
  });
  await first.promise;
  return {
    current() {
      if (!current) throw new Error('The read model is not there yet.');
      return current.snapshot;
    },
  };
}
