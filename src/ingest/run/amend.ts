/** Changes to the directory that no source has asked for: a run taken back, a decision of a person. They are runs like others. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type City, type Neighborhood, readCity, readNeighborhoods } from '../../catalog/index.ts';
import type { Database } from '../../store/index.ts';
import { IngestError } from '../ingest-error.ts';
import type { Difference } from './difference.ts';
import { beginRun, endRun, type RunKind } from './history.ts';
import { takeLease } from './lease.ts';
import { planRun, type RunInput } from './plan-run.ts';
import { readVenueRecords } from './read-records.ts';
import { writePlan } from './write-plan.ts';

export interface Amendment {
  run: string;
  difference: Difference;
}

/**
 * Plans and writes under the lease. `prepare` is called once the lease is held: what it reads stays true until the end, and what it
 * writes is obeyed by the plan.
 */
export async function amend(
  db: Kysely<Database>,
  kind: Exclude<RunKind, 'ingest'>,
  sourceId: string | null,
  now: number,
  prepare: (runId: string) => Promise<Pick<RunInput, 'staged' | 'revisit' | 'reachesBack' | 'isUndo'>>,
  patienceMs?: number,
): Promise<Amendment> {
  const { city, neighborhoods } = await cityOf(db);
  const lease = await takeLease(db, patienceMs);
  const runId = randomUUIDv7();
  try {
    await beginRun(db, { id: runId, sourceId, kind, now });
    const prepared = await prepare(runId);
    const { plan, difference } = await planRun({
      ...{ db, now, city, neighborhoods, venueRecords: await readVenueRecords(db) },
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
}

async function cityOf(db: Kysely<Database>): Promise<{ city: City; neighborhoods: Neighborhood[] }> {
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet');
  return { city, neighborhoods: await readNeighborhoods(db) };
}
