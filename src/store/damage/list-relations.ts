/** The tables and indexes whose damage would be Marquee's: its own, and those of PostgreSQL that hold names and types. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';

export interface Relation {
  oid: number;
  /** As SQL writes it. */
  name: string;
  /** As PostgreSQL names it: `base/5/16483`. */
  file: string;
  kind: 'table' | 'btree' | 'gin';
  /** Of an index: its table. */
  tableOid: number | null;
  /** Of PostgreSQL itself, or of long values: statements of Marquee's user do not read it. */
  isInternal: boolean;
  /** A btree index that lists every row of its table. */
  isFull: boolean;
  pages: number;
}

/** Tables first, and where long values of both are stored. */
export async function listRelations(db: Kysely<Database>): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    with named as (
      select oid, reltoastrelid, relnamespace = 'pg_catalog'::regnamespace as is_catalog from pg_class
      where relnamespace in (current_schema()::regnamespace, 'pg_catalog'::regnamespace) and relkind in ('r', 'm')
    ), tables as (
      select oid, is_catalog, is_catalog as is_internal from named
      union select reltoastrelid, is_catalog, true from named where reltoastrelid <> 0
    ), relations as (
      select oid, 'table' as kind, null::oid as table_oid, false as is_full, is_catalog, is_internal from tables
      union all
      select i.indexrelid, am.amname, t.oid, am.amname = 'btree' and i.indpred is null, is_catalog, is_internal
      from tables t join pg_index i on i.indrelid = t.oid and i.indisvalid
        join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam and am.amname in ('btree', 'gin')
    )
    select oid::int8::float8 as oid, oid::regclass::text as name, pg_relation_filepath(oid) as file, kind,
      table_oid::int8::float8 as "tableOid", is_internal as "isInternal", is_full as "isFull",
      (coalesce(pg_relation_size(oid), 0) / current_setting('block_size')::int8)::float8 as pages
    from relations order by is_catalog, kind <> 'table', name`.execute(db);
  return rows;
}
