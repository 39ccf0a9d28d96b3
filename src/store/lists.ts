/**
 * Numbered lists that others follow. Numbers are given in commit order and without gaps: a writer takes the row lock of the
 * list's head and holds it until its commit is visible, so whoever has seen number n has seen every number up to n.
 * (A sequence would not do: it gives numbers before the commit and loses them in a rollback.)
 *
 * A number is never given twice and never changed, but old entries are deleted (docs/retention.md). `prunedUpTo` says up to which
 * number entries may be missing; after it every number up to the head has its entry, or the list was cut. In `change` the last
 * entry of each record stays, so a follower that is behind `prunedUpTo` misses no record and goes on. `access_change` loses all
 * entries up to there, so such a follower must load everything again.
 */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from './schema.ts';

export type ListName = keyof ListEntry;

/** What a writer says of each entry; its number and time are added here. */
export interface ListEntry {
  /** `previous`: JSON. */
  change: { kind: string; entity: string; entity_id: string | null; previous?: string | null };
  access_change: { subscription_id: string };
}

export type ListRow<L extends ListName> = ListEntry[L] & { seq: number; at: Date };

/**
 * Appends the entries in their order. Must be the LAST thing in a transaction: every other writer of the list waits from here to
 * the commit, and a transaction that takes other locks afterwards can deadlock. A transaction that appends to both lists takes
 * `access_change` first. An empty array takes no number and gives `first` = `last` + 1.
 */
export async function appendToList<L extends ListName>(
  trx: Transaction<Database>,
  list: L,
  entries: readonly ListEntry[L][],
  at: Date,
): Promise<{ first: number; last: number }> {
  const head = await trx
    .updateTable('list_head')
    .set({ seq: sql`seq + ${entries.length}` })
    .where('list', '=', list)
    .returning('seq')
    .executeTakeFirstOrThrow();
  const last = Number(head.seq);
  const first = last - entries.length + 1;
  const columns: [string, string][] = Object.entries(COLUMNS[list]);
  const names = columns.map(([name]) => sql.ref(name));
  const arrays = columns.map(
    ([name, type]) => sql`${entries.map((entry) => entry[name as keyof ListEntry[L]] ?? null)}::${sql.raw(type)}[]`,
  );
  await sql`
    insert into ${sql.table(list)} (seq, at, ${sql.join(names)})
    select ${first}::bigint + position - 1, ${at}, ${sql.join(names)}
    from unnest(${sql.join(arrays)}) with ordinality as entry (${sql.join(names)}, position)`.execute(trx);
  return { first, last };
}

/** The number of the newest entry, 0 when there is none. */
export async function listHead(db: Kysely<Database>, list: ListName): Promise<number> {
  const head = await db.selectFrom('list_head').select('seq').where('list', '=', list).executeTakeFirstOrThrow();
  return Number(head.seq);
}

/** SQL: the same number within a statement of the caller. */
export const headOf = (list: ListName): RawBuilder<string> => sql<string>`(select seq from list_head where list = ${list})`;

/** The entries after number `after`, in order, at most `limit`. */
export async function readList<L extends ListName>(
  db: Kysely<Database>,
  list: L,
  after: number,
  limit: number,
): Promise<ListRow<L>[]> {
  const { rows } = await sql<ListRow<L> & { seq: string }>`
    select * from ${sql.table(list)} where seq > ${after} order by seq limit ${limit}`.execute(db);
  return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
}

/**
 * The number up to which entries may have been deleted, 0 for none. Read it after the entries, or in one transaction with them: what
 * was deleted before they were read is then counted.
 */
export async function prunedUpTo(db: Kysely<Database>, list: ListName): Promise<number> {
  const row = await db.selectFrom('clean_up').select('position').where('name', '=', list).executeTakeFirst();
  return Number(row?.position ?? 0);
}

/** Whether these entries are all that there must be of the numbers after `after` up to `upTo`. */
export function isWhole(rows: readonly { seq: number }[], { after, upTo, pruned }: ListSpan): boolean {
  const from = Math.max(after, pruned);
  return rows.filter(({ seq }) => seq > from && seq <= upTo).length === Math.max(0, upTo - from);
}

export interface ListSpan {
  after: number;
  upTo: number;
  /** As `prunedUpTo` gives it. */
  pruned: number;
}

/**
 * As `readList`, with the list's head and the number up to which entries may have been deleted (0 for none), all of one moment and in
 * one question.
 */
export async function readListWithHead<L extends ListName>(
  db: Kysely<Database>,
  list: L,
  after: number,
  limit: number,
): Promise<{ head: number; pruned: number; rows: ListRow<L>[] }> {
  const { rows } = await sql<ListRow<L> & { seq: string | null; list_head: string; list_pruned: string | null }>`
    select list_head.seq as list_head, (select position from clean_up where name = ${list}) as list_pruned, entry.*
    from list_head left join lateral (select * from ${sql.table(list)} where seq > ${after} order by seq limit ${limit}) as entry on true
    where list_head.list = ${list} order by entry.seq`.execute(db);
  return {
    head: Number(rows[0]?.list_head ?? 0),
    pruned: Number(rows[0]?.list_pruned ?? 0),
    rows: rows.flatMap(({ list_head: _, list_pruned: __, ...row }) =>
      row.seq === null ? [] : [{ ...row, seq: Number(row.seq) } as unknown as ListRow<L>],
    ),
  };
}

const COLUMNS: { readonly [L in ListName]: Readonly<Record<keyof ListEntry[L], string>> } = {
  change: { kind: 'text', entity: 'text', entity_id: 'uuid', previous: 'jsonb' },
  access_change: { subscription_id: 'uuid' },
};
