import { expect, it } from 'vitest';
import { KEPT_FOREVER, RETENTION } from '../../src/retention/index.ts';
import { quoted, tableRows } from '../house/source-tree.ts';
import { TABLES } from '../store/tables.ts';

const PAGE = 'docs/retention.md';

it('the page has the rules as the code has them, and no other', () => {
  const rows = tableRows(PAGE, 'data').map(([name = '', ...rest]) => [quoted(name)[0], ...rest]);
  expect(rows).toEqual(RETENTION.map(({ name, kept, why, how }) => [name, kept, why, how]));
  const forever = tableRows(PAGE, 'table').map(([name = '', why]) => [quoted(name)[0], why]);
  expect(forever).toEqual(Object.entries(KEPT_FOREVER));
});

it('every table of the database has a rule, or a reason to be kept for ever', () => {
  const named = [...RETENTION.map(({ name }) => name).filter((name) => !name.endsWith('/')), ...Object.keys(KEPT_FOREVER)];
  expect(named.toSorted()).toEqual(Object.keys(TABLES).sort());
});
