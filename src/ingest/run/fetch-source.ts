/** The first step: all that the source answers now. */

import type { Transaction } from 'kysely';
import { type Database, transact } from '../../store/index.ts';
import { codeVersion } from '../../values/code-version.ts';
import { DAY_MS } from '../../values/duration.ts';
import { checkFence } from '../lease.ts';
import { readHeld, readVenueRecords } from '../records/read-records.ts';
import { fetchListings } from '../sources/fetch-listings.ts';
import { digestOf, digestOfKnown, digestOfUnderstanding, findReading } from '../sources/last-reading.ts';
import { rememberSuccess } from '../sources/source-state.ts';
import { digestOfPlaces, loadPlaceFacts } from './known-places.ts';
import { unchangedReport } from './report.ts';
import type { Ended, FetchedRun, ResolvedRun, SourceRun } from './source-run.ts';

/** Ends the run if the source says that nothing has changed. */
export async function fetchSource(run: SourceRun): Promise<FetchedRun | Ended> {
  const { source, options, city, neighborhoods, today, now, runId } = run;
  const { outbound, read, keyOf, onProgress, version = codeAtHand() } = options;
  const understood = digestOfUnderstanding({ source, city, neighborhoods, now: today, version });
  const fetched = await fetchListings({
    source,
    facts: {
      name: source.name,
      location: source.location,
      mapping: source.mapping,
      key: null,
      zone: city.timezone,
      locales: [city.locale, ...(city.languages ?? [])],
      window: { from: now - LOOK_BACK_MS, until: now + LOOK_AHEAD_MS },
    },
    outbound,
    read,
    ...(keyOf ? { keyOf } : {}),
    isFresh: run.isDryRun || source.state === 'held' || !(await wouldFindNothing(run, understood)),
    onProgress: ({ done, of }) => onProgress?.({ step: 'fetching', done, of }),
  });
  if (fetched.isUnchanged) {
    await inFence(run, (trx) => rememberSuccess(trx, source, now, fetched));
    return { ended: unchangedReport(source, runId, await existingRecords(run)) };
  }
  return { ...run, fetched, digest: digestOf(fetched, understood) };
}

/** Whether a run would find nothing if the source has not changed: its last answer would be understood and placed as it was. */
async function wouldFindNothing(run: SourceRun, understood: string): Promise<boolean> {
  const { etag, lastModified } = run.source;
  return (etag !== null || lastModified !== null) && (await findKnownReading(run, understood)) !== null;
}

/** How the last run ended, if the source said the same (see `findReading`) and what it was compared with is the same too. */
export async function findKnownReading({ db, source, now, options }: SourceRun, said: string) {
  const reading = await findReading(db, source.id, { said, now });
  if (!reading) return null;
  const facts = await loadPlaceFacts(db, await readVenueRecords(db), source.id, options.geocoder ?? null);
  const known = await digestOfKnown(db, source.id, digestOfPlaces(facts));
  return known === reading.known ? reading : null;
}

/** What the source remembers of a run. Throws an `IngestError` once a later run has begun, which knows better. */
export function inFence<T>({ db, source, fence }: SourceRun, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  return transact(db, async (trx) => {
    if (fence !== null) await checkFence(trx, { sourceId: source.id, value: fence });
    return work(trx);
  });
}

/** The records of the source, with those that it lists no longer. */
export async function existingRecords({ db, source }: SourceRun): Promise<ResolvedRun['existing']> {
  return { events: await readHeld(db, source.id, 'event'), venues: await readHeld(db, source.id, 'venue') };
}

/** Of the rooms that turn a listing into a record. Read once. */
const codeAtHand = (): string => {
  version ??= codeVersion(ROOMS);
  return version;
};
let version: string | undefined;
const ROOMS = ['addresses', 'facts', 'ingest', 'providers', 'records', 'values'];

/** Occurrences are expanded from yesterday to a year and a bit ahead. */
const LOOK_BACK_MS = DAY_MS;
const LOOK_AHEAD_MS = 400 * DAY_MS;
