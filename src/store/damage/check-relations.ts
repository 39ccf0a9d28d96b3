/**
 * Reads every table and index as the database does, with PostgreSQL's own `amcheck`: whether rows are sound, values that are stored
 * apart are there, and indexes are in order and list every row. The extension is added within a transaction that is taken back.
 */

import { type ControlledTransaction, type Kysely, sql, type Transaction } from 'kysely';
import { allowLongQueries } from '../deadline.ts';
import type { Database } from '../schema.ts';
import { StoreError } from '../store-error.ts';

export interface RelationCheck {
  tables: number;
  indexes: number;
  /** One sentence for each relation that is damaged. */
  faults: string[];
  /** Why indexes were not read; null: they were. */
  notRead: string | null;
}

interface Relation {
  oid: number;
  name: string;
  /** As PostgreSQL names it: `base/5/16483`. */
  file: string;
  kind: 'table' | 'btree' | 'gin';
  isCatalog: boolean;
}

export function checkRelations(db: Kysely<Database>): Promise<RelationCheck> {
  return allowLongQueries(async () => {
    // First: until `end`, the embedded engine listens to nobody else.
    const relations = await listRelations(db);
    const amcheck = openAmcheck(db);
    try {
      const notRead = await whyNoAmcheck(amcheck);
      const check = (relation: Relation) => (notRead === null ? checkWithAmcheck(amcheck, relation) : readRows(db, relation));
      const report: RelationCheck = { tables: 0, indexes: 0, faults: [], notRead };
      for (const relation of relations) {
        const fault = await check(relation).catch(describeFault);
        if (fault !== NOT_CHECKED) addTo(report, relation, fault);
      }
      return report;
    } finally {
      await amcheck.end();
    }
  });
}

function addTo(report: RelationCheck, { kind, name, file }: Relation, fault: string | null): void {
  report[kind === 'table' ? 'tables' : 'indexes'] += 1;
  if (fault === null) return;
  if (kind === 'table') report.faults.push(`table ${name}: ${fault}`);
  // A page of its table, which has been told, is no fault of an index.
  else if ((PAGE_OF.exec(fault)?.[1] ?? file) === file) report.faults.push(`index ${name}: ${fault}`);
}

/** Marquee's own, those of PostgreSQL that hold names and types, and where long values of both are stored. */
async function listRelations(db: Kysely<Database>): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    with named as (
      select oid, reltoastrelid, relnamespace = 'pg_catalog'::regnamespace as is_catalog from pg_class
      where relnamespace in (current_schema()::regnamespace, 'pg_catalog'::regnamespace) and relkind in ('r', 'm')
    ), tables as (
      select oid, is_catalog from named union select reltoastrelid, is_catalog from named where reltoastrelid <> 0
    ), relations as (
      select oid, 'table' as kind, is_catalog from tables
      union all
      select i.indexrelid, am.amname, is_catalog from tables t join pg_index i on i.indrelid = t.oid and i.indisvalid
        join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam and am.amname in ('btree', 'gin')
    )
    select oid::int8::float8 as oid, oid::regclass::text as name, pg_relation_filepath(oid) as file, kind, is_catalog as "isCatalog"
    from relations order by is_catalog, kind <> 'table', name`.execute(db);
  return rows;
}

/** Null: it can be used. */
async function whyNoAmcheck(amcheck: Amcheck): Promise<string | null> {
  try {
    await amcheck.use((trx, schema) =>
      sql`select ${sql.ref(`${schema}.bt_index_check`)}('pg_class_oid_index'::regclass)`.execute(trx),
    );
    return null;
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string };
    if (code === 'database_damaged') return null;
    if (NOT_USABLE.has(code)) return message;
    throw error;
  }
}

/** Gives what is wrong; null: nothing. */
function checkWithAmcheck(amcheck: Amcheck, { oid, kind }: Relation): Promise<string | null> {
  return amcheck.use(async (trx, schema) => {
    const call = (name: string) => sql.ref(`${schema}.${name}`);
    if (kind === 'table') {
      const { rows } = await sql<{ fault: string }>`
        select 'block ' || blkno || ', row ' || offnum || ': ' || msg as fault
        from ${call('verify_heapam')}(${oid}::oid::regclass, check_toast => true) limit 1`.execute(trx);
      return rows[0]?.fault ?? null;
    }
    if (kind === 'btree') await sql`select ${call('bt_index_check')}(${oid}::oid::regclass, true)`.execute(trx);
    else if (!(await hasGinCheck(trx, schema))) return NOT_CHECKED;
    else await sql`select ${call('gin_index_check')}(${oid}::oid::regclass)`.execute(trx);
    return null;
  });
}

/** Since PostgreSQL 18. */
async function hasGinCheck(trx: Transaction<Database>, schema: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select to_regprocedure(${`${schema}.gin_index_check(regclass)`}) is not null as is`.execute(trx);
  return rows[0]?.is === true;
}

