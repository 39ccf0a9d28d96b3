/** The steps of one run of a source, in their order. Each adds to the run, or ends it. */

import { normalizeListings } from '../../facts/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { countNewCandidates } from '../decisions/decisions.ts';
import { placeOfSource } from '../decisions/place-answers.ts';
import { takeLease } from '../lease.ts';
import { planRun } from '../plan/plan-run.ts';
import { writePlan } from '../plan/write-plan.ts';
import { readVenueRecords } from '../records/read-records.ts';
import { digestOfKnown, keepReading } from '../sources/last-reading.ts';
import { putOnHold, rememberSuccess } from '../sources/source-state.ts';
import type { SourceReport } from '../stored-runs/run-report.ts';
import { loadUnfinishedRecords } from '../stored-runs/runs.ts';
import { diffListings } from './diff.ts';
import { isEmptyStart, reasonOfEmptyStart } from './empty-start.ts';
import { existingRecords, fetchSource, findKnownReading, inFence } from './fetch-source.ts';
import { digestOfPlaces, loadKnownDefaults, loadPlaceFacts, namesOf, openKnownPlaces, openQuestions } from './known-places.ts';
import { countsOf, emptyReport, outcomeOf, placedCounts, reportOf, unnamedOf } from './report.ts';
import { resolveVenues } from './resolve-venues.ts';
import { reasonToHold } from './sanity-check.ts';
import {
  type ComparedRun,
  type FetchedRun,
  type GeocodedRun,
  namedStep,
  type ParsedRun,
  type PlannedSourceRun,
  type ResolvedRun,
  type RunStep,
  type SourceRun,
} from './source-run.ts';

/** Rejects as each step does; the directory is free for others afterwards. */
export async function runPipeline(run: SourceRun): Promise<SourceReport> {
  try {
    const end = await namedStep(
      'fetch',
      fetchSource,
    )(run)
      .then(namedStep('skip known response', skipKnownResponse))
      .then(namedStep('parse', parse))
      .then(namedStep('ask geocoder', askGeocoder))
      .then(namedStep('resolve venues', resolve))
      .then(namedStep('diff', diff))
      .then(namedStep('plan', plan))
      .then(namedStep('sanity check', sanityCheck))
      .then(namedStep('write', write));
    return end.ended;
  } finally {
    for (const lease of run.leases) await lease.release();
  }
}

/** If the source returns the same response as last time, and what it is compared with is the same too, the run would find nothing. */
const skipKnownResponse: RunStep<FetchedRun, FetchedRun> = async (run) => {
  const { source, options, now, digest, fetched, isDryRun, runId } = run;
  if (options.onReject || options.onSample) return run;
  const reading = await findKnownReading(run, digest);
  if (!reading) return run;
  if (!isDryRun) await inFence(run, (trx) => rememberSuccess(trx, source, now, fetched));
  const report = emptyReport(source, isDryRun ? null : runId);
  return { ended: { ...report, ...reportOf(source, reading.outcome), remarks: fetched.failures } };
};

const parse: RunStep<FetchedRun, ParsedRun> = async (run) => {
  const { db, source, options, fetched, cityFacts, today } = run;
  // Taken out of what was fetched, so that the raw listings can be forgotten.
  const raw = fetched.listings.splice(0);
  const known = await loadKnownDefaults(db, source.id, { neighborhood: cityFacts.neighborhood, now: today });
  const listed = normalizeListings(raw, { city: cityFacts, sourceName: source.name, now: today, known }, options.onReject);
  options.onSample?.([...listed.events, ...listed.venues].slice(0, SAMPLE_SIZE));
  return { ...run, listed };
};

/** Before the directory is taken, as it takes its time. A dry run asks nothing, and uses what was answered before. */
const askGeocoder: RunStep<ParsedRun, GeocodedRun> = async (run) => {
  const { geocoder } = run.options;
  if (!geocoder || run.isDryRun) return { ...run, geocoding: { open: 0, remarks: [] } };
  const { open, warning } = await geocoder.ask(await openQuestions(run, geocoder), run.city);
  return { ...run, geocoding: { open, remarks: warning === null ? [] : [warning] } };
};

