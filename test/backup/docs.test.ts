import { expect, test } from 'vitest';
import { TABLES } from '../../src/backup/database/tables.ts';
import { DATA_FILES, LEFT_OUT } from '../../src/backup/index.ts';
import { quoted, tableRows } from '../house/source-tree.ts';

const listed = (heading: string) =>
  Object.fromEntries(tableRows('docs/backup.md', heading).map(([name = '', why = '']) => [quoted(name)[0], why]));

test('the page lists what a backup leaves out and takes along, and no more', () => {
  expect(listed('table left out')).toEqual(LEFT_OUT);
  expect(listed('file taken along')).toEqual(DATA_FILES);
  for (const table of Object.keys(LEFT_OUT)) expect(TABLES).toContain(table);
});