/** Every row with all its values. */
async function readRows(db: Kysely<Database>, { oid, kind, isCatalog }: Relation): Promise<string | null> {
  if (kind !== 'table' || isCatalog) return NOT_CHECKED;
  const { rows } = await sql<{ statement: string }>`
    select format('select sum(length(t::text)) from %s t', oid::regclass) as statement from pg_class
    where oid = ${oid}::oid and relkind <> 't'`.execute(db);
  const statement = rows[0]?.statement;
  if (statement === undefined) return NOT_CHECKED;
  await sql.raw(statement).execute(db);
  return null;
}

interface Amcheck {
  use<T>(work: (trx: Transaction<Database>, schema: string) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** The embedded engine works for nobody else within a transaction: none lasts much longer than SLICE_MS. */
function openAmcheck(db: Kysely<Database>): Amcheck {
  let slice: { trx: ControlledTransaction<Database>; schema: string; until: number } | null = null;

  async function begin() {
    const trx = await db.startTransaction().execute();
    try {
      // A whole table may take longer than a statement of the service.
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`create extension if not exists amcheck`.execute(trx);
      const { rows } = await sql<{ schema: string }>`
        select extnamespace::regnamespace::text as schema from pg_extension where extname = 'amcheck'`.execute(trx);
      return { trx, schema: rows[0]?.schema ?? 'public', until: performance.now() + SLICE_MS };
    } catch (error) {
      await trx.rollback().execute();
      throw error;
    }
  }

  async function end(): Promise<void> {
    const old = slice;
    slice = null;
    await old?.trx.rollback().execute();
  }

  return {
    end,
    async use(work) {
      if (slice && performance.now() > slice.until) await end();
      slice ??= await begin();
      try {
        return await work(slice.trx, slice.schema);
      } catch (error) {
        // It takes no further statement.
        await end();
        throw error;
      }
    },
  };
}

/** The database's own words; other errors are thrown on. Without checksums, damage has any message. */
function describeFault(error: unknown): string {
  if (error instanceof StoreError && error.code === 'database_damaged') return (error.cause as Error).message;
  const { code = '', message } = error as Error & { code?: string };
  if (GONE.test(message)) return NOT_CHECKED;
  if (UNREADABLE.test(code)) return message;
  throw error;
}

/** It was dropped meanwhile. */
const GONE = /^could not open relation with OID/;
/** internal_error, data_exception. */
const UNREADABLE = /^(XX|22)[0-9A-Z]{3}$/;
/** insufficient_privilege, feature_not_supported (it is not installed), undefined_file, undefined_function. */
const NOT_USABLE: ReadonlySet<string> = new Set(['42501', 'database_right_missing', '0A000', '58P01', '42883']);
const NOT_CHECKED = '';
/** `invalid page in block 0 of relation base/5/16483`; newer versions write quotes. */
const PAGE_OF = / of relation "?((?:base|global)\/[\d/]+)/;
const SLICE_MS = 250;
