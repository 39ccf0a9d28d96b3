/** What runs have written that did not come to their end: their last transaction, with review candidates and clocks, is missing. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { loadEventRecordsAt } from '../records/load-others.ts';

/** Records of events that the runs of a source have written since its last run that ended, and those at the venues that they have written. */
export async function loadUnfinishedRecords(db: Kysely<Database>, sourceId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct record_id as id from run join run_record on run_record.run_id = run.id
    where run.source_id = ${sourceId} and run.kind = 'ingest' and run.state = 'failed' and not exists (
      select from run as later where later.source_id = run.source_id and later.kind = 'ingest' and later.state = 'done'
        and (later.started_at, later.id) > (run.started_at, run.id))`.execute(db);
  const written = rows.map(({ id }) => id);
  return new Set(written.length === 0 ? [] : [...written, ...(await loadEventRecordsAt(db, written))]);
}
