/** A directory with two sources, radio (trusted more) and press, made anew for each test of a file. */

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { importBundle } from '../../../src/ingest/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, NOW, now } from '../records/bundle.ts';
import { addFeed, type Feed, listing } from './sources.ts';

export interface TwoSources {
  readonly store: Store;
  readonly radio: Feed;
  /** What it brings is known a second later than what the radio brings. */
  readonly press: Feed;
  /** Empties the directory in the middle of a test. */
  fresh(): Promise<void>;
  events(): ReturnType<typeof readEvents>;
  listed(): ReturnType<typeof readEvents>;
  recordId(externalId: string): Promise<string>;
  /** Has both list the same concert in their own words. */
  sayTheSame(): Promise<void>;
}

export function useTwoSources(): TwoSources {
  let test: TestStore;
  let temporary: ReturnType<typeof temporaryFolder>;
  let radio: Feed;
  let press: Feed;
  const fresh = async (): Promise<void> => {
    const { store } = test;
    await emptyDirectory(store);
    await importBundle({ store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
    radio = await addFeed(store, temporary.folder, 'radio', { trust: 0.8 });
    const other = await addFeed(store, temporary.folder, 'press', { trust: 0.4 });
    press = { ...other, run: (more) => other.run({ now: () => NOW + 1000, ...more }) };
  };
  beforeAll(async () => {
    test = await openTestStore();
    temporary = temporaryFolder();
  });
  beforeEach(fresh);
  afterAll(async () => {
    temporary.remove();
    await test.dispose();
  });
  return {
    get store() {
      return test.store;
    },
    get radio() {
      return radio;
    },
    get press() {
      return press;
    },
    fresh,
    events: () => readEvents(test.store),
    listed: async () => (await readEvents(test.store)).filter(({ state }) => state === 'published'),
    async recordId(externalId) {
      const found = await test.store.db
        .selectFrom('record')
        .select('id')
        .where('external_id', '=', externalId)
        .where('kind', '=', 'event')
        .executeTakeFirstOrThrow();
      return found.id;
    },
    async sayTheSame() {
      radio.write([listing('r1', { name: 'The Lanterns', text: 'An evening with the Lanterns' })]);
      press.write([listing('p1', { name: 'The Lanterns (live)', min: 12, text: 'short', url: 'https://press.example/p1' })]);
      await radio.run();
      await press.run();
    },
  };
}

const readEvents = ({ db }: Store) =>
  db
    .selectFrom('event')
    .select(['id', 'title', 'state', 'status', 'starts_at', 'sources', 'description', 'merged_into', 'unconfirmed_since'])
    .orderBy('title')
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
