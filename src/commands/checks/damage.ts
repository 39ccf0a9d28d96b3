/** `doctor --deep`: reads every page of every table and index, to see what disks and crashes left of them. */

import { join } from 'node:path';
import { checkPages, checkRelations, namePages, type PageCheck, type Store } from '../../store/index.ts';

export interface DamageReport {
  /** Lines to print: a name, and what there is to say. */
  lines: [string, string][];
  /** One for each that is damaged. */
  faults: string[];
}

export async function findDamage(store: Store): Promise<DamageReport> {
  const pages = await describePages(store);
  const { tables, indexes, faults, notRead } = await checkRelations(store.db);
  const read = `${tables} tables and ${indexes} indexes read`;
  const relations = faults.length === 0 ? `${read}; none is damaged` : `${read}; ${faults.length} DAMAGED`;
  return {
    lines: [
      ...pages.lines,
      ['rows', notRead === null ? relations : `${relations}; indexes NOT read: ${notRead}; ${HOW_TO_READ_INDEXES}`],
      ...faults.map((fault): [string, string] => ['', fault]),
    ],
    faults: [...pages.faults, ...faults],
  };
}

/** A server reads its pages itself, and finds nothing wrong with them where it keeps no checksums. */
async function describePages({ db, databaseFolder }: Store): Promise<DamageReport> {
  if (databaseFolder === null) return { lines: [], faults: [] };
  const check = await checkPages(databaseFolder);
  return describeCheck(check, await namePages(db, check.damaged));
}

/** The pages of an embedded database that cannot be opened, by the names of their files. */
export async function describeFiles(dataDir: string): Promise<[string, string][]> {
  const check = await checkPages(join(dataDir, 'database'));
  return describeCheck(check, await namePages(null, check.damaged)).lines;
}

function describeCheck({ pages, damaged }: PageCheck, names: string[]): DamageReport {
  const said = damaged.length === 0 ? 'none is damaged' : `${damaged.length} DAMAGED`;
  return {
    lines: [['pages', `${pages} read; ${said}`], ...names.map((name): [string, string] => ['', name])],
    faults: names,
  };
}

const HOW_TO_READ_INDEXES =
  'a superuser can run create extension amcheck, and grant execute on all its functions to the user of DATABASE_URL';
