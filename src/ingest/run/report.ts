/** The report of a run, from what its steps found. */

import type { EventRecord } from '../../facts/index.ts';
import { placeOfSource } from '../decisions/place-answers.ts';
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
  const unplaced = [...existing.events.values()].filter(({ isGone, targetId }) => !isGone && targetId === null).length;
  const waiting = unplaced === 0 ? {} : { [placeOfSource(source.name)]: unplaced };
  return { ...emptyReport(source, run), listings: counts.events.unchanged + unplaced, ...counts, waiting };
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

/** How many of these records are listings of the source that name no place. */
export function unnamedOf(waiting: readonly EventRecord[], { id, name }: Source): Record<string, number> {
  const own = waiting.filter(({ sourceId, facts }) => sourceId === id && facts.place.name === '');
  return own.length === 0 ? {} : { [placeOfSource(name)]: own.length };
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

export function reportOf({ name }: Source, { events, venues, ...rest }: UnchangedOutcome): Partial<SourceReport> {
  const placed = events - (rest.waiting[placeOfSource(name)] ?? 0);
  const unchanged = (count: number): Counts => ({ created: 0, updated: 0, unchanged: count });
  return { ...rest, listings: events, events: unchanged(placed), venues: unchanged(venues) };
}

function present(records: ReadonlyMap<string, HeldRecord>): Counts {
  const unchanged = [...records.values()].filter(({ isGone, targetId }) => !isGone && targetId !== null).length;
  return { created: 0, updated: 0, unchanged };
}