/** From here on nobody else writes the directory. */
const resolve: RunStep<GeocodedRun, ResolvedRun> = async (run) => {
  const { db, source, listed, city, neighborhoods, cityFacts, isDryRun, leases, options } = run;
  const { geocoder = null } = options;
  if (!isDryRun) leases.push(await takeLease(db));
  const existing = await existingRecords(run);
  const venueRecords = await readVenueRecords(db);
  const placeFacts = await loadPlaceFacts(db, venueRecords, source.id, geocoder);
  const earlier = venueRecords.filter(({ sourceId }) => sourceId === source.id).map(({ listing }) => listing);
  const opened = await openKnownPlaces(db, { city, neighborhoods, facts: placeFacts, names: namesOf(listed), geocoder });
  const unnamed = opened.answerOf(placeOfSource(source.name));
  const known = { ...opened, neighborhood: cityFacts.neighborhood, unnamed, earlier };
  const resolved = resolveVenues(listed.events, listed.venues, known, source.id);
  return { ...run, existing, venueRecords, placeFacts, resolved };
};

const diff: RunStep<ResolvedRun, ComparedRun> = async (run) => {
  const { db, source, now, existing, resolved, listed, fetched, isDryRun, runId } = run;
  const found = diffListings(
    { ...resolved, unreadable: listed.unreadable, isComplete: fetched.isComplete },
    { source, now, held: existing },
  );
  const { dropped, rejected, rejectedCount, reasons } = listed;
  const report = {
    ...emptyReport(source, isDryRun ? null : runId),
    ...countsOf(found),
    dropped,
    rejected,
    rejectedCount,
    reasons,
    waiting: Object.fromEntries(resolved.waiting),
    remarks: [...fetched.failures, ...run.geocoding.remarks],
  };
  const unfinished = await loadUnfinishedRecords(db, source.id);
  const compared = { ...run, diff: found, unfinished, report };
  if (found.events.length + found.venues.length + found.missing.length + unfinished.size > 0 || isEmptyStart(compared))
    return compared;
  if (!isDryRun) await succeed(compared);
  return { ended: report };
};

/** Also of a run that is put on hold: whoever releases it sees what it would do. */
const plan: RunStep<ComparedRun, PlannedSourceRun> = async (run) => {
  const { db, now, city, neighborhoods, venueRecords, diff: found, unfinished, report, options } = run;
  options.onProgress?.({ step: 'matching', done: 0, of: 1 });
  const staged = { events: found.events, venues: found.venues, vanished: found.missing };
  const planned = await planRun({ db, now, city, neighborhoods, venueRecords, staged, revisit: unfinished });
  report.difference = planned.difference;
  report.events = placedCounts(found, new Set(planned.plan.waiting.map(({ id }) => id)));
  report.waiting = { ...report.waiting, ...unnamedOf(planned.plan.waiting, run.source) };
  report.questions = await countNewCandidates(db, planned.plan.candidates);
  report.remarks = [...report.remarks, ...planned.remarks];
  return { ...run, planned };
};

const sanityCheck: RunStep<PlannedSourceRun, PlannedSourceRun> = async (run) => {
  const { source, now, report, diff: found, isDryRun } = run;
  const reason = source.isReleased ? null : (reasonToHold(found) ?? (await reasonOfEmptyStart(run)));
  report.held = reason;
  if (reason === null || isDryRun) return run;
  await inFence(run, (trx) => putOnHold(trx, source, now, reason));
  return { ended: report };
};

const write: RunStep<PlannedSourceRun, never> = async (run) => {
  const { db, source, city, now, runId, fence, report, planned, leases, options } = run;
  const [lease] = leases;
  if (lease) {
    await writePlan(planned.plan, {
      db,
      lease,
      runId,
      now,
      timezone: createCityTime(city.timezone).timezone,
      fence: fence === null ? null : { sourceId: source.id, value: fence },
      onProgress: (done, of) => options.onProgress?.({ step: 'writing', done, of }),
    });
    await succeed(run);
  }
  return { ended: report };
};

function succeed(run: ComparedRun): Promise<void> {
  const { source, now, fetched, placeFacts, digest, report, geocoding } = run;
  return inFence(run, async (trx) => {
    const known = await digestOfKnown(trx, source.id, digestOfPlaces(placeFacts));
    // What the geocoder was not asked yet is asked in the next run, also if the source has not changed.
    if (known !== null && geocoding.open === 0)
      await keepReading(trx, source.id, { said: digest, known, outcome: outcomeOf(report), now });
    await rememberSuccess(trx, source, now, fetched);
  });
}

const SAMPLE_SIZE = 5;
