/** Merged events and venues, and the records that stand for them now. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { survivorsOf } from './relations.ts';

type Db = Kysely<Database>;
type Kind = 'event' | 'venue';

/** The record of an id, or the one that the id leads to. */
export async function loadSurvivor(db: Db, kind: Kind, id: string): Promise<{ id: string; state: string } | null> {
  const { rows } = await sql<{ id: string; state: string }>`select id, state from ${survivorsOf(kind, [id])} as found`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The ids that lead to this one. */
export async function loadMergedInto(db: Db, kind: Kind, id: string): Promise<string[]> {
  const rows = await db.selectFrom(kind).select('id').where('merged_into', '=', id).execute();
  return rows.map((row) => row.id);
}

/** By venue the one that it leads to; a venue that was removed is missing. */
export async function loadVenueSurvivors(db: Db, venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; leads_to: string }>`
    select venue.id, coalesce(survivor.id, venue.id) as leads_to from venue left join venue as survivor on survivor.id = venue.merged_into
    where venue.id = any(${venueIds}::uuid[]) and coalesce(survivor.state, venue.state) <> 'removed'`.execute(db);
  return new Map(rows.map(({ id, leads_to }) => [id, leads_to]));
}
