/** `runSource`: what a source says now into the directory. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { readCity, readNeighborhoods } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { placeFacts, type VenueRecord } from '../../merge/index.ts';
import { type Reject, readCityFacts, readListings } from '../../normalize/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import { ProviderError, type SourceFacts } from '../../providers/index.ts';
import {
  beginRun,
  type Counts,
  digestOf,
  digestOfKnown,
  endRun,
  FetchError,
  type Fetched,
  fetchListings,
  findReading,
  findSource,
  IngestError,
  keepReading,
  type Outcome,
  type ReadAnswer,
  readHeld,
  readVenueRecords,
  type Source,
  type SourceReport,
} from '../../sources/index.ts';
import type { Database } from '../../store/index.ts';
import { codeVersion } from '../../values/index.ts';
import { planRun } from '../plan/plan-run.ts';
import { takeLease } from '../write/lease.ts';
import { writePlan } from '../write/write-plan.ts';
import { type Staged, stage } from './diff.ts';
import { settlePlaces } from './resolve-venues.ts';
import { reasonToHold } from './sanity-check.ts';

export interface RunOptions {
  store: { db: Kysely<Database> };
  name: string;
  outbound: Pick<Outbound, 'fetch'>;
  read: ReadAnswer;
  /** The key of a provider's API, by the name of its setting; never written anywhere. */
  keyOf?: (setting: string) => string | null;
  now?: () => number;
  newId?: () => string;
  /** Nothing is written; the report says what would be. */
  dryRun?: boolean;
  onProgress?: (progress: { step: 'fetching' | 'matching' | 'writing'; done: number; of: number }) => void;
  onReject?: (reject: Reject) => void;
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
export async function runSource(options: RunOptions): Promise<SourceReport> {
  const { store, name, now: clock = Date.now, newId = randomUUIDv7, dryRun = false } = options;
  const { db } = store;
  const source = await findSource(store, name);
  if (!source) throw new IngestError('source_unknown', `there is no source named ${JSON.stringify(name)}`);
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
    const message = (error as Error).message.slice(0, MOST_ERROR_CHARS);
    await endRun(db, runId, { state: 'failed', now: clock(), report: null, error: message }).catch(() => undefined);
    if (error instanceof IngestError && error.code === 'run_superseded') throw error;
    const isExpected = isUnreadable(error) || error instanceof IngestError;
    const retryAfter = error instanceof FetchError ? error.retryAfterMs : null;
    await rememberFailure(db, source, clock(), isExpected ? message : 'an unexpected error, see the log', retryAfter);
    throw isUnreadable(error) ? unreadable(source, error) : error;
  }
}

function isUnreadable(error: unknown): error is FetchError | ProviderError {
  return error instanceof FetchError || error instanceof ProviderError;
}

function unreadable({ name }: Source, error: FetchError | ProviderError): IngestError {
  return new IngestError('source_unreadable', `${name}: ${error.message.slice(0, MOST_ERROR_CHARS)}`, { cause: error });
}

interface Attempt {
  now: number;
  runId: string;
  fence: string | null;
}

