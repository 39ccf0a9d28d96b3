/** What operators know of a file of the database: the table or the index whose it is. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { DamagedPage } from './page-files.ts';

/**
 * One text for each file: `table event (base/5/16483, blocks 0, 2)`. A relation that the database cannot name is its file; `db` is null
 * where it cannot be asked.
 */
export async function namePages(db: Kysely<Database> | null, damaged: readonly DamagedPage[]): Promise<string[]> {
  const names: string[] = [];
  for (const [relation, pages] of Map.groupBy(damaged, (page) => page.relation)) {
    const blocks = describeBlocks(pages.map(({ block }) => block));
    const name = db && (await nameRelation(db, relation));
    names.push(name === null ? `${relation} (${blocks})` : `${name} (${relation}, ${blocks})`);
  }
  return names;
}

/** `blocks 1, 2, 3, 4, 5 and 2 more`. */
export function describeBlocks(blocks: readonly number[]): string {
  const more = blocks.length - MAX_SHOWN;
  return `block${blocks.length === 1 ? '' : 's'} ${blocks.slice(0, MAX_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Null: it is not of this database, or the names are damaged, too. */
async function nameRelation(db: Kysely<Database>, relation: string): Promise<string | null> {
  const [main = '', map = ''] = relation.split('_');
  const [folder, ...rest] = main.split('/');
  const file = rest.at(-1) ?? '';
  const tablespace = folder === 'global' ? GLOBAL_TABLESPACE : 0;
  const found = sql<{ name: string; kind: string }>`
    select oid::regclass::text as name, case when relkind in ('i', 'I') then 'index' else 'table' end as kind
    from pg_class where oid = pg_filenode_relation(${tablespace}::oid, ${Number(file)}::oid)
      and (${folder} = 'global' or ${main} = pg_relation_filepath(oid))`;
  const { rows } = await found.execute(db).catch(() => ({ rows: [] }));
  const of = Object.hasOwn(MAPS, map) ? `${MAPS[map]} of ` : '';
  return rows[0] ? `${of}${rows[0].kind} ${rows[0].name}` : null;
}

/** What stands in files of their own beside a relation. A vacuum writes them anew. */
const MAPS: Readonly<Record<string, string>> = { fsm: 'free space map', vm: 'visibility map' };
/** `pg_global` (`src/include/catalog/pg_tablespace.dat`). */
const GLOBAL_TABLESPACE = 1664;
const MAX_SHOWN = 5;
