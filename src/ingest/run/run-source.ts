/** `runSource`: what a source lists now into the directory. The steps are in `pipeline.ts`. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Geocoder } from '../../addresses/index.ts';
import { type Reject, readCityFacts } from '../../facts/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import { ProviderError, type Reader } from '../../providers/index.ts';
import { readCity, readNeighborhoods } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { IngestError } from '../ingest-error.ts';
import { FetchError, type ReadAnswer } from '../sources/fetch-listings.ts';
import { raiseFence, rememberFailure } from '../sources/source-state.ts';
import { findSource, type Source } from '../sources/sources.ts';
import type { SourceReport } from '../stored-runs/run-report.ts';
import { beginRun, endRun } from '../stored-runs/runs.ts';
import { runPipeline } from './pipeline.ts';
import type { StepTimes } from './source-run.ts';

export interface RunSourceOptions {
  store: { db: Kysely<Database> };
  name: string;
  outbound: Pick<Outbound, 'fetch'>;
  read: ReadAnswer;
  /** What a page names, for a source that begins without an event. */
  readPage?: Reader['readPage'];
  /** The key of a provider's API, by the name of its setting; never written anywhere. */
  keyOf?: (setting: string) => string | null;
  /** Null: none is asked. */
  geocoder?: Geocoder | null;
  now?: () => number;
  newId?: () => string;
  /** Nothing is written; the report says what would be. */
  dryRun?: boolean;
  onProgress?: (progress: { step: 'fetching' | 'matching' | 'writing'; done: number; of: number }) => void;
  onReject?: (reject: Reject) => void;
  /** When each step began and ended, and its queries, as soon as it has. */
  onStep?: (step: StepTimes) => void;
  /** The first listings as they were understood. */
  onSample?: (listings: readonly object[]) => void;
  /** Of the code: under another one every listing is looked at again. */
  version?: string;
}

/**
 * Runs a source once. The same answer twice changes nothing; a run that is stopped at any moment leaves whole batches behind, and the
 * next one comes to the same end. Rejects with an `IngestError` when there is no such source, it cannot be read, the directory has no
 * city, or a later run has taken over; the source remembers why its last run failed.
 */
export async function runSource(options: RunSourceOptions): Promise<SourceReport> {
  const { store, name, now: clock = Date.now, newId = randomUUIDv7, dryRun = false } = options;
  const { db } = store;
  const source = await findSource(store, name);
  if (!source) throw new IngestError('source_unknown', `no source is named ${JSON.stringify(name)}`);
  const now = clock();
  if (dryRun) {
    return attempt(source, options, { now, runId: newId(), fence: null }).catch((error: unknown) => {
      throw isUnreadable(error) ? unreadable(source, error) : error;
    });
  }
  const runId = newId();
  const fence = await raiseFence(db, source.id);
  await beginRun(db, { id: runId, sourceId: source.id, kind: 'ingest', now });
  try {
    const report = await attempt(source, options, { now, runId, fence });
    const end = { now: clock(), report, error: report.held };
    await endRun(db, runId, { state: report.held === null ? 'done' : 'held', ...end });
    return report;
  } catch (error) {
    const message = (error as Error).message.slice(0, MAX_ERROR_CHARS);
    await endRun(db, runId, { state: 'failed', now: clock(), report: null, error: message }).catch(() => undefined);
    if (error instanceof IngestError && error.code === 'run_superseded') throw error;
    const isExpected = isUnreadable(error) || error instanceof IngestError;
    const retryAfter = error instanceof FetchError ? error.retryAfterMs : null;
    await rememberFailure(db, source, clock(), isExpected ? message : 'unexpected error; see the log', retryAfter);
    throw isUnreadable(error) ? unreadable(source, error) : error;
  }
}

function isUnreadable(error: unknown): error is FetchError | ProviderError {
  return error instanceof FetchError || error instanceof ProviderError;
}

function unreadable({ name }: Source, error: FetchError | ProviderError): IngestError {
  return new IngestError('source_unreadable', `${name}: ${error.message.slice(0, MAX_ERROR_CHARS)}`, { cause: error });
}

interface Attempt {
  now: number;
  runId: string;
  fence: string | null;
}

async function attempt(source: Source, options: RunSourceOptions, { now, runId, fence }: Attempt): Promise<SourceReport> {
  const { db } = options.store;
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet; import a bundle with a city.json first');
  const neighborhoods = await readNeighborhoods(db);
  return runPipeline({
    options,
    db,
    source,
    city,
    neighborhoods,
    now,
    runId,
    fence,
    cityFacts: readCityFacts(city, neighborhoods),
    // The limits of time are years away: to the day they need not be nearer.
    today: now - (now % DAY_MS),
    isDryRun: options.dryRun ?? false,
    leases: [],
  });
}

const MAX_ERROR_CHARS = 500;