async function attempt(source: Source, options: RunOptions, { now, runId, fence }: Attempt): Promise<SourceReport> {
  const { store, dryRun = false, outbound, read, keyOf, onProgress, onReject, version = codeAtHand() } = options;
  const { db } = store;
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet: import a bundle with a city.json first');
  const facts: SourceFacts = {
    name: source.name,
    location: source.location,
    mapping: source.mapping,
    key: null,
    zone: city.timezone,
    window: { from: now - LOOK_BACK_MS, until: now + LOOK_AHEAD_MS },
  };
  const fetched = await fetchListings({
    source,
    facts,
    outbound,
    read,
    ...(keyOf ? { keyOf } : {}),
    isFresh: dryRun || source.state === 'held',
    onProgress: ({ done, of }) => onProgress?.({ step: 'fetching', done, of }),
  });
  if (fetched.isUnchanged) {
    await rememberSuccess(db, source, now, fetched);
    const counts = unchangedCounts(await readAllHeld(db, source.id));
    return { ...emptyReport(source, runId), listings: counts.events.unchanged, ...counts };
  }
  const neighborhoods = await readNeighborhoods(db);
  const cityFacts = readCityFacts(city, neighborhoods);
  // The limits of time are years away: to the day they need not be nearer, and an answer means the same all day.
  const today = now - (now % DAY_MS);
  const digest = digestOf(fetched.listings, {
    ...{ source, city, neighborhoods, now: today, version },
    isComplete: fetched.isComplete,
  });
  if (!onReject && !options.onSample) {
    const outcome = await knownOutcome(db, source.id, digest, now);
    if (outcome) {
      if (!dryRun) await rememberSuccess(db, source, now, fetched);
      return { ...emptyReport(source, dryRun ? null : runId), ...reportOf(outcome), remarks: fetched.failures };
    }
  }
  const held = await readAllHeld(db, source.id);
  // Taken out of what was fetched, so that the raw listings can be forgotten.
  const said = readListings(fetched.listings.splice(0), { city: cityFacts, sourceName: source.name, now: today }, onReject);
  options.onSample?.([...said.events, ...said.venues].slice(0, SAMPLE_SIZE));
  const lease = dryRun ? null : await takeLease(db);
  try {
    const venueRecords = await readVenueRecords(db);
    const places = othersPlaces(venueRecords, source.id);
    const settled = settlePlaces(said.events, said.venues, { places, neighborhood: cityFacts.neighborhood }, source.id);
    const staged = stage({ ...settled, unreadable: said.unreadable, isComplete: fetched.isComplete }, { source, now, held });
    const reason = source.isReleased ? null : reasonToHold(staged);
    const report = {
      ...emptyReport(source, dryRun ? null : runId),
      held: reason,
      ...countsOf(staged),
      dropped: said.dropped,
      waiting: Object.fromEntries(settled.waiting),
      rejected: said.rejected,
      rejectedCount: said.rejectedCount,
      reasons: said.reasons,
      remarks: fetched.failures,
    };
    const succeed = async () => {
      const known = await digestOfKnown(db, source.id, places);
      if (known !== null) await keepReading(db, source.id, { said: digest, known, outcome: outcomeOf(report), now });
      await rememberSuccess(db, source, now, fetched);
    };
    if (staged.events.length + staged.venues.length + staged.vanished.length === 0) {
      if (!dryRun) await succeed();
      return report;
    }
    onProgress?.({ step: 'matching', done: 0, of: 1 });
    const planned = await planRun({ db, now, city, neighborhoods, venueRecords, staged });
    // Of a held run too: whoever is to let it pass sees what it would do.
    report.difference = planned.difference;
    report.events = placedCounts(staged, new Set(planned.plan.waiting.map(({ id }) => id)));
    report.questions = planned.plan.questions.length;
    report.remarks = [...report.remarks, ...planned.remarks];
    if (reason !== null && !dryRun) {
      await hold(db, source, now, reason);
      return report;
    }
    if (lease) {
      const context = { db, lease, runId, now, timezone: createCityTime(city.timezone).timezone };
      await writePlan(planned.plan, {
        ...context,
        fence: fence === null ? null : { sourceId: source.id, value: fence },
        onProgress: (done, of) => onProgress?.({ step: 'writing', done, of }),
      });
      await succeed();
    }
    return report;
  } finally {
    await lease?.release();
  }
}

/**
 * Exact places of the directory that this source has not brought itself: what it knows of its own places stands in the answer at hand, or
 * a place that was guessed in one run would be taken for known in the next.
 */
function othersPlaces(records: readonly VenueRecord[], sourceId: string) {
  return records.filter((record) => record.sourceId !== sourceId && !record.listing.isApproximate).map(placeFacts);
}

function countsOf(staged: Staged): Pick<SourceReport, 'venues' | 'events' | 'listings' | 'vanished'> {
  const { events, venues, createdVenues, unchanged, unchangedVenues, vanished } = staged;
  return {
    listings: events.length + unchanged,
    events: placedCounts(staged, new Set()),
    venues: { created: createdVenues, updated: venues.length - createdVenues, unchanged: unchangedVenues },
    vanished: vanished.length,
  };
}

/** `waiting`: ids of records whose place is known by no listing of any source. */
function placedCounts({ events, unchanged }: Staged, waiting: ReadonlySet<string>): Counts {
  const placed = events.filter(({ id }) => !waiting.has(id));
  const created = placed.filter(({ targetId }) => targetId === null).length;
  return { created, updated: placed.length - created, unchanged };
}

