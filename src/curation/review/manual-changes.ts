/** What review asks of the pipeline, which is above it: to match records again after a person has decided. */

import type { Kysely } from 'kysely';
import type { EventRecord, VenueRecord } from '../../merge/index.ts';
import type { RunDifference } from '../../sources/index.ts';
import type { Database } from '../../store/index.ts';

export interface ManualChangeResult {
  /** Id of the run. */
  run: string;
  difference: RunDifference;
}

/** Records to match again. */
export interface ManualChanges {
  staged: {
    events: readonly EventRecord[];
    venues: readonly VenueRecord[];
    vanished: readonly { id: string; targetId: string | null }[];
  };
  /** Records whose matches are to be looked at again though nothing about them has changed. */
  revisit?: ReadonlySet<string>;
  /** What is revisited counts though its night is over. */
  reachesBack?: boolean;
  /** Events without a record are removed, not unconfirmed: they were never meant to be. */
  isUndo?: boolean;
}

/** `prepare` is called while nobody else writes; it may store decisions, which the run respects. */
export type ApplyManualChanges = (
  db: Kysely<Database>,
  kind: 'undo' | 'decision',
  sourceId: string | null,
  now: number,
  prepare: (runId: string) => Promise<ManualChanges>,
  patienceMs?: number,
) => Promise<ManualChangeResult>;
