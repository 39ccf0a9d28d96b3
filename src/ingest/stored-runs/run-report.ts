/** What a run of a source reports. */

import type { Reject } from '../../facts/index.ts';
import type { StartPrecision } from '../../records/index.ts';

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
  /** Pairs that a person is asked about since this run. */
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

/** Figures of one run, whole even where the lists of its report are cut. */
export interface RunSummary extends Record<keyof EventDifference, number> {
  /** Listings of events that the source gave; null where the run asked no source. */
  listings: number | null;
  rejected: number;
  /** Listings whose place nobody knows yet. */
  waiting: number;
}

/** The parts of a report that are counted and cut; undoing and deciding report the difference alone. */
export interface Reported {
  difference: RunDifference;
  listings?: number | null;
  rejected?: readonly object[];
  rejectedCount?: number;
  waiting?: Readonly<Record<string, number>>;
}

export function summaryOf({ difference, listings = null, rejectedCount = 0, waiting = {} }: Reported): RunSummary {
  const { created, changed, merged, cancelled, vanished } = difference;
  return {
    created: created.length,
    changed: changed.length,
    merged: merged.length,
    cancelled: cancelled.length,
    vanished: vanished.length,
    listings,
    rejected: rejectedCount,
    waiting: Object.values(waiting).reduce((sum, count) => sum + count, 0),
  };
}

/** Lists in full could be longer than the directory. */
export function shortened(report: Reported): object {
  const { difference, rejected } = report;
  const cut = <T>(list: readonly T[]): T[] => list.slice(0, MAX_KEPT_LINES);
  return {
    ...report,
    ...(rejected && { rejected: cut(rejected) }),
    difference: {
      created: cut(difference.created),
      changed: cut(difference.changed),
      merged: cut(difference.merged),
      cancelled: cut(difference.cancelled),
      vanished: cut(difference.vanished),
      venues: {
        created: cut(difference.venues.created),
        changed: cut(difference.venues.changed),
        merged: cut(difference.venues.merged),
      },
    },
  };
}

/** Of each list of a report. */
const MAX_KEPT_LINES = 500;
