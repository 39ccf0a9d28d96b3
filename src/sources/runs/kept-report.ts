/** What is kept of a run: its report, with lists that are cut, and a summary of a few figures. */

import type { EventDifference, RunDifference } from './run-report.ts';

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
