import { expect, it } from 'vitest';
import { filesLeftOut, filesWithoutEngine } from '../support/runs/engine-files.ts';
import { files } from './source-tree.ts';

it('a second engine runs every test file that asks for a database, by itself or through what it imports, unless one engine is enough for it', () => {
  const without = filesWithoutEngine();
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  const both = tests.filter((file) => !without.includes(file));
  for (const file of [
    'store/transact',
    'web/desk-oversight.long',
    'accounts/gate',
    'api/changes',
    'ingest/source-jobs',
    'exports/service.long',
  ])
    expect(both).toContain(`test/${file}.test.ts`);
  for (const file of ['search/geo', 'values/loopback', 'providers/openagenda', 'web/every-page.long'])
    expect(without).toContain(`test/${file}.test.ts`);
  expect(both.length).toBeGreaterThan(tests.length / 4);
});

it('a file is left out by one of two engines at most, and never where its engine is the only one', () => {
  expect(filesLeftOut('embedded', false)).toEqual([]);
  const leftToServer = filesLeftOut('embedded', true);
  expect(leftToServer).toContain('test/backup/scheduled.long.test.ts');
  for (const file of filesLeftOut('postgres', true)) expect(leftToServer).not.toContain(file);
});
