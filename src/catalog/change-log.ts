/** The numbered changes as readers outside see them: what changed, what it was before, and which history the numbers belong to. */

import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, listHead } from '../store/index.ts';
import type { ChangeEntity, ChangeKind, NumberedChange, PreviousValues } from './model.ts';

export interface LogState {
  /** Numbers are only comparable within one epoch: it changes when numbers might be used again, or every record is printed otherwise. */
  epoch: string;
  /** The number of the newest change; 0 for none. */
  head: number;
}

export interface LogQuery {
  /** Changes after this number, up to and including that one. */
  after: number;
  upTo: number;
  limit: number;
  entities: readonly ChangeEntity[];
  kinds: readonly ChangeKind[];
}

export async function readLogState(db: Kysely<Database>): Promise<LogState> {
  const { epoch } = await db.selectFrom('change_log').select('epoch').executeTakeFirstOrThrow();
  return { epoch, head: await listHead(db, 'change') };
}

/** The next changes in order, at most `limit`. */
export async function readChangeLog(
  db: Kysely<Database>,
  { after, upTo, limit, entities, kinds }: LogQuery,
): Promise<NumberedChange[]> {
  const rows = await db
    .selectFrom('change')
    .select(['seq', 'at', 'kind', 'entity', 'entity_id', 'previous'])
    .where('seq', '>', String(after))
    .where('seq', '<=', String(upTo))
    .where('entity', '=', sql<string>`any(${entities}::text[])`)
    .where('kind', '=', sql<string>`any(${kinds}::text[])`)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ seq, at, kind, entity, entity_id, previous }) => ({
    seq: Number(seq),
    at: at.getTime(),
    kind: kind as ChangeKind,
    entity: entity as ChangeEntity,
    entityId: entity_id,
    ...(previous && { previous: previous as PreviousValues }),
  }));
}

/** Begins another history: every cursor that was given out is refused from the commit on. */
export async function renewEpoch(trx: Transaction<Database>): Promise<void> {
  await trx.updateTable('change_log').set({ epoch: randomUUID() }).execute();
}

/** Notes the address that records are printed with. Another one than before is another history: all their links differ. */
export async function notePublicUrl(db: Kysely<Database>, publicUrl: string): Promise<void> {
  await db
    .updateTable('change_log')
    .set({ public_url: publicUrl, epoch: sql`case when public_url is null then epoch else ${randomUUID()}::uuid end` })
    .where(sql<boolean>`public_url is distinct from ${publicUrl}`)
    .execute();
}
