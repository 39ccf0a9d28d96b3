// One engine is enough: the statements are the same.

import { expect, it } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { openStore } from '../../src/store/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { eventLine, now, smallBundle } from '../support/records/bundle.ts';

it('an import compares all events outside of transactions: the embedded database serves others meanwhile', async () => {
  const { folder, remove } = temporaryFolder();
  const texts: string[] = [];
  const store = await openStore({ dataDir: folder, onQuery: (text) => texts.push(text) });
  await importBundle({ store, bundle: smallBundle(), now });
  texts.splice(0);
  await importBundle({ store, bundle: { events: [eventLine('jazz', { title: 'Late Jazz' })] }, now });
  await store.close();
  remove();
  const compared = texts.findLastIndex((text) => /extract\(epoch from starts_at\)[^;]*\bfrom event\b/.test(text));
  expect(compared).toBeGreaterThan(0);
  const before = texts.slice(0, compared);
  const written = before.lastIndexOf('begin');
  expect(written).toBeGreaterThanOrEqual(0);
  expect(before.lastIndexOf('commit')).toBeGreaterThan(written);
});
