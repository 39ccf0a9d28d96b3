/** Listings of events that are over for long, and runs that can be undone no longer. The events themselves stay: their ids answer for ever. */

import { sql } from 'kysely';
import { NO_LIST, stepOf } from './delete-old.ts';
import { type Batch, type DeletionStep, dayOf, daysBefore } from './model.ts';

/**
 * A listing of a source whose event has been over for so long that a run rejects it (`too_long_ago`): no source brings it back under
 * another id. Listings that an operator has decided about stay, and so do those of bundles, which have no night.
 */
export async function deleteRecords({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const cutoff = daysBefore(moments.directory, days);
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select record.id from record left join event on event.id = record.event_id
      where night < ${dayOf(cutoff)}::date and record.kind = 'event' and record.starts_at < ${cutoff}
        and coalesce((record.facts ->> 'endsAt')::numeric, 0) < ${cutoff.getTime()}
        and coalesce(greatest(event.starts_at, event.ends_at) < ${cutoff}, true)
        and not exists (select from decision where left_id = record.id or right_id = record.id)
      order by night limit ${rows} for update of record skip locked)
    delete from record where id in (select id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** What records said before a run changed them. */
export async function deleteRunRecords({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select run_id, record_id from run join run_record on run_record.run_id = run.id
      where ${isOldRun(daysBefore(moments.directory, days))} limit ${rows})
    delete from run_record where (run_id, record_id) in (select run_id, record_id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** After what belongs to them, so that no deletion of a run deletes more than itself. */
export async function deleteRuns({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select id from run where ${isOldRun(daysBefore(moments.directory, days))}
        and not exists (select from run_record where run_id = run.id)
      order by started_at limit ${rows} for update skip locked)
    delete from run where id in (select id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** The last run of each source stays. */
const isOldRun = (
  cutoff: Date,
) => sql`run.started_at < ${cutoff} and run.state <> 'running' and (run.source_id is null or exists (
  select from run as later where later.source_id = run.source_id and later.started_at > run.started_at))`;
