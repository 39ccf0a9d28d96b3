/** How records of the directory come to stand for others, fall silent and leave the lists. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { Change } from '../model.ts';

/** `id` stands for itself no longer: whoever asks for it is led to `into`. */
export interface Redirect {
  id: string;
  into: string;
}

/** Leads events to their survivors; what had been merged into them earlier follows, so that every lead has one step. Returns the changes. */
export function mergeEvents(trx: Transaction<Database>, mergers: readonly Redirect[], now: number): Promise<Change[]> {
  return merge(trx, 'event', mergers, now);
}

/** As `mergeEvents`. Events at a merged venue take place at the survivor, which is told for each of them. */
export async function mergeVenues(trx: Transaction<Database>, mergers: readonly Redirect[], now: number): Promise<Change[]> {
  if (mergers.length === 0) return [];
  const { rows } = await sql<{ id: string; state: string; venue: string }>`
    update event set venue_id = r.into_id, revision = revision + 1, updated_at = ${new Date(now)}
    from ${pairs(mergers)} where event.venue_id = r.id returning event.id, event.state, r.id as venue`.execute(trx);
  const moved = rows.filter(({ state }) => state === 'published' || state === 'unlisted');
  const told = moved.map(({ id, venue }): Change => {
    return { kind: 'updated', entity: 'event', entityId: id, previous: { venue: { id: venue } } };
  });
  return [...(await merge(trx, 'venue', mergers, now)), ...told];
}

/** Notes that no source says these events any longer. They stay as they are; the silence is not told to followers. */
export async function markUnconfirmed(trx: Transaction<Database>, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('event')
    .set({ unconfirmed_since: new Date(now) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['published', 'hidden'])
    .where('unconfirmed_since', 'is', null)
    .execute();
}

/** Takes out of the lists what has been unconfirmed since `before` or longer (milliseconds). The ids go on answering. Returns the changes. */
export async function unlistUnconfirmed(trx: Transaction<Database>, before: number, now: number): Promise<Change[]> {
  const rows = await trx
    .updateTable('event')
    .set({ state: 'unlisted', updated_at: new Date(now) })
    .where('state', '=', 'published')
    .where('unconfirmed_since', '<=', new Date(before))
    .returning('id')
    .execute();
  return rows.map(({ id }) => ({ kind: 'updated', entity: 'event', entityId: id }));
}

async function merge(
  trx: Transaction<Database>,
  entity: 'event' | 'venue',
  mergers: readonly Redirect[],
  now: number,
): Promise<Change[]> {
  if (mergers.length === 0) return [];
  const table = sql.table(entity);
  await sql`update ${table} set merged_into = r.into_id from ${pairs(mergers)} where ${table}.merged_into = r.id`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    update ${table} set state = 'merged', merged_into = r.into_id, updated_at = ${new Date(now)}
    from ${pairs(mergers)} where ${table}.id = r.id returning ${table}.id`.execute(trx);
  return rows.map(({ id }) => ({ kind: 'merged', entity, entityId: id }));
}

function pairs(mergers: readonly Redirect[]) {
  const ids = mergers.map(({ id }) => id);
  const into = mergers.map((merger) => merger.into);
  return sql`unnest(${ids}::uuid[], ${into}::uuid[]) as r (id, into_id)`;
}
