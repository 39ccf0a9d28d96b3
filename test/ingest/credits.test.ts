// One engine is enough: a few lines are read.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addSource, importBundle, loadCredits, runSource } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, now } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { FEED_MAPPING, listing, READING } from '../support/rigs/sources.ts';

let test: TestStore;
const { folder, remove } = temporaryFolder();
beforeAll(async () => {
  test = await openTestStore('embedded');
  await emptyDirectory(test.store);
});
afterAll(async () => {
  remove();
  await test.dispose();
});

it('each line that a licence asks for is told once, and stands in the manifest of an export', async () => {
  const { store } = test;
  const city = { ...CITY, credit: 'Borders: Office of Maps' };
  await importBundle({ store, bundle: { city, neighborhoods: NEIGHBORHOODS }, now });
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ events: [listing('one')] }));
  for (const [name, licence] of [
    ['paper', 'Evening Paper, CC BY 4.0'],
    ['again', 'Evening Paper, CC BY 4.0'],
    ['plain', undefined],
  ] as const) {
    const added = await addSource({
      store,
      kind: 'json',
      location: join(folder, 'a.json'),
      mapping: FEED_MAPPING,
      name,
      licence,
      now,
    });
    expect(added.ok).toBe(true);
  }
  expect(await loadCredits(store.db)).toEqual(['Borders: Office of Maps']);
  for (const name of ['paper', 'again', 'plain']) await runSource({ store, name, now, ...READING });
  const lines = ['Borders: Office of Maps', 'Evening Paper, CC BY 4.0'];
  expect(await loadCredits(store.db)).toEqual(lines);
  const target = join(mkdtempSync(join(folder, 'export-')), 'all');
  const exported = await marqueeHere(['export', target], {
    MARQUEE_DATA_DIR: test.options.dataDir,
    MARQUEE_NOW: '2026-06-16T20:00:00Z',
  });
  expect([exported.status, exported.stderr]).toEqual([0, '']);
  expect(JSON.parse(readFileSync(join(target, 'manifest.json'), 'utf8'))).toMatchObject({ credits: lines });
});

it('a licence is one line', async () => {
  const source = { store: test.store, kind: 'ical', location: 'https://calendar.test/a.ics', mapping: null, now };
  expect(await addSource({ ...source, name: 'two', licence: 'one\ntwo' })).toEqual({
    ok: false,
    reason: 'wanted a licence of one line, at most 500 characters',
  });
});
