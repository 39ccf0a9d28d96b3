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

/* The order in which a btree index keeps its rows, as SQL that PostgreSQL can answer by reading that index from its beginning to its end. */

interface IndexOrder {
  /** Without its schema, as plans name it. */
  indexName: string;
  /** The condition of a partial index; null: it lists every row. */
  predicate: string | null;
  keys: IndexKey[];
}

interface IndexKey {
  /** A column or an expression. */
  value: string;
  /** Null: its type has none. */
  collation: string | null;
  /** Operators of its class: `OPERATOR(pg_catalog.<)`. */
  less: string;
  equal: string;
  greater: string;
  isDescending: boolean;
  isNullsFirst: boolean;
}

async function readIndexOrder(db: Kysely<Database>, indexOid: number): Promise<IndexOrder | null> {
  const { rows } = await sql<IndexOrder>`
    select c.relname as "indexName", pg_get_expr(i.indpred, i.indrelid) as predicate, (
      select json_agg(json_build_object(
        'value', pg_get_indexdef(i.indexrelid, k + 1, false),
        'collation', (select format('%I.%I', collnamespace::regnamespace::text, collname) from pg_collation where oid = i.indcollation[k]),
        'less', ${operator(1)}, 'equal', ${operator(3)}, 'greater', ${operator(5)},
        'isDescending', i.indoption[k] & 1 = 1, 'isNullsFirst', i.indoption[k] & 2 = 2
      ) order by k)
      from generate_series(0, i.indnkeyatts - 1) k join pg_opclass opc on opc.oid = i.indclass[k]
    ) as keys
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indexrelid = ${indexOid}::oid`.execute(db);
  return rows[0] ?? null;
}

/** By its strategy number (PostgreSQL documentation, "Interfacing Extensions to Indexes"). */
const operator = (strategy: number) => sql`(
  select format('OPERATOR(%I.%s)', op.oprnamespace::regnamespace::text, op.oprname)
  from pg_amop ao join pg_operator op on op.oid = ao.amopopr
  where ao.amopfamily = opc.opcfamily and ao.amoplefttype = opc.opcintype and ao.amoprighttype = opc.opcintype
    and ao.amopstrategy = ${sql.lit(strategy)} and ao.amoppurpose = 's')`;

/** Counts the rows in this order as `rows`, and those that belong before their predecessor as `misplaced`. */
function countInOrder(table: string, { keys, predicate }: IndexOrder): string {
  const order = keys.map((key) => {
    const { less, greater, isDescending, isNullsFirst } = key;
    return `${sqlOf(key)} using ${isDescending ? greater : less} nulls ${isNullsFirst ? 'first' : 'last'}`;
  });
  const values = keys.map((key, at) => `${sqlOf(key)} as k${at}, lag(${sqlOf(key)}) over w as p${at}`);
  return `select count(*)::float8 as rows, (count(*) filter (where has_previous and (${isMisplaced(keys, 0)})))::float8 as misplaced
    from (select lag(true) over w as has_previous, ${values.join(', ')} from only ${table}
      ${predicate === null ? '' : `where ${predicate}`} window w as (order by ${order.join(', ')})) listed`;
}

/** Whether the previous row belongs after the row, by the keys from `at` on. */
function isMisplaced(keys: readonly IndexKey[], at: number): string {
  const key = keys[at];
  if (!key) return 'false';
  const previous = collate(`p${at}`, key);
  const value = collate(`k${at}`, key);
  const [first, second] = key.isNullsFirst ? [value, previous] : [previous, value];
  const isAfter = `${first} is null and ${second} is not null or ${previous} ${key.isDescending ? key.less : key.greater} ${value}`;
  const isSame = `${previous} ${key.equal} ${value} or ${previous} is null and ${value} is null`;
  return `${isAfter} or (${isSame}) and (${isMisplaced(keys, at + 1)})`;
}

const sqlOf = (key: IndexKey): string => collate(key.value, key);
const collate = (value: string, { collation }: IndexKey): string =>
  collation === null ? value : `(${value} collate ${collation})`;

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
