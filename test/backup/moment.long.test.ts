/** A backup beside a service that writes: one moment, and nobody waits for long. */

import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { eventually, openStoreChild } from '../support/processes/child-process.ts';
import { emptyPlace, linesOf, manifestOf, rowsOf } from '../support/rigs/backup.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('shows one number of the change list: every change up to it and none after, while others write', async () => {
  const place = await emptyPlace(DEFAULT_ENGINE);
  cleanups.push(place.remove);
  const options = { dataDir: place.folder, databaseUrl: place.env.DATABASE_URL };
  const child = await openStoreChild(options);
  cleanups.push(() => child.kill());
  child.tell({ kind: 'write', writers: 3, seed: 1 });
  const written = () => child.reports.filter(({ kind }) => kind === 'acknowledged');
  await eventually(() => written().length > 50);

  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  const moments: number[] = [];
  for (const name of ['first', 'second']) {
    const before = written().length;
    const file = join(folder, name);
    expect(await place.type('backup', file, '--without-secret')).toMatchObject({ status: 0, stderr: '' });
    // They were not stopped: they went on while it was written.
    await eventually(() => written().length > before);
    const lines = linesOf(file);
    const numbers = rowsOf(lines, 'change').map((row) => Number(/^\((\d+),/.exec(row)?.[1]));
    const { sequence } = manifestOf(file);
    expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: sequence }, (_, index) => index + 1));
    expect(rowsOf(lines, 'list_head')).toContainEqual(
      expect.stringMatching(new RegExp(`^\\(change,${sequence},[0-9a-f-]{36}\\)$`)),
    );
    moments.push(sequence);
  }
  expect(moments[1]).toBeGreaterThan(moments[0] ?? 0);

  child.tell({ kind: 'stop' });
  await child.next('stopped');
  // What was acknowledged is there: holding the engine lost nobody's commit.
  const store = await openStore(options);
  cleanups.push(() => store.close());
  const rows = await store.db.selectFrom('change').select('entity_id').orderBy('seq').execute();
  const ids = child.reports.flatMap((report) => (report.kind === 'acknowledged' ? report.ids : []));
  expect(new Set(rows.map(({ entity_id }) => entity_id))).toEqual(new Set(ids));
});
