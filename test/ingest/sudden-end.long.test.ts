/** Both engines: a killed process leaves a connection on a server, and a folder on the embedded engine. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bundle, type ImportOptions, importBundle, runSource } from '../../src/ingest/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { openNewTestStore, openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import {
  CITY,
  emptyDirectory,
  eventLine,
  NEIGHBORHOODS,
  now,
  smallBundle,
  square,
  venueLine,
} from '../support/records/bundle.ts';
import { addFeed, listing, READING } from '../support/rigs/sources.ts';

const LISTINGS = 1200;
const CHILD = new URL('../support/processes/ingest-child.ts', import.meta.url);
const records = Array.from({ length: LISTINGS }, (_, n) =>
  listing(String(n), { name: `Evening ${n}`, start: `2026-07-${String(1 + (n % 28)).padStart(2, '0')}T${10 + (n % 12)}:00:00` }),
);

it('a run that is killed between batches leaves whole ones, and the next run comes to the same end', async () => {
  const test = await openNewTestStore('embedded');
  const temporary = temporaryFolder();
  let store: Store | null = test.store;
  const picture = async (at: Store) => {
    const rows = await at.db
      .selectFrom('event')
      .leftJoin('record', 'record.event_id', 'event.id')
      .select(['title', 'event.state', 'external_id'])
      .orderBy('title')
      .execute();
    return rows.map(({ title, external_id, state }) => [title, external_id, state]);
  };
  try {
    await importBundle({ store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
    await addFeed(store, temporary.folder, 'feed');
    writeFileSync(join(temporary.folder, 'feed.json'), JSON.stringify({ events: records }));
    const { dataDir } = test.options;
    await store.close();
    store = null;

    const child = fork(CHILD, [dataDir, 'feed'], { execArgv: [...BRIEF_NODE] });
    const ended = once(child, 'exit');
    child.on('message', ({ step, done }: { step: string; done: number }) => {
      if (step === 'writing' && done > 0) child.kill('SIGKILL');
    });
    expect((await ended)[1]).toBe('SIGKILL');

    store = await openStore({ dataDir });
    const { db } = store;
    const halfway = await picture(store);
    expect(halfway.length).toBeGreaterThan(0);
    expect(halfway.length).toBeLessThan(LISTINGS);
    expect(halfway.every(([, externalId]) => externalId !== null)).toBe(true);
    // The lease of the dead runs out by itself; a test does not wait for it.
    await db
      .updateTable('lease')
      .set({ until: new Date(0) })
      .execute();
    const report = await runSource({ store, name: 'feed', now, ...READING });
    expect(report.events).toEqual({ created: LISTINGS - halfway.length, updated: 0, unchanged: halfway.length });
    const whole = await picture(store);
    expect(whole.map(([title]) => title)).toEqual(records.map(({ name }) => name).sort());
  } finally {
    await store?.close();
    temporary.remove();
    await test.dispose().catch(() => undefined);
  }
});

describe('an import that is stopped after its last batch, and run again,', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  beforeEach(() => emptyDirectory(test.store));
  afterAll(() => test.dispose());

  const load = (bundle: Bundle, options: Partial<ImportOptions> = {}) =>
    importBundle({ store: test.store, bundle, now, ...options });
  const stopAfter = async (bundle: Bundle, file: string) => {
    const onProgress: ImportOptions['onProgress'] = (progress) => {
      if (progress.file === file) throw new Error('stopped');
    };
    await expect(load(bundle, { onProgress })).rejects.toThrow('stopped');
  };

  it('moves venues that it does not name when the polygons around them have changed', async () => {
    await load(smallBundle());
    const bundle = {
      neighborhoods: { type: 'FeatureCollection', features: [square('harbor', -74.5, 40), square('uptown', -74, 40)] },
      venues: [venueLine('bar')],
    };
    await stopAfter(bundle, 'venues.ndjson');
    expect((await load(bundle)).venues).toEqual({ created: 0, updated: 2, unchanged: 1 });
    expect(
      (await test.store.db.selectFrom('venue').selectAll().orderBy('name').execute()).map(({ name, neighborhood }) => [
        name,
        neighborhood,
      ]),
    ).toEqual([
      ['The attic', null],
      ['The bar', 'uptown'],
      ['The cellar', 'uptown'],
    ]);
  });

  it('counts the showings of a run anew', async () => {
    const night = (day: number) => eventLine(`night-${day}`, { title: 'Night of jazz', startDatetime: `2026-06-${day}T20:00` });
    await load({ ...smallBundle(), events: [night(25)] });
    const bundle = { events: [night(25), night(20)] };
    await stopAfter(bundle, 'events.ndjson');
    expect((await load(bundle)).events.unchanged).toBe(2);
    expect(
      (await test.store.db.selectFrom('event').selectAll().orderBy('starts_at').execute()).map(({ starts_at, showing }) => [
        starts_at.getUTCDate(),
        showing,
      ]),
    ).toEqual([
      [21, 1],
      [26, 2],
    ]);
  });
});
