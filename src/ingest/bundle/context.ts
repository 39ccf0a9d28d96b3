/** What every step of a run needs to know. */

import type { Kysely } from 'kysely';
import type { Locate, Reject } from '../../facts/index.ts';
import type { ScoreContext } from '../../ranking/index.ts';
import type { Database } from '../../store/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import type { SourceValues } from '../records/records.ts';
import type { Counts } from '../stored-runs/run-report.ts';

export interface RunContext {
  db: Kysely<Database>;
  sourceId: string;
  /** Milliseconds since 1970 UTC; one moment for the whole run. */
  now: number;
  newId: () => string;
  /** Nothing is written; counts and rejects are those of the same run in earnest. */
  dryRun: boolean;
  cityTime: CityTime;
  locate: Locate;
  /** By external id, where it is known beforehand. */
  previews?: ReadonlyMap<string, EventPreview>;
  /** Slugs that a listing may name. */
  neighborhoods: ReadonlySet<string>;
  /** Called when most of what is left of a batch is the database's work. */
  onWriting?: () => void;
}

/** A new event of the bundle before it is written. */
export interface EventPreview {
  /** Its id to be: events that are otherwise equal are in the order of their ids. */
  id: string;
  /** What the other events of the bundle say about it. */
  context: ScoreContext;
}

/** What became of each listing of a batch. */
export interface BatchOutcome extends Counts {
  accepted: string[];
  rejects: Omit<Reject, 'file'>[];
}

export interface Entry<T> {
  line: number;
  draft: T;
  values: SourceValues;
}

export const NOTHING: Counts = { created: 0, updated: 0, unchanged: 0 };

export function addCounts(sum: Counts, more: Counts): Counts {
  return {
    created: sum.created + more.created,
    updated: sum.updated + more.updated,
    unchanged: sum.unchanged + more.unchanged,
  };
}
