/** The records of a run, written so that the run can be undone: what each said before is kept with the run. */

import { sql, type Transaction } from 'kysely';
import type { EventRecord, VenueRecord } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';

export interface RunRecord {
  record: EventRecord | VenueRecord;
  targetId: string | null;
}

/** Which run writes, and when (milliseconds). */
export interface RunMoment {
  runId: string;
  now: number;
}

/** Those that this run brought are written whole, with what they said before kept for an undo; the others only change their target. */
export async function writeRunRecords(
  trx: Transaction<Database>,
  kind: 'event' | 'venue',
  rows: readonly RunRecord[],
  { runId, now }: RunMoment,
): Promise<void> {
  const target = sql.ref(`${kind}_id`);
  const isBrought = ({ record }: RunRecord) => ('isChanged' in record ? record.isChanged : record.listing !== null);
  const brought = rows.filter(isBrought);
  const moved = rows.filter((row) => !isBrought(row) && row.record.targetId !== row.targetId);
  if (moved.length > 0) {
    const ids = moved.map(({ record }) => record.id);
    const targets = moved.map(({ targetId }) => targetId);
    await sql`
      update record set ${target} = r.target_id, own_id = coalesce(record.own_id, r.own_id)
      from unnest(${ids}::uuid[], ${targets}::uuid[], ${moved.map(({ record }) => record.ownId)}::uuid[]) as r (id, target_id, own_id)
      where record.id = r.id`.execute(trx);
  }
  if (brought.length === 0) return;
  await keepBefore(
    trx,
    runId,
    brought.map(({ record }) => record.id),
  );
  const values = brought.map(({ record, targetId }) => ({
    id: record.id,
    source_id: record.sourceId,
    external_id: record.externalId,
    target_id: targetId,
    own_id: record.ownId,
    content_hash: record.contentHash,
    listing: record.listing,
    facts: 'facts' in record ? record.facts : null,
    night: 'night' in record ? record.night : null,
    starts_at: 'startsAt' in record ? new Date(record.startsAt).toISOString() : null,
    first_seen_at: new Date(record.firstSeenAt).toISOString(),
  }));
  await sql`
    insert into record (id, source_id, kind, external_id, ${target}, own_id, content_hash, listing, facts, night, starts_at,
      first_seen_at, last_seen_at)
    select id, source_id, ${kind}, external_id, target_id, own_id, content_hash, listing, facts, night, starts_at, first_seen_at,
      ${new Date(now).toISOString()}
    from json_to_recordset(${JSON.stringify(values)}::json) as r (id uuid, source_id uuid, external_id text, target_id uuid,
      own_id uuid, content_hash text, listing jsonb, facts jsonb, night date, starts_at timestamptz, first_seen_at timestamptz)
    on conflict (source_id, kind, external_id) do update set ${target} = excluded.${target}, own_id = excluded.own_id,
      content_hash = excluded.content_hash, listing = excluded.listing, facts = excluded.facts, night = excluded.night,
      starts_at = excluded.starts_at, last_seen_at = excluded.last_seen_at, gone_at = null`.execute(trx);
}

/** Records of a merged event that have gone belong to the survivor, too: it is what they are when they come back. */
export async function moveToSurvivors(
  trx: Transaction<Database>,
  mergers: readonly { id: string; into: string }[],
): Promise<void> {
  if (mergers.length === 0) return;
  const [ids, into] = [mergers.map(({ id }) => id), mergers.map((merger) => merger.into)];
  await sql`
    update record set event_id = r.into_id from unnest(${ids}::uuid[], ${into}::uuid[]) as r (id, into_id)
    where record.event_id = r.id`.execute(trx);
}

/** Notes that a source has these records no longer. */
export async function markGoneInRun(
  trx: Transaction<Database>,
  ids: readonly string[],
  { runId, now }: RunMoment,
): Promise<void> {
  if (ids.length === 0) return;
  await keepBefore(trx, runId, ids);
  await sql`update record set gone_at = ${new Date(now)} where id = any(${ids}::uuid[])`.execute(trx);
}

/** What the records say until now, once per run; a record that is not there yet has said nothing. */
async function keepBefore(trx: Transaction<Database>, runId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into run_record (run_id, record_id, before)
    select ${runId}, r.id, case when record.id is null then null else
      jsonb_build_object('hash', content_hash, 'listing', listing, 'facts', facts, 'night', night, 'startsAt', starts_at, 'goneAt', gone_at) end
    from unnest(${ids}::uuid[]) as r (id) left join record on record.id = r.id
    on conflict (run_id, record_id) do nothing`.execute(trx);
}
