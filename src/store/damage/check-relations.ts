/**
 * Reads every table and index by what the database and the rights of its user allow.
 *
 *   amcheck ──────── rows are sound, values stored apart are there, indexes are in order and list every row
 *   pageinspect ──── no page is lost that an index lists rows in
 *   without either ─ Marquee's own tables and their btree indexes are read and counted by statements
 */

import { type Kysely, sql, type Transaction } from 'kysely';
import { allowLongQueries } from '../deadline.ts';
import type { Database } from '../schema.ts';
import { describeFault, isGone } from './describe-fault.ts';
import { type Extension, type Inspection, openInspection, whyUnusable } from './inspection.ts';
import { listRelations, type Relation } from './list-relations.ts';
import { findLostPages } from './lost-pages.ts';
import { type Finding, scanTable } from './scan-table.ts';

export interface RelationCheck {
  tables: number;
  indexes: number;
  /** One sentence for each relation that is damaged. */
  faults: string[];
  /** Why an extension was not used; null: it was. */
  without: Record<Extension, string | null>;
  /** Indexes that nothing read, and why: `event_words (gin)`. Without `amcheck` those of PostgreSQL itself are not among them. */
  notRead: string[];
}

export function checkRelations(db: Kysely<Database>): Promise<RelationCheck> {
  return allowLongQueries(async () => {
    // First: until `end`, the embedded engine listens to nobody else.
    const relations = await listRelations(db);
    const without = { amcheck: await whyUnusable(db, 'amcheck'), pageinspect: await whyUnusable(db, 'pageinspect') };
    const findings = createFindings(relations);
    const usable = EXTENSIONS.filter((extension) => without[extension] === null);
    if (usable.length > 0) await inspectAll(db, { relations, usable }, findings.add);
    if (usable.length < EXTENSIONS.length) await scanAll(db, relations, findings.add);
    return { ...findings.report(), without };
  });
}

async function inspectAll(db: Kysely<Database>, known: Known, add: (finding: Finding) => void): Promise<void> {
  const inspection = openInspection(db, known.usable);
  try {
    for (const relation of known.relations) {
      const finding = await inspect(inspection, relation, known);
      if (finding) add(finding);
    }
  } finally {
    await inspection.end();
  }
}

async function scanAll(db: Kysely<Database>, relations: readonly Relation[], add: (finding: Finding) => void): Promise<void> {
  for (const table of relations.filter(({ kind, isInternal }) => kind === 'table' && !isInternal)) {
    for (const finding of await scan(db, table, indexesOf(table, relations))) add(finding);
  }
}

interface Known {
  relations: readonly Relation[];
  usable: readonly Extension[];
}

/** Null: it is gone meanwhile, or the extensions that can be used find nothing of which they can tell. */
async function inspect(inspection: Inspection, relation: Relation, { relations, usable }: Known): Promise<Finding | null> {
  if (usable.includes('amcheck')) {
    const fault = await checkWithAmcheck(inspection, relation).catch(unlessGone);
    if (fault === undefined) return { relation, notRead: relation.kind };
    if (fault === GONE) return null;
    if (fault !== null || relation.kind !== 'table') return { relation, fault };
  }
  if (relation.kind !== 'table' || !usable.includes('pageinspect'))
    return usable.includes('amcheck') ? { relation, fault: null } : null;
  return { relation, fault: await findLostBy(inspection, relation, indexesOf(relation, relations)) };
}

/** An index that lists every row is enough; one that cannot be read is a fault of its own, and the next one is taken. */
async function findLostBy(inspection: Inspection, table: Relation, indexes: readonly Relation[]): Promise<string | null> {
  for (const index of indexes.filter(({ isFull }) => isFull).toSorted((left, right) => left.pages - right.pages)) {
    try {
      return await findLostPages(inspection, table, index);
    } catch (error) {
      // Throws what is no damage.
      if (!isGone(error)) describeFault(error);
    }
  }
  return null;
}

async function scan(db: Kysely<Database>, table: Relation, indexes: readonly Relation[]): Promise<Finding[]> {
  const others = indexes.filter(({ kind }) => kind !== 'btree').map((relation) => ({ relation, notRead: relation.kind }));
  try {
    const btrees = indexes.filter(({ kind }) => kind === 'btree');
    return [...(await scanTable(db, table, btrees)), ...others];
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

const indexesOf = ({ oid }: Relation, relations: readonly Relation[]): Relation[] =>
  relations.filter(({ tableOid }) => tableOid === oid);

function unlessGone(error: unknown): string {
  return isGone(error) ? GONE : describeFault(error);
}

/** Of each relation the first fault counts: a damaged page is met again and again. */
function createFindings(relations: readonly Relation[]) {
  const read = new Set<Relation>();
  const faults = new Map<Relation, string>();
  const notRead = new Map<Relation, string>();

  function add(finding: Finding): void {
    const { relation } = finding;
    if ('notRead' in finding) {
      notRead.set(relation, finding.notRead);
      return;
    }
    read.add(relation);
    if (finding.fault === null) return;
    const damaged = relation.kind === 'table' ? relation : ownerOf(finding.fault, relation);
    if (!faults.has(damaged)) faults.set(damaged, finding.fault);
  }

  /** An index that leads to a damaged page of its table is not damaged itself. */
  function ownerOf(fault: string, index: Relation): Relation {
    const file = FILE_IN.exec(fault)?.[1];
    return (file !== undefined && relations.find((relation) => relation.file === file)) || index;
  }

  return {
    add,
    report: () => ({
      tables: [...read].filter(({ kind }) => kind === 'table').length,
      indexes: [...read].filter(({ kind }) => kind !== 'table').length,
      faults: relations
        .filter((relation) => faults.has(relation))
        .map((relation) => `${labelOf(relation)}: ${faults.get(relation)}`),
      notRead: [...notRead].filter(([relation]) => !read.has(relation)).map(([{ name }, why]) => `${name} (${why})`),
    }),
  };
}

const labelOf = ({ kind, name }: Relation): string => `${kind === 'table' ? 'table' : 'index'} ${name}`;

/** Gives what is wrong, null if nothing; undefined: this version reads no such index. */
function checkWithAmcheck(inspection: Inspection, { oid, kind }: Relation): Promise<string | null | undefined> {
  return inspection.use(async (trx, functionOf) => {
    const call = (name: string) => functionOf('amcheck', name);
    if (kind === 'table') {
      const { rows } = await sql<{ fault: string }>`
        select 'block ' || blkno || ', row ' || offnum || ': ' || msg as fault
        from ${call('verify_heapam')}(${oid}::oid::regclass, check_toast => true) limit 1`.execute(trx);
      return rows[0]?.fault ?? null;
    }
    if (kind === 'btree') await sql`select ${call('bt_index_check')}(${oid}::oid::regclass, true)`.execute(trx);
    else if (!(await hasGinCheck(trx))) return undefined;
    else await sql`select ${call('gin_index_check')}(${oid}::oid::regclass)`.execute(trx);
    return null;
  });
}

/** Since PostgreSQL 18. */
async function hasGinCheck(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from pg_proc p join pg_extension e on e.extnamespace = p.pronamespace
      where e.extname = 'amcheck' and p.proname = 'gin_index_check') as is`.execute(trx);
  return rows[0]?.is === true;
}

const EXTENSIONS: readonly Extension[] = ['amcheck', 'pageinspect'];
const GONE = '';
/**
 * `invalid page in block 0 of relation base/5/16483`, with quotes in newer versions; `could not read block 7 in file "base/5/16483.1"`.
 */
const FILE_IN = / (?:of relation|in file) "?((?:base|global)\/[\d/]+)/;
