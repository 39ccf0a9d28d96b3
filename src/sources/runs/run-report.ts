/** What a run of a source reports. */

import type { StartPrecision } from '../../catalog/index.ts';
import type { Reject } from '../../normalize/index.ts';

export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
}

/** What a run does to the directory, record by record. */
export interface RunDifference extends EventDifference {
  venues: VenueDifference;
}

export interface EventDifference {
  created: DatedLine[];
  changed: ChangedLine[];
  merged: { id: string; title: string; into: string }[];
  cancelled: DatedLine[];
  /** Said by no source any longer. */
  vanished: DatedLine[];
}

interface DatedLine {
  id: string;
  title: string;
  start: string;
  /** Absent in reports of older versions. */
  precision?: StartPrecision;
}

interface ChangedLine {
  id: string;
  title: string;
  /** Afterwards; what it was is one of the `fields`, if it changed. */
  precision?: StartPrecision;
  fields: FieldChanges;
}

export interface VenueDifference {
  created: { id: string; title: string }[];
  changed: { id: string; title: string; fields: FieldChanges }[];
  merged: { id: string; title: string; into: string }[];
}

export type FieldChanges = Record<string, [before: unknown, after: unknown]>;

export interface SourceReport {
  source: string;
  /** Null in a dry run. */
  run: string | null;
  /** Why the run was held and nothing was written; null when it was not. */
  held: string | null;
  venues: Counts;
  /** Listings of events that the source gave. */
  listings: number;
  /** Of these: the ones that came into an event for the first time, say something else, or the same as before. What waits is none of them. */
  events: Counts;
  /** Listings that the source gives no longer, though still to come. */
  vanished: number;
  /** Listings that the mapping leaves out on purpose. */
  dropped: number;
  /** Listings whose place nobody knows yet, by name of the place. */
  waiting: Record<string, number>;
  /** Pairs that a person is asked about. */
  questions: number;
  /** `file` is the source's name, `line` the number of the record. At most `MAX_KEPT_REJECTS`. */
  rejected: Reject[];
  rejectedCount: number;
  /** How many were rejected for what reason. */
  reasons: Record<string, number>;
  /** Sentences about what was odd: parts of the source that could not be read, clocks that are off. */
  remarks: string[];
  difference: RunDifference;
}
