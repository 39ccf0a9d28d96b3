/**
 * Reads a table and its btree indexes with no right beyond SELECT: each index from its beginning to its end, in its own order. The table
 * and all of its indexes are counted in one snapshot, so what is written meanwhile does not matter.
 *
 *   rows out of order, or fewer than in the table ─── the index is damaged
 *   more rows than in the table ──────────────────── the table has lost pages, which the index still lists
 */

import { type ControlledTransaction, type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { describeFault } from './describe-fault.ts';
import { countInOrder, type IndexOrder, readIndexOrder } from './index-order.ts';
import type { Relation } from './list-relations.ts';

/** `fault`: null if it was read and is sound. `notRead`: why it was not. */
export type Finding = { relation: Relation } & ({ fault: string | null } | { notRead: string });

export async function scanTable(db: Kysely<Database>, table: Relation, indexes: readonly Relation[]): Promise<Finding[]> {
  const snapshot = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  try {
    await set(snapshot, SCAN_SETTINGS);
    const orders = new Map<Relation, IndexOrder>();
    for (const index of indexes) {
      const order = await readIndexOrder(snapshot, index.oid);
      if (order) orders.set(index, order);
    }
    const counts = await countRows(snapshot, table, [...orders.values()]);
    if (typeof counts === 'string') {
      const notRead = 'its table is damaged';
      return [{ relation: table, fault: counts }, ...indexes.map((relation) => ({ relation, notRead }))];
    }
    await set(snapshot, INDEX_SETTINGS);
    const findings: Finding[] = [{ relation: table, fault: null }];
    for (const [index, order] of orders) {
      const expected = counts[`of ${order.indexName}`] ?? 0;
      findings.push(await scanIndex(snapshot, { table, index, order, expected }));
    }
    return findings;
  } finally {
    await snapshot.rollback().execute();
  }
}

type Snapshot = ControlledTransaction<Database>;

/** How many rows each index must list, by one look at each row with all its values; a text: why the table cannot be read. */
async function countRows(
  snapshot: Snapshot,
  { name }: Relation,
  orders: readonly IndexOrder[],
): Promise<Record<string, number> | string> {
  const counts = orders.map(({ indexName, predicate }) =>
    predicate === null
      ? sql`count(*)::float8 as ${sql.ref(`of ${indexName}`)}`
      : sql`(count(*) filter (where ${sql.raw(predicate)}))::float8 as ${sql.ref(`of ${indexName}`)}`,
  );
  const all = sql`sum(length(marquee_row::text)) as length`;
  try {
    const { rows } = await sql<Record<string, number>>`
      select ${sql.join([all, ...counts])} from only ${sql.raw(name)} marquee_row`.execute(snapshot);
    return rows[0] ?? {};
  } catch (error) {
    return describeFault(error);
  }
}

interface IndexScan {
  table: Relation;
  index: Relation;
  order: IndexOrder;
  /** Rows that it must list. */
  expected: number;
}

async function scanIndex(snapshot: Snapshot, { table, index, order, expected }: IndexScan): Promise<Finding> {
  const statement = countInOrder(table.name, order);
  if (!(await isReadBy(snapshot, statement, order.indexName)))
    return { relation: index, notRead: 'PostgreSQL reads another index' };
  const before = await snapshot.savepoint(SAVEPOINT).execute();
  try {
    const { rows } = await sql.raw<{ rows: number; misplaced: number }>(statement).execute(snapshot);
    const { rows: listed, misplaced } = rows[0] ?? { rows: 0, misplaced: 0 };
    if (listed > expected) {
      return { relation: table, fault: `index ${index.name} lists ${listed} rows, of which the table has ${expected}` };
    }
    if (listed < expected) return { relation: index, fault: `lists ${listed} of ${expected} rows` };
    if (misplaced > 0) return { relation: index, fault: `${misplaced} rows are out of order` };
    return { relation: index, fault: null };
  } catch (error) {
    await before.rollbackToSavepoint(SAVEPOINT).execute();
    return { relation: index, fault: describeFault(error) };
  }
}

/** Several indexes can give the same order: only the plan says which one PostgreSQL reads. */
async function isReadBy(snapshot: Snapshot, statement: string, indexName: string): Promise<boolean> {
  const { rows } = await sql.raw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${statement}`).execute(snapshot);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  const scans = plan ? listScans(plan) : [];
  return scans.length === 1 && scans[0]?.['Index Name'] === indexName && scans[0]['Scan Direction'] === 'Forward';
}

interface PlanNode {
  'Node Type': string;
  'Index Name'?: string;
  'Scan Direction'?: string;
  Plans?: PlanNode[];
}

const listScans = (node: PlanNode): PlanNode[] => [
  ...(/^(?!Subquery).* Scan$/.test(node['Node Type']) ? [node] : []),
  ...(node.Plans ?? []).flatMap(listScans),
];

async function set(snapshot: Snapshot, settings: Readonly<Record<string, string>>): Promise<void> {
  const calls = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`);
  await sql`select ${sql.join(calls)}`.execute(snapshot);
}

const SAVEPOINT = 'index_scan';
/** A whole table may take longer than a statement of the service. */
const SCAN_SETTINGS = {
  statement_timeout: '0',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  enable_bitmapscan: 'off',
  enable_indexscan: 'off',
  enable_indexonlyscan: 'off',
};
const INDEX_SETTINGS = {
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_incremental_sort: 'off',
  enable_indexscan: 'on',
  enable_indexonlyscan: 'on',
};
