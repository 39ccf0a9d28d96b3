/** What the serving thread is given: a new snapshot when the directory has changed, new trends in between. */

import type { Clock } from '../../clock.ts';
import type { Directory } from '../directory/directory.ts';
import { createWeights, sharedBytes } from '../structures/shared-memory.ts';
import type { BuilderReport } from './builder.ts';
import { createSnapshotBuilder, type SnapshotBuilder } from './snapshot-builder.ts';
import { refreshTrends } from './trends.ts';

/** A directory, and what its snapshots are built with. */
export interface BuiltDirectory {
  directory: Directory;
  snapshots: SnapshotBuilder;
  /** As of when its trends were computed. */
  trendsAt: number;
  /** Whether it is as it was when it was published last. */
  isPublished: boolean;
}

export interface Publisher {
  publish(built: BuiltDirectory): void;
  /** Trends for the snapshot that was published last; they were computed as of `at`. */
  publishTrends(built: BuiltDirectory, at: number): void;
  /** How long the last snapshot took. */
  lastBuildMs(): number;
}

export function toBeBuilt(directory: Directory, trendsAt: number): BuiltDirectory {
  return { directory, snapshots: createSnapshotBuilder(directory), trendsAt, isPublished: false };
}

export function createPublisher(report: (report: BuilderReport) => void, now: Clock): Publisher {
  const weigh = createWeights();
  /** Of the snapshot and of the trends that were sent last: see `createWeights`. */
  const weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] } = { snapshot: [], trends: [] };
  let lastBuildMs = 0;

  return {
    lastBuildMs: () => lastBuildMs,
    publish(built) {
      const begun = performance.now();
      const moment = now();
      const { directory, snapshots } = built;
      const { trendsAt: venues } = directory.changes;
      if (venues.size > 0) {
        for (const _ of refreshTrends(directory, moment, venues));
        built.trendsAt = moment;
        venues.clear();
      }
      directory.compact();
      const data = snapshots.build(moment, built.trendsAt);
      const bytes = sharedBytes([data.events, data.upcoming, data.trends]);
      lastBuildMs = performance.now() - begun;
      built.isPublished = true;
      report({ kind: 'snapshot', data, buildMs: lastBuildMs, sharedBytes: bytes });
      weights.snapshot = weigh(bytes);
      weights.trends = [];
    },
    publishTrends(built, at) {
      built.trendsAt = Math.max(built.trendsAt, at);
      const trends = built.snapshots.trends(built.trendsAt);
      const bytes = sharedBytes(trends);
      report({ kind: 'trends', trends, sharedBytes: bytes });
      weights.trends = weigh(bytes);
    },
  };
}
