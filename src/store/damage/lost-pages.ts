/**
 * Pages of a table that are zeros, or beyond the end of its file. PostgreSQL takes them for pages that were never written, and such
 * pages exist in sound tables, too: after a crash, or where room was made for many rows. So a page is lost only if an index lists rows in it.
 *
 * In a sound database this holds at each moment: a row has its page before an index lists it, and a vacuum removes it from all indexes
 * before it cuts off its page.
 */

import { sql } from 'kysely';
import type { Inspection } from './inspection.ts';
import type { Relation } from './list-relations.ts';
import { describeBlocks } from './name-relation.ts';

/** Gives what is wrong; null: nothing. `index`: a btree index that lists every row of the table. */
export async function findLostPages(inspection: Inspection, table: Relation, index: Relation): Promise<string | null> {
  const empty = await inRanges(inspection, { relation: table, from: 0, pages: table.pages, step: TABLE_PAGES }, (range) =>
    listEmptyPages(inspection, table, range),
  );
  const pages = await countPages(inspection, index);
  const lost = await inRanges(inspection, { relation: index, from: 1, pages, step: INDEX_PAGES }, async (range) => {
    const suspects = await listReferredPages(inspection, index, range, { tableEnd: table.pages, empty });
    if (suspects.length === 0) return [];
    // The table may have grown, and the page may have got its first rows: lost is what is so before and after the index lists rows there.
    const tableEnd = await countPages(inspection, table);
    return await keepLost(inspection, table, await listReferredPages(inspection, index, range, { tableEnd, empty }));
  });
  if (lost.length === 0) return null;
  const blocks = [...new Set(lost)].toSorted((left, right) => left - right);
  return `${describeBlocks(blocks)} ${blocks.length === 1 ? 'is' : 'are'} lost: index ${index.name} lists rows there`;
}

interface Range {
  first: number;
  /** The first block behind it. */
  end: number;
}

/** The work for some pages after the other. Where the relation has become shorter meanwhile, it is done again. */
async function inRanges(
  inspection: Inspection,
  { relation, from, pages, step }: { relation: Relation; from: number; pages: number; step: number },
  work: (range: Range) => Promise<number[]>,
): Promise<number[]> {
  const found: number[] = [];
  let attempts = 0;
  let until = pages;
  for (let first = from; first < until; ) {
    try {
      found.push(...(await work({ first, end: Math.min(first + step, until) })));
      first += step;
      attempts = 0;
    } catch (error) {
      attempts += 1;
      if ((error as { code?: string }).code !== OUT_OF_RANGE || attempts >= MAX_ATTEMPTS) throw error;
      until = await countPages(inspection, relation);
    }
  }
  return found;
}

function countPages(inspection: Inspection, { oid }: Relation): Promise<number> {
  return inspection.use(async (trx) => {
    const { rows } = await sql<{ pages: number }>`
      select (coalesce(pg_relation_size(${oid}::oid), 0) / current_setting('block_size')::int8)::float8 as pages`.execute(trx);
    return rows[0]?.pages ?? 0;
  });
}

function listEmptyPages(inspection: Inspection, { name }: Relation, { first, end }: Range): Promise<number[]> {
  return inspection.use(async (trx, functionOf) => {
    const { rows } = await sql<{ block: number }>`
      select block::float8 as block from generate_series(${first}::int8, ${end - 1}::int8) block
      where (${functionOf('pageinspect', 'page_header')}(
        ${functionOf('pageinspect', 'get_raw_page')}(${name}, block))).upper = 0`.execute(trx);
    return rows.map(({ block }) => block);
  });
}

/** The blocks among `empty`, and from `tableEnd` on, in which these pages of the index list rows. */
function listReferredPages(
  inspection: Inspection,
  { name }: Relation,
  { first, end }: Range,
  { tableEnd, empty }: { tableEnd: number; empty: readonly number[] },
): Promise<number[]> {
  const isEmpty = empty.length === 0 ? sql`` : sql`or (row_id::text::point)[0]::int8 = any(${empty}::int8[])`;
  return inspection.use(async (trx, functionOf) => {
    // The first item of a leaf with a right neighbor is its upper bound, and lists no row.
    const { rows } = await sql<{ block: number }>`
      select distinct (row_id::text::point)[0] as block
      from generate_series(${first}::int8, ${end - 1}::int8) page
        cross join lateral ${functionOf('pageinspect', 'bt_page_stats')}(${name}, page) stats
        cross join lateral ${functionOf('pageinspect', 'bt_page_items')}(${name}, case when stats.type = 'l' then page end) item
        cross join lateral unnest(coalesce(item.tids, array[item.htid])) row_id
      where (item.itemoffset > 1 or stats.btpo_next = 0) and (row_id >= ${`(${tableEnd},0)`}::tid ${isEmpty})`.execute(trx);
    return rows.map(({ block }) => block);
  });
}

/** Those that are zeros, or beyond the end, at this moment. */
function keepLost(inspection: Inspection, { oid, name }: Relation, blocks: readonly number[]): Promise<number[]> {
  return inspection.use(async (trx, functionOf) => {
    const { rows } = await sql<{ block: number }>`
      select block::float8 as block from unnest(${blocks}::int8[]) block
      where case when block >= (select pg_relation_size(${oid}::oid) / current_setting('block_size')::int8) then true
        else (${functionOf('pageinspect', 'page_header')}(
          ${functionOf('pageinspect', 'get_raw_page')}(${name}, block))).upper = 0 end`.execute(trx);
    return rows.map(({ block }) => block);
  });
}

/** Pages that the embedded engine reads within a tenth of a second. */
const TABLE_PAGES = 2_000;
const INDEX_PAGES = 64;
/** invalid_parameter_value: `block number 7 is out of range`. */
const OUT_OF_RANGE = '22023';
const MAX_ATTEMPTS = 3;
