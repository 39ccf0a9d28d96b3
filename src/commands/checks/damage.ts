/** `doctor --deep`: reads every page of every table and index, to see what disks and crashes left of them. */

import { join } from 'node:path';
import { checkPages, checkRelations, namePages, type PageCheck, type RelationCheck, type Store } from '../../store/index.ts';

export interface DamageReport {
  /** Lines to print: a name, and what there is to say. */
  lines: [string, string][];
  /** One for each that is damaged. */
  faults: string[];
}

export async function findDamage(store: Store): Promise<DamageReport> {
  const pages = await describePages(store);
  const check = await checkRelations(store.db);
  const { tables, indexes, faults } = check;
  const read = `${tables} tables and ${indexes} indexes read`;
  return {
    lines: [
      ...pages.lines,
      ['rows', faults.length === 0 ? `${read}; none is damaged` : `${read}; ${faults.length} DAMAGED`],
      ...[...faults, ...describeLimits(check)].map((line): [string, string] => ['', line]),
    ],
    faults: [...pages.faults, ...faults],
  };
}

/** What was read in another way than by the extensions of PostgreSQL, or not at all. */
function describeLimits({ without: { amcheck, pageinspect }, notRead }: RelationCheck): string[] {
  const limits: string[] = [];
  if (amcheck !== null) {
    limits.push(`indexes were read by ordered scans, and nothing of PostgreSQL's own catalog: ${amcheck}; ${HOW_TO_USE_AMCHECK}`);
  }
  if (pageinspect !== null)
    limits.push(`lost pages were looked for by counting rows: ${pageinspect}; only a superuser can read pages`);
  if (notRead.length > 0) limits.push(`indexes NOT read: ${notRead.join(', ')}`);
  return limits;
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

const HOW_TO_USE_AMCHECK =
  'a superuser can run create extension amcheck, and grant execute on all its functions to the user of DATABASE_URL';
