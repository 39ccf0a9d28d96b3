/** What a rule of retention is. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';

/** The moments that ages are counted from, in milliseconds since 1970 UTC. */
export interface RetentionMoments {
  /** The directory's clock: events, changes, runs, the audit log. */
  directory: number;
  /** The limits' clock: usage. */
  limits: number;
  /** The machine's clock: sessions, codes, files. */
  machine: number;
}

export interface Batch {
  db: Kysely<Database>;
  moments: RetentionMoments;
  dataDir: string;
  /** How many rows one transaction may delete or look at. */
  rows: number;
}

export interface RetentionRule {
  /** A table, or a folder of the data folder. */
  name: string;
  /** What is kept, and for how long. In docs/retention.md, as the next two. */
  kept: string;
  why: string;
  how: string;
  /** Deletes the next rows. */
  deleteSome(batch: Batch): Promise<DeletionStep>;
  /** The moment of the first row by an index; absent where finding it would read the whole table. `by`: the index, if it is another column. */
  oldest?: { at: string; by?: string };
}

export interface DeletionStep {
  deleted: number;
  /** Nothing more is left for this run. */
  done: boolean;
}

export const daysBefore = (moment: number, days: number): Date => new Date(moment - days * DAY_MS);
/** `YYYY-MM-DD`, UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
export const HOUR_MS = 3_600_000;
