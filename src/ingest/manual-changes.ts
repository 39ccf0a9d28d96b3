/** Changes to the directory that no source has asked for: a run taken back, a decision of a person. They are runs like others. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type City, type Neighborhood, readCity, readNeighborhoods } from '../records/index.ts';
import type { Database } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { takeLease } from './lease.ts';
import { planRun } from './plan/plan-run.ts';
import type { ChangesToMatch } from './plan/series-candidates.ts';
import { writePlan } from './plan/write-plan.ts';
import { readVenueRecords } from './records/read-records.ts';
import type { RunDifference } from './stored-runs/run-report.ts';
import { beginRun, endRun } from './stored-runs/runs.ts';

export interface ManualChangeResult {
  /** Id of the run. */
  run: string;
  difference: RunDifference;
}

interface ManualRun {
  db: Kysely<Database>;
  kind: 'undo' | 'decision';
  /** Null, or left out: it is about no single source. */
  sourceId?: string | null;
  /** Milliseconds. */
  now: number;
  /** How long to wait for a run that is writing. */
  patienceMs?: number | undefined;
}

/**
 * Plans and writes under the lease. `prepare` is called once the lease is held: what it reads stays true until the end, and what it
 * writes, such as decisions, is applied by the plan.
 */
export async function applyManualChanges(
  { db, kind, sourceId = null, now, patienceMs }: ManualRun,
  prepare: (runId: string) => Promise<ChangesToMatch>,
): Promise<ManualChangeResult> {
  const { city, neighborhoods } = await cityOf(db);
  const lease = await takeLease(db, patienceMs);
  const runId = randomUUIDv7();
  try {
    await beginRun(db, { id: runId, sourceId, kind, now });
    const prepared = await prepare(runId);
    const venueRecords = await readVenueRecords(db);
    const { plan, difference } = await planRun({ db, now, city, neighborhoods, venueRecords, ...prepared });
    await writePlan(plan, { db, lease, runId, now, timezone: city.timezone, fence: null });
    await endRun(db, runId, { state: 'done', now, report: { difference }, error: null });
    return { run: runId, difference };
  } catch (error) {
    await endRun(db, runId, { state: 'failed', now, report: null, error: (error as Error).message }).catch(() => undefined);
    throw error;
  } finally {
    await lease.release();
  }
}

async function cityOf(db: Kysely<Database>): Promise<{ city: City; neighborhoods: Neighborhood[] }> {
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet');
  return { city, neighborhoods: await readNeighborhoods(db) };
}
