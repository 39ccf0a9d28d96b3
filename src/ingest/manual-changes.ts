/** Changes to the directory that no source has asked for: a run taken back, a decision of a person. They are runs like others. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type City, type Neighborhood, readCity, readNeighborhoods } from '../catalog/index.ts';
import type { ApplyManualChanges, ManualChangeResult, ManualWork } from '../curation/index.ts';
import * as curation from '../curation/index.ts';
import { beginRun, endRun, IngestError, readVenueRecords } from '../sources/index.ts';
import type { Database } from '../store/index.ts';
import { planRun } from './plan/plan-run.ts';
import { takeLease } from './write/lease.ts';
import { writePlan } from './write/write-plan.ts';

/**
 * Plans and writes under the lease. `prepare` is called once the lease is held: what it reads stays true until the end, and what it
 * writes is applied by the plan.
 */
export const applyManualChanges: ApplyManualChanges = async (db, kind, sourceId, now, prepare, patienceMs) => {
  const { city, neighborhoods } = await cityOf(db);
  const lease = await takeLease(db, patienceMs);
  const runId = randomUUIDv7();
  try {
    await beginRun(db, { id: runId, sourceId, kind, now });
    const prepared = await prepare(runId);
    const { plan, difference } = await planRun({
      db,
      now,
      city,
      neighborhoods,
      venueRecords: await readVenueRecords(db),
      ...prepared,
    });
    await writePlan(plan, { db, lease, runId, now, timezone: city.timezone, fence: null });
    await endRun(db, runId, { state: 'done', now, report: { difference }, error: null });
    return { run: runId, difference };
  } catch (error) {
    await endRun(db, runId, { state: 'failed', now, report: null, error: (error as Error).message }).catch(() => undefined);
    throw error;
  } finally {
    await lease.release();
  }
};

async function cityOf(db: Kysely<Database>): Promise<{ city: City; neighborhoods: Neighborhood[] }> {
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet');
  return { city, neighborhoods: await readNeighborhoods(db) };
}

const withPipeline =
  <Options extends { applyManualChanges: ApplyManualChanges }, Result>(act: (options: Options) => Result) =>
  (options: Omit<Options, 'applyManualChanges'>): Result =>
    act({ ...options, applyManualChanges } as Options);

/** What people decide in `curation`, carried out by the pipeline. */
export const applyDecisions = withPipeline(curation.applyDecisions);

type Patience = Pick<curation.ApplyOptions, 'patienceMs'>;
/** Stores a decision and applies it. Null: it is stored, and the service applies it after the run that is writing. */
export async function decide(options: curation.DecideOptions & Patience): Promise<ManualChangeResult | null> {
  await curation.storeDecision(options);
  return applyUnlessBusy(options);
}

/** As `decide`, for a decision that is taken back. */
export async function undecide(options: curation.UndecideOptions & Patience): Promise<ManualChangeResult | null> {
  await curation.revokeDecision(options);
  return applyUnlessBusy(options);
}

/** As `applyDecisions`; null as well if a run is writing. */
export async function applyUnlessBusy(options: Parameters<typeof applyDecisions>[0]): Promise<ManualChangeResult | null> {
  try {
    return await applyDecisions(options);
  } catch (error) {
    if (error instanceof IngestError && error.code === 'directory_busy') return null;
    throw error;
  }
}

export const mergeManually = withPipeline(curation.mergeManually);
export const splitManually = withPipeline(curation.splitManually);
export const undoManually = withPipeline(curation.undoManually);
export const doManualWork = (
  work: ManualWork,
  common: Omit<Parameters<typeof curation.doManualWork>[1], 'applyManualChanges'>,
): ReturnType<typeof curation.doManualWork> => curation.doManualWork(work, { ...common, applyManualChanges });
