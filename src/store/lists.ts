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

/** Where a follower is in a list. */
export interface ListPosition {
  seq: number;
  /** Numbers are only comparable within one history. Another one begins where numbers may be used again. */
  history: string;
}

/** The list's end. `seq` is 0 where it has no entry. */
export async function listEnd(db: Kysely<Database>, list: ListName): Promise<ListPosition> {
  const head = await db.selectFrom('list_head').select(['seq', 'history']).where('list', '=', list).executeTakeFirstOrThrow();
  return { seq: Number(head.seq), history: head.history };
}

/** The number of the newest entry, 0 when there is none. */
export async function listHead(db: Kysely<Database>, list: ListName): Promise<number> {
  const head = await db.selectFrom('list_head').select('seq').where('list', '=', list).executeTakeFirstOrThrow();
  return Number(head.seq);
}

/** SQL: the same number within a statement of the caller. */
export const headOf = (list: ListName): RawBuilder<string> => sql<string>`(select seq from list_head where list = ${list})`;

/** SQL: which history the numbers belong to, within a statement of the caller. */
export const historyOf = (list: ListName): RawBuilder<string> =>
  sql<string>`(select history from list_head where list = ${list})`;

/**
 * Begins another history of both lists: every follower starts over. If `of` is given, only where the change list still has this history.
 * Gives whether it did. Nobody appends until the transaction ends.
 */
export async function renewHistory(trx: Transaction<Database>, of?: string): Promise<boolean> {
  // In the order of `appendToList`.
  const heads = await trx.selectFrom('list_head').select(['list', 'history']).orderBy('list').forUpdate().execute();
  if (of !== undefined && heads.find(({ list }) => list === 'change')?.history !== of) return false;
  await trx.updateTable('list_head').set({ history: sql`gen_random_uuid()` }).execute();
  return true;
}

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

/** What a list is at one moment, for a follower that has come to a number. */
export interface ListState {
  head: number;
  history: string;
  /** The number up to which entries may have been deleted, 0 for none. */
  pruned: number;
  /** The time of the entry with the follower's number, milliseconds; null where there is none. */
  entryAt: number | null;
}

export async function readListState(db: Kysely<Database>, list: ListName, after: number): Promise<ListState> {
  const { rows } = await sql<StateRow>`select ${stateOf(list, after)} from list_head where list_head.list = ${list}`.execute(db);
  return toState(rows[0]);
}

/** As `readList`, with the state of the list, all of one moment and in one question. */
export async function readListWithHead<L extends ListName>(
  db: Kysely<Database>,
  list: L,
  after: number,
  limit: number,
): Promise<ListState & { rows: ListRow<L>[] }> {
  const { rows } = await sql<ListRow<L> & { seq: string | null } & StateRow>`
    select ${stateOf(list, after)}, entry.*
    from list_head left join lateral (select * from ${sql.table(list)} where seq > ${after} order by seq limit ${limit}) as entry on true
    where list_head.list = ${list} order by entry.seq`.execute(db);
  return {
    ...toState(rows[0]),
    rows: rows.flatMap(({ list_head: _, list_history: __, list_pruned: ___, list_entry_at: ____, ...row }) =>
      row.seq === null ? [] : [{ ...row, seq: Number(row.seq) } as unknown as ListRow<L>],
    ),
  };
}

interface StateRow {
  list_head: string;
  list_history: string;
  list_pruned: string | null;
  list_entry_at: Date | null;
}

const stateOf = (list: ListName, after: number) => sql`
  list_head.seq as list_head, list_head.history as list_history,
  (select position from clean_up where name = ${list}) as list_pruned,
  (select at from ${sql.table(list)} where seq = ${after}) as list_entry_at`;

const toState = (row: StateRow | undefined): ListState => ({
  head: Number(row?.list_head ?? 0),
  history: row?.list_history ?? '',
  pruned: Number(row?.list_pruned ?? 0),
  entryAt: row?.list_entry_at?.getTime() ?? null,
});

const COLUMNS: { readonly [L in ListName]: Readonly<Record<keyof ListEntry[L], string>> } = {
  change: { kind: 'text', entity: 'text', entity_id: 'uuid', previous: 'jsonb' },
  access_change: { subscription_id: 'uuid' },
};
