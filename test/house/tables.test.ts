// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the samples are code
import { describe, expect, it } from 'vitest';
import { TABLES } from '../../src/backup/database/tables.ts';
import { RETENTION } from '../../src/retention/index.ts';
import { files, quoted, read, tableRows } from './source-tree.ts';
import { type Access, type TableUse, tablesNamedIn } from './table-uses.ts';

type Named = TableUse & { file: string; room: string };

const roomOf = (file: string): string => file.split('/')[1] ?? '';

/** By table its room: `schema/<room>.ts` has an interface of all its tables. */
const owners = new Map(
  files
    .filter((file) => file.startsWith('src/store/schema/'))
    .flatMap((file) => {
      const [, members = ''] = /export interface \w+Tables \{\n([\s\S]*?)\n\}/.exec(read(file)) ?? [];
      const room = file.slice('src/store/schema/'.length, -'.ts'.length);
      return [...members.matchAll(/^ {2}(\w+): /gm)].map(([, table = '']) => [table, room] as const);
    }),
);
const tables: ReadonlySet<string> = new Set(owners.keys());

/** Migrations are of all tables. */
const sources = files.filter((file) => /^src\/.*\.tsx?$/.test(file) && !file.startsWith('src/store/migrations/'));
const named = new Map(sources.map((file) => [file, tablesNamedIn(read(file), tables)]));
const uses: Named[] = [...named].flatMap(([file, found]) => found.uses.map((use) => ({ ...use, file, room: roomOf(file) })));

/** Where a variable names a table: the tables that it may name. */
const NAMED_BY_VARIABLE: Readonly<Record<string, readonly string[]>> = {
  'src/accounts/sign-in/delete-account.ts': ['session', 'credential', 'passkey', 'two_factor', 'letter'],
  'src/backup/database/load.ts': TABLES,
  'src/backup/database/read-rows.ts': TABLES,
  'src/records/write/lifecycle.ts': ['event', 'venue'],
  'src/records/queries/find-records.ts': ['event', 'venue'],
  'src/records/queries/load-records.ts': ['event', 'venue'],
  'src/records/queries/relations.ts': ['event', 'venue'],
  'src/records/write/slug.ts': ['event', 'venue'],
  'src/retention/delete-old.ts': RETENTION.map(({ name }) => name).filter((name) => tables.has(name)),
  'src/retention/sizes.ts': RETENTION.map(({ name }) => name).filter((name) => tables.has(name)),
  'src/retention/thin-history.ts': ['score_history', 'signal'],
  'src/store/lists.ts': ['change', 'access_change'],
};

/** Files that list the tables of an exception. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'src/retention/rules.ts': RETENTION.map(({ name }) => name),
  'src/backup/database/tables.ts': TABLES,
};

/** The rooms that name tables of others by design, from ARCHITECTURE.md. */
const exceptions = tableRows('ARCHITECTURE.md', 'other room').map(([room = '', access = '', of = '']) => ({
  room: quoted(room)[0] ?? '',
  access: access as 'reads' | 'writes' | 'deletes',
  // A list in the code has all tables, also those of the room itself.
  tables: quoted(of).flatMap((each) => LISTS[each]?.filter((table) => owners.get(table) !== quoted(room)[0]) ?? [each]),
}));

const ALLOWS: Readonly<Record<'reads' | 'writes' | 'deletes', readonly Access[]>> = {
  reads: ['read'],
  writes: ['read', 'write'],
  deletes: ['read', 'delete'],
};

const isAllowed = ({ table, access, room }: Named): boolean =>
  owners.get(table) === room ||
  exceptions.some((each) => each.room === room && each.tables.includes(table) && ALLOWS[each.access].includes(access));

const foreign = (some: readonly Named[]): string[] =>
  some
    .filter((use) => !isAllowed(use))
    .map(({ file, line, access, table }) => `${file}:${line} names ${table} of ${owners.get(table)} (${access})`);

/** As if a file of a room had this text. */
const foreignIn = (file: string, source: string): string[] =>
  foreign(tablesNamedIn(source, tables).uses.map((use) => ({ ...use, file, room: roomOf(file) })));

