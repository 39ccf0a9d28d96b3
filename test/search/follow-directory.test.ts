/** Both engines: changes are committed while another connection reads. */

import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { loadDirectory, takeChanges } from '../../src/search/directory/follow-directory.ts';
import { followList } from '../../src/store/index.ts';
import { openTestStore } from '../support/database/store.ts';
import { cleanUpAt, DAY } from '../support/runs/clean-up.ts';
import { write } from './directory-writer.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from './random-directory.ts';

it('a change list that was cleaned up is followed from far behind; one that was cut is not', async () => {
  const { store, dispose } = await openTestStore();
  onTestFinished(dispose);
  const made = randomDirectory(createRandom(3), 9);
  const published = { state: 'published', mergedInto: null } as const;
  const events = made.events.map((event) => {
    const price = event.isFree ? 0 : null;
    return { ...event, ...published, priceMin: price, priceMax: price };
  });
  await write(store, { ...made, venues: made.venues.map((venue) => ({ ...venue, ...published })), events }, NOW);
  const directory = await loadDirectory(store.db, PUBLIC_URL);
  const [first, second] = events;
  for (let day = 1; day <= 5; day += 1) await write(store, { events: [{ ...first!, title: `Day ${day}` }] }, NOW + day * DAY);
  const last = await write(store, { events: [{ ...second!, title: 'Other' }] }, NOW + 5 * DAY);
  expect((await cleanUpAt(store, NOW + 200 * DAY)).change).toBeGreaterThan(4);
  const follower = followList({
    db: store.db,
    list: 'change',
    after: directory.seq,
    inTransaction: true,
    pollMs: 3_600_000,
    handler: (changes, upTo, trx) => takeChanges(trx, directory, changes, upTo),
  });
  onTestFinished(follower.close);
  await follower.catchUp();
  expect(directory.seq).toBe(last);
  expect(follower.status()).toMatchObject({ position: last, lag: 0 });

  await write(store, { events: [{ ...first!, title: 'After' }] }, NOW + 201 * DAY);
  await write(store, { events: [{ ...first!, title: 'Later' }] }, NOW + 201 * DAY);
  await sql`delete from change where seq = ${last + 1}`.execute(store.db);
  await expect(follower.catchUp()).rejects.toMatchObject({ code: 'list_broken' });
});
