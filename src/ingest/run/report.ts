/** The report of a run, from what its steps found. */

import { noDifference } from '../plan/difference.ts';
import type { HeldRecord } from '../records/read-records.ts';
import type { UnchangedOutcome } from '../sources/last-reading.ts';
import type { Source } from '../sources/sources.ts';
import type { Counts, SourceReport } from '../stored-runs/run-report.ts';
import type { Diff } from './diff.ts';
import type { ResolvedRun } from './source-run.ts';

export function emptyReport(source: Source, run: string | null): SourceReport {
  const nothing = { created: 0, updated: 0, unchanged: 0 };
  return {
    source: source.name,
    run,
    held: null,
    venues: nothing,
    listings: 0,
    events: nothing,
    vanished: 0,
    dropped: 0,
    waiting: {},
    questions: 0,
    rejected: [],
    rejectedCount: 0,
    reasons: {},
    remarks: [],
    difference: noDifference(),
  };
}

/** Of a source that answered "not modified". */
export function unchangedReport(source: Source, run: string, existing: ResolvedRun['existing']): SourceReport {
  const counts = { events: present(existing.events), venues: present(existing.venues) };
  return { ...emptyReport(source, run), listings: counts.events.unchanged, ...counts };
}

export function countsOf(diff: Diff): Pick<SourceReport, 'venues' | 'events' | 'listings' | 'vanished'> {
  const { events, venues, createdVenues, unchanged, unchangedVenues, missing } = diff;
  return {
    listings: events.length + unchanged,
    events: placedCounts(diff, new Set()),
    venues: { created: createdVenues, updated: venues.length - createdVenues, unchanged: unchangedVenues },
    vanished: missing.length,
  };
}

/** `waiting`: ids of records whose place is known by no listing of any source. */
export function placedCounts({ events, unchanged }: Diff, waiting: ReadonlySet<string>): Counts {
  const placed = events.filter(({ id }) => !waiting.has(id));
  const created = placed.filter(({ targetId }) => targetId === null).length;
  return { created, updated: placed.length - created, unchanged };
}

/** What is kept of a report for the next time that the source answers the same. */
export function outcomeOf({
  listings,
  venues,
  dropped,
  waiting,
  rejected,
  rejectedCount,
  reasons,
}: SourceReport): UnchangedOutcome {
  const sum = ({ created, updated, unchanged }: Counts) => created + updated + unchanged;
  return { events: listings, venues: sum(venues), dropped, waiting, rejected, rejectedCount, reasons };
}

export function reportOf({ events, venues, ...rest }: UnchangedOutcome): Partial<SourceReport> {
  const unchanged = (count: number): Counts => ({ created: 0, updated: 0, unchanged: count });
  return { ...rest, listings: events, events: unchanged(events), venues: unchanged(venues) };
}

function present(records: ReadonlyMap<string, HeldRecord>): Counts {
  const unchanged = [...records.values()].filter(({ isGone }) => !isGone).length;
  return { created: 0, updated: 0, unchanged };
}
