/** One run of a source as a value: each step of the pipeline adds what it found, or ends the run with its report. */

import type { Kysely } from 'kysely';
import type { NormalizedListings, readCityFacts, VenueRecord } from '../../facts/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { createQueryNotes, noteQueriesIn, type QueryNotes, timeOf } from '../../telemetry/index.ts';
import type { DirectoryLease } from '../lease.ts';
import type { PlannedRun } from '../plan/plan-run.ts';
import type { HeldRecord } from '../records/read-records.ts';
import type { Fetched } from '../sources/fetch-listings.ts';
import type { Source } from '../sources/sources.ts';
import type { SourceReport } from '../stored-runs/run-report.ts';
import type { Diff } from './diff.ts';
import type { PlaceFactsOfOthers } from './known-places.ts';
import type { ResolvedVenues } from './resolve-venues.ts';
import type { RunSourceOptions } from './run-source.ts';

export interface SourceRun {
  options: RunSourceOptions;
  db: Kysely<Database>;
  source: Source;
  city: City;
  neighborhoods: readonly Neighborhood[];
  cityFacts: ReturnType<typeof readCityFacts>;
  /** Milliseconds; one moment for the whole run. */
  now: number;
  /** The moment that listings are read by, to the day: an answer means the same all day. */
  today: number;
  runId: string;
  /** Null in a dry run. */
  fence: string | null;
  isDryRun: boolean;
  /** Released when the run ends, whatever happens. */
  leases: DirectoryLease[];
}

export interface FetchedRun extends SourceRun {
  fetched: Fetched;
  /** Of the response, and of all that it is read by. */
  digest: string;
}

export interface ParsedRun extends FetchedRun {
  listed: NormalizedListings;
}

export interface GeocodedRun extends ParsedRun {
  /** How many questions wait for another run, and what the report says of the geocoder. */
  geocoding: { open: number; remarks: string[] };
}

export interface ResolvedRun extends GeocodedRun {
  /** The records of this source before the run, by external id. */
  existing: { events: ReadonlyMap<string, HeldRecord>; venues: ReadonlyMap<string, HeldRecord> };
  venueRecords: readonly VenueRecord[];
  /** What is known of places beside this source. */
  placeFacts: PlaceFactsOfOthers;
  resolved: ResolvedVenues;
}

export interface ComparedRun extends ResolvedRun {
  diff: Diff;
  /** Records of events that an earlier run has written without coming to its end: their matches are looked at again. */
  unfinished: ReadonlySet<string>;
  report: SourceReport;
}

export interface PlannedSourceRun extends ComparedRun {
  planned: PlannedRun;
}

/** The run is over. */
export interface Ended {
  ended: SourceReport;
}

export type RunStep<In, Out> = (run: In) => Out | Ended | Promise<Out | Ended>;

/** When a step of a run began and ended; milliseconds since 1970, with fractions. */
export interface StepTimes {
  name: string;
  startedAt: number;
  endedAt: number;
  queries: QueryNotes;
}

/** A step that passes on a run that is over, and tells how long it took. */
export const namedStep =
  <In extends SourceRun, Out>(name: string, step: RunStep<In, Out>) =>
  async (run: In | Ended): Promise<Out | Ended> => {
    if ('ended' in run) return run;
    const { onStep } = run.options;
    if (!onStep) return step(run);
    const startedAt = timeOf(performance.now());
    const queries = createQueryNotes();
    try {
      return await noteQueriesIn(queries, () => step(run));
    } finally {
      onStep({ name, startedAt, endedAt: timeOf(performance.now()), queries });
    }
  };
