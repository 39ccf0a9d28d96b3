/** The export that an increment follows. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { Manifest } from '../model.ts';
import { PERIOD_MS } from '../requests/export-request.ts';
import type { ExportJob } from './queue.ts';

export interface EarlierExport {
  id: string;
  attempt: number;
  manifest: Manifest;
}

/** Null when a full export is due, or nothing is there to be compared with: another history, or another query. */
export async function findPrevious(
  db: Kysely<Database>,
  job: ExportJob,
  { query, epoch, now }: { query: string | null; epoch: string; now: number },
): Promise<EarlierExport | null> {
  const last = await loadLast(db, job, now);
  if (!last?.manifest) return null;
  const manifest = JSON.parse(last.manifest) as Manifest;
  const isSame = manifest.epoch === epoch && manifest.query === query;
  return isSame ? { id: last.id, attempt: last.attempts, manifest } : null;
}

async function loadLast(db: Kysely<Database>, { requestId, repeat }: ExportJob, now: number) {
  if (repeat !== 'hourly') return null;
  const full = await db
    .selectFrom('export')
    .select('finished_at')
    .where('request_id', '=', requestId)
    .where('state', '=', 'ready')
    .where('is_full', '=', true)
    .where('finished_at', '>', new Date(now - PERIOD_MS.daily + PERIOD_MS.hourly / 2))
    .executeTakeFirst();
  // Once a day it is full, so that whoever comes later has something to begin with.
  if (!full) return null;
  return db
    .selectFrom('export')
    .select(['id', 'attempts', 'manifest'])
    .where('request_id', '=', requestId)
    .where('state', '=', 'ready')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}
