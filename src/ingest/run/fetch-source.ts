/** The first step: all that the source answers now. */

import { digestOf, fetchListings, readHeld, rememberSuccess } from '../../sources/index.ts';
import { codeVersion } from '../../values/code-version.ts';
import { DAY_MS } from '../../values/duration.ts';
import { unchangedReport } from './report.ts';
import type { Ended, FetchedRun, ParsedRun, SourceRun } from './source-run.ts';

/** Ends the run if the source says that nothing has changed. */
export async function fetchSource(run: SourceRun): Promise<FetchedRun | Ended> {
  const { db, source, options, city, neighborhoods, today, now, runId } = run;
  const { outbound, read, keyOf, onProgress, version = codeAtHand() } = options;
  const fetched = await fetchListings({
    source,
    facts: {
      name: source.name,
      location: source.location,
      mapping: source.mapping,
      key: null,
      zone: city.timezone,
      window: { from: now - LOOK_BACK_MS, until: now + LOOK_AHEAD_MS },
    },
    outbound,
    read,
    ...(keyOf ? { keyOf } : {}),
    isFresh: run.isDryRun || source.state === 'held',
    onProgress: ({ done, of }) => onProgress?.({ step: 'fetching', done, of }),
  });
  if (fetched.isUnchanged) {
    await rememberSuccess(db, source, now, fetched);
    return { ended: unchangedReport(source, runId, await existingRecords(run)) };
  }
  const { isComplete } = fetched;
  const digest = digestOf(fetched.listings, { source, city, neighborhoods, now: today, version, isComplete });
  return { ...run, fetched, digest };
}

/** The records of the source, with those that it lists no longer. */
export async function existingRecords({ db, source }: SourceRun): Promise<ParsedRun['existing']> {
  return { events: await readHeld(db, source.id, 'event'), venues: await readHeld(db, source.id, 'venue') };
}

/** Of the rooms that turn a listing into a record. Read once. */
const codeAtHand = (): string => {
  version ??= codeVersion(ROOMS);
  return version;
};
let version: string | undefined;
const ROOMS = ['catalog', 'city', 'curation', 'identity', 'ingest', 'merge', 'normalize', 'providers', 'sources'];

/** Occurrences are expanded from yesterday to a year and a bit ahead. */
const LOOK_BACK_MS = DAY_MS;
const LOOK_AHEAD_MS = 400 * DAY_MS;