/** How a run ends that finds everything as the last one left it; null when it may find something. */
async function knownOutcome(db: Kysely<Database>, sourceId: string, said: string, now: number): Promise<Outcome | null> {
  const reading = await findReading(db, sourceId, { said, now });
  if (!reading) return null;
  const known = await digestOfKnown(db, sourceId, othersPlaces(await readVenueRecords(db), sourceId));
  return known === reading.known ? reading.outcome : null;
}

function outcomeOf({ listings, venues, dropped, waiting, rejected, rejectedCount, reasons }: SourceReport): Outcome {
  const sum = ({ created, updated, unchanged }: Counts) => created + updated + unchanged;
  return { events: listings, venues: sum(venues), ...{ dropped, waiting, rejected, rejectedCount, reasons } };
}

function reportOf({ events, venues, ...rest }: Outcome): Partial<SourceReport> {
  const unchanged = (count: number): Counts => ({ created: 0, updated: 0, unchanged: count });
  return { ...rest, listings: events, events: unchanged(events), venues: unchanged(venues) };
}

async function readAllHeld(db: Kysely<Database>, sourceId: string) {
  return { events: await readHeld(db, sourceId, 'event'), venues: await readHeld(db, sourceId, 'venue') };
}

function unchangedCounts(held: {
  events: ReadonlyMap<string, { isGone: boolean }>;
  venues: ReadonlyMap<string, { isGone: boolean }>;
}) {
  const present = (records: ReadonlyMap<string, { isGone: boolean }>) => ({
    created: 0,
    updated: 0,
    unchanged: [...records.values()].filter(({ isGone }) => !isGone).length,
  });
  return { events: present(held.events), venues: present(held.venues) };
}

function emptyReport(source: Source, run: string | null): SourceReport {
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
    difference: { created: [], changed: [], merged: [], cancelled: [], vanished: [] },
  };
}

/** From now on earlier runs of this source write nothing more. */
async function raiseFence(db: Kysely<Database>, sourceId: string): Promise<string> {
  const { rows } = await sql<{ fence: string }>`
    update source set fence = fence + 1 where id = ${sourceId} returning fence`.execute(db);
  return rows[0]?.fence ?? '0';
}

async function rememberSuccess(
  db: Kysely<Database>,
  source: Source,
  now: number,
  { etag, lastModified, isComplete }: Fetched,
): Promise<void> {
  const at = new Date(now);
  await db
    .updateTable('source')
    .set({
      last_run_at: at,
      last_error: null,
      failures: 0,
      retry_at: null,
      release: false,
      etag,
      last_modified: lastModified,
      ...(isComplete ? { last_ok_at: at } : {}),
      ...(source.state === 'held' ? { state: 'active' } : {}),
    })
    .where('id', '=', source.id)
    .execute();
}

/** A source that fails again and again is asked less and less often, at most once a day. */
async function rememberFailure(
  db: Kysely<Database>,
  source: Source,
  now: number,
  message: string,
  retryAfterMs: number | null,
): Promise<void> {
  const wait = Math.max(retryAfterMs ?? 0, Math.min(FIRST_RETRY_MS * 2 ** source.failures, LONGEST_RETRY_MS));
  await db
    .updateTable('source')
    .set({ last_run_at: new Date(now), last_error: message, failures: source.failures + 1, retry_at: new Date(now + wait) })
    .where('id', '=', source.id)
    .execute();
}

/** One that was run in a pause stays paused; it is held when it is resumed. */
async function hold(db: Kysely<Database>, source: Source, now: number, reason: string): Promise<void> {
  await db
    .updateTable('source')
    .set({
      state: sql<string>`case when state = 'paused' then state else 'held' end`,
      ...{ last_run_at: new Date(now), last_error: reason },
    })
    .where('id', '=', source.id)
    .execute();
}

const DAY_MS = 86_400_000;
/** Occurrences are expanded from yesterday to a year and a bit ahead. */
const LOOK_BACK_MS = DAY_MS;
const LOOK_AHEAD_MS = 400 * DAY_MS;
const FIRST_RETRY_MS = 60_000;
const LONGEST_RETRY_MS = DAY_MS;
const SAMPLE_SIZE = 5;
const MOST_ERROR_CHARS = 500;

let version: string | undefined;
/** Of the rooms that turn a listing into a record. Read once. */
function codeAtHand(): string {
  version ??= codeVersion(['catalog', 'city', 'curation', 'identity', 'ingest', 'merge', 'normalize', 'providers', 'sources']);
  return version;
}
