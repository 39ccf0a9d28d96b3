/** Events that have become a part of another one, as they were: for readers that ask which of them a query would have found. */

import type { Kysely } from 'kysely';
import { loadMergers, readCity } from '../records/index.ts';
import { createDeadline, type Database } from '../store/index.ts';
import { readEventsById, readNeighborhoodRows, readVenuesById } from './directory/load.ts';
import type { Snapshot } from './query.ts';
import { buildSnapshot } from './snapshot/snapshot-builder.ts';

export interface MergedEvents {
  /** Of these events alone, with their venues, as if they were published. */
  snapshot: Snapshot;
  /** By id: directory time, milliseconds. */
  mergedAt: ReadonlyMap<string, number>;
}

/** Of events that were merged at or after `since`, the latest, at most `limit`. Null where there are none. Rejects where the store does not answer in time. */
export type LoadMerged = (since: number, limit: number) => Promise<MergedEvents | null>;

/** `publicUrl` without a trailing slash. While the same events are merged, they are read and built once. */
export function createMergedLoader({ db, publicUrl }: { db: Kysely<Database>; publicUrl: string }): LoadMerged {
  let last: { key: string; merged: MergedEvents } | null = null;
  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });

  async function load(since: number, limit: number): Promise<MergedEvents | null> {
    const mergers = await loadMergers(db, since, limit);
    if (mergers.length === 0) return null;
    const key = JSON.stringify(mergers);
    if (last?.key !== key) {
      const ids = mergers.map(({ id }) => id);
      const mergedAt = new Map(mergers.map((merger) => [merger.id, merger.mergedAt]));
      last = { key, merged: { snapshot: await buildFormer(db, ids, publicUrl, since), mergedAt } };
    }
    return last.merged;
  }

  return (since, limit) => inTime(() => load(since, limit));
}

async function buildFormer(db: Kysely<Database>, ids: readonly string[], publicUrl: string, now: number): Promise<Snapshot> {
  const rows = await readEventsById(db, ids);
  const venues = await readVenuesById(db, [...new Set(rows.map(({ venueId }) => venueId))]);
  const shown = { state: 'published', mergedInto: null } as const;
  return buildSnapshot(
    {
      seq: 0,
      city: await readCity(db),
      neighborhoods: await readNeighborhoodRows(db),
      // What takes place at a hidden venue stays hidden.
      venues: venues.map((venue) => (venue.state === 'hidden' ? venue : { ...venue, ...shown })),
      // Neither score signals nor trends are asked of them.
      events: rows.map((event) => ({ ...event, ...shown, signals: [], scores: [] })),
    },
    now,
    publicUrl,
  );
}

/** As readers of the change log wait. */
const DEADLINE_MS = 5_000;
const MAX_HANGING = 20;
