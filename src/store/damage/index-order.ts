/** The order in which a btree index keeps its rows, as SQL that PostgreSQL can answer by reading that index from its beginning to its end. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

export interface IndexOrder {
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

export async function readIndexOrder(db: Kysely<Database>, indexOid: number): Promise<IndexOrder | null> {
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
export function countInOrder(table: string, { keys, predicate }: IndexOrder): string {
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