describe('tables', () => {
  it('belong to one room each, and ARCHITECTURE.md says which', () => {
    const declared = tableRows('ARCHITECTURE.md', 'owner').flatMap(([room = '', list = '']) =>
      quoted(list).map((table) => [table, quoted(room)[0] ?? ''] as const),
    );
    const inOrder = (pairs: Iterable<readonly [string, string]>) => [...pairs].map((pair) => pair.join(' of ')).sort();
    expect(inOrder(declared)).toEqual(inOrder(owners));
    const all = [...read('src/store/schema.ts').matchAll(/import type \{ (\w+)Tables \} from '.\/schema\/(\w+)\.ts'/g)];
    expect(all.map(([, , room = '']) => room).sort()).toEqual([...new Set(owners.values())].sort());
  });

  it('are seen where code names them', () => {
    expect(tables.size).toBeGreaterThan(50);
    expect(uses.length).toBeGreaterThan(300);
    expect([...new Set(uses.map(({ table }) => table))].sort()).toEqual([...tables].sort());
    const known = [
      'src/ingest/sources/sources.ts write source',
      'src/records/changes/change-log.ts read change',
      'src/store/lease.ts delete lease',
    ];
    const found = new Set(uses.map(({ file, access, table }) => `${file} ${access} ${table}`));
    expect(known.filter((each) => !found.has(each))).toEqual([]);
  });

  it.each([
    ["db.selectFrom('event as led').select('id')", 'event (read)'],
    ["db.selectFrom(['city', 'event as led'])", 'event (read)'],
    ["db\n  .selectFrom<'x'>(\n    'event',\n  )", 'event (read)'],
    ["db.selectFrom('city').innerJoin('record as other', 'other.id', 'id')", 'record (read)'],
    ["trx.insertInto('record').values(row)", 'record (write)'],
    ["trx.updateTable('record').from('run')", 'run (read)'],
    ["trx.deleteFrom('record').using('run')", 'record (delete)'],
    ["db.selectFrom('city').where(({ exists, selectFrom }) => exists(selectFrom('record')))", 'record (read)'],
    ["appendToList(trx, 'access_change', [], at)", 'access_change (write)'],
    ['sql`select from record where id = ${id}`', 'record (read)'],
    ['sql<{ id: string }>`select record.id\n from change, record as r`', 'record (read)'],
    ['sql`with own as (select id from "record") select * from own`', 'record (read)'],
    ['sql`select 1 from unnest(${ids}::uuid[]) as r (id) left join record on record.id = r.id`', 'record (read)'],
    ['sql`select (select count(*) from ${x ? sql`record` : y} as record), ${sql`(select from record)`}`', 'record (read)'],
    ['sql`delete from record using r where true`', 'record (delete)'],
    ['sql`INSERT INTO public.record (id) VALUES (1)`', 'record (write)'],
    ['sql`update record set gone_at = null`', 'record (write)'],
    ['sql`lock table record in share mode`', 'record (write)'],
    ['sql`copy record to stdout`', 'record (write)'],
    ["sql`select from ${sql.table('record')}`", 'record (read)'],
    ["sql.raw('select id from record')", 'record (read)'],
    ["const SQL = 'delete from record where true'", 'record (delete)'],
    ["type Row = Selectable<Database['record']>", 'record (read)'],
  ])('are found in a room that does not own them: %s', (code, expected) => {
    const [table = '', access = ''] = expected.replace(/[()]/g, '').split(' ');
    const room = table === 'event' ? 'ingest' : 'web';
    const line = foreignIn(`src/${room}/planted.ts`, code).filter((each) => each.includes(` ${table} `));
    expect(line.length).toBeGreaterThan(0);
    expect(line[0]).toContain(`(${access})`);
  });

  it.each([
    "Array.from('record')",
    '// select id from record\n/* update record set x */',
    'sql`select record.id, extract(epoch from record.starts_at), source from x where state is distinct from record.state`',
    "sql`select 'from record' as text`",
    "const text = 'Choose a source from record or run';",
    "db.selectFrom('city').select(['record', 'event'])",
  ])('are not found in %s', (code) => {
    expect(foreignIn('src/web/planted.ts', code).filter((each) => !each.includes(' city '))).toEqual([]);
  });

  it('are named in SQL by their own room alone', () => {
    expect(foreign(uses)).toEqual([]);
  });

  it('are named by a variable only where it is known which they are', () => {
    const found = [...named].filter(([, { dynamic }]) => dynamic.length > 0).map(([file]) => file);
    expect(found.sort()).toEqual(Object.keys(NAMED_BY_VARIABLE).sort());
    const byVariable = Object.entries(NAMED_BY_VARIABLE).flatMap(([file, names]) =>
      names.map((table): Named => ({ table, file, line: 0, access: 'read', room: roomOf(file) })),
    );
    expect(foreign(byVariable)).toEqual([]);
    expect(tablesNamedIn('db.selectFrom(kind); sql`select from ${sql.table(list)}`', tables).dynamic).toEqual([1, 1]);
  });

  it('have no exception that nobody uses', () => {
    const used = [
      ...uses,
      ...Object.entries(NAMED_BY_VARIABLE).flatMap(([file, names]) => names.map((table) => ({ room: roomOf(file), table }))),
    ];
    const unused = exceptions.flatMap(({ room, tables: of }) =>
      of.filter((table) => tables.has(table) && !used.some((use) => use.room === room && use.table === table)),
    );
    expect(unused).toEqual([]);
    expect(exceptions.filter(({ room, tables: of }) => of.some((table) => owners.get(table) === room))).toEqual([]);
  });
});
