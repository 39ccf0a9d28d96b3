/** The corrections that were not undone, and which of them counts for which event or venue. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import { redirectsOf } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { RECORD_EVENTS } from '../records/relations.ts';

export type CorrectedEntity = 'event' | 'venue';

export interface Correction {
  id: string;
  entity: CorrectedEntity;
  /** What it was given for. */
  targetId: string;
  field: string;
  value: unknown;
  /** What was shown until then. */
  before: unknown;
  by: string;
  at: number;
  note: string | null;
}

/** By field. */
export type ActiveCorrections = ReadonlyMap<string, Correction>;

/** Who leads where once a plan is written; without one it is as the directory has it. */
export interface Leads {
  mergers: readonly { id: string; into: string }[];
  /** They stand for themselves again. */
  revived: ReadonlySet<string>;
}

/**
 * The corrections that count for each id: its own, and those of ids that are merged into it. Its own correction of a field comes first,
 * then the latest. So a correction survives a merge, and goes back with its id when the merge is undone.
 */
export async function loadActiveCorrections(
  db: Kysely<Database>,
  entity: CorrectedEntity,
  ids: readonly string[],
  leads: Leads = AS_IT_IS,
): Promise<Map<string, ActiveCorrections>> {
  if (!(await hasAny(db, entity))) return new Map();
  const into = new Map(leads.mergers.map((merger) => [merger.id, merger.into]));
  const asked = [...new Set([...ids, ...into.keys()])];
  const { rows } = await sql<CorrectionRow & { merged_into: string | null }>`
    select correction.*, led.merged_into from correction left join ${redirectsOf(entity)} as led on led.id = target_id
    where entity = ${entity} and revoked_at is null
      and (target_id = any(${asked}::uuid[]) or led.merged_into = any(${asked}::uuid[]))`.execute(db);
  const wanted = new Set(ids);
  const found = new Map<string, Map<string, Correction>>();
  for (const row of rows) {
    const home = leads.revived.has(row.target_id) ? row.target_id : (row.merged_into ?? row.target_id);
    const holder = into.get(home) ?? home;
    if (!wanted.has(holder)) continue;
    const corrections = found.get(holder) ?? new Map<string, Correction>();
    const correction = correctionOf(row);
    const other = corrections.get(correction.field);
    if (!other || outranks(correction, other, holder)) corrections.set(correction.field, correction);
    found.set(holder, corrections);
  }
  return found;
}

/** Nothing of most directories is corrected, and the whole question would be asked again for each batch of an import. */
async function hasAny(db: Kysely<Database>, entity: CorrectedEntity): Promise<boolean> {
  const any = db.selectFrom('correction').select('id').where('entity', '=', entity).where('revoked_at', 'is', null).limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** The records of events that a correction sends to one of these venues. */
export async function loadRecordsSentTo(db: Kysely<Database>, venueIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select record.id from correction left join ${redirectsOf('event')} as led on led.id = target_id
      join ${RECORD_EVENTS} as record on record.event_id = coalesce(led.merged_into, target_id)
    where entity = 'event' and field = 'venue' and revoked_at is null and value #>> '{}' = any(${venueIds}::text[])`.execute(db);
  return rows.map(({ id }) => id);
}

/** SQL: whether a correction says where the venue is. */
export const hasCorrectedPlace = (venueId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from correction left join ${redirectsOf('venue')} as led on led.id = target_id
  where entity = 'venue' and field = 'coordinates' and revoked_at is null and coalesce(led.merged_into, target_id) = ${venueId})`;

interface CorrectionRow {
  id: string;
  entity: CorrectedEntity;
  target_id: string;
  field: string;
  value: unknown;
  before: unknown;
  made_by: string;
  made_at: Date;
  note: string | null;
}

function correctionOf(row: CorrectionRow): Correction {
  const { id, entity, field, value, before, note } = row;
  return { id, entity, targetId: row.target_id, field, value, before, by: row.made_by, at: row.made_at.getTime(), note };
}

/** The holder's own correction first, then the latest. */
function outranks(a: Correction, b: Correction, holder: string): boolean {
  const own = Number(a.targetId === holder) - Number(b.targetId === holder);
  if (own !== 0) return own > 0;
  return a.at > b.at || (a.at === b.at && a.id > b.id);
}

/** What was said, without who said it: two that are alike make the same of a record. */
export function formatCorrections(corrections: ActiveCorrections | undefined): string {
  return [...(corrections?.values() ?? [])]
    .map(({ id }) => id)
    .sort()
    .join(' ');
}

const AS_IT_IS: Leads = { mergers: [], revived: new Set() };
