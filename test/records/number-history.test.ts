/** Numbers of the change log that may be used again: another epoch, and nobody goes on from where he was. */

import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/log.ts';
import { checkTimeline, readLogState, recordChanges, watchTimeline, writeCity } from '../../src/records/index.ts';
import { loadDirectory } from '../../src/search/directory/follow-directory.ts';
import { beginSearch, createChangeReader, type Search } from '../../src/search/index.ts';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../src/search/snapshot/snapshot-builder.ts';
import { ALWAYS_LOOK, openStore, type Store, transact } from '../../src/store/index.ts';
import { write } from '../search/directory-writer.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { POSTGRES_PROGRAMS, startCluster, startStandby } from '../support/database/postgres.ts';
import { DEFAULT_ENGINE, openTestStore, temporaryFolder } from '../support/database/store.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const made = randomDirectory(createRandom(7), 12);
const published = { state: 'published', mergedInto: null } as const;
const directory = {
  ...made,
  venues: made.venues.map((venue) => ({ ...venue, ...published })),
  events: made.events.map((event) => {
    const price = event.isFree ? 0 : null;
    return { ...event, ...published, priceMin: price, priceMax: price };
  }),
};
const [first, second] = directory.events;

async function openSearch(store: Store, dataDir: string): Promise<{ search: Search; logged: string[] }> {
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const begun = beginSearch({ dataDir, publicUrl: PUBLIC_URL, nowSetting: new Date(NOW).toISOString(), log });
  closers.push(begun.cancel);
  const search = await begun.open(store.address);
  closers.push(search.close);
  return { search, logged };
}

async function openHere(): Promise<{ store: Store; folder: string }> {
  const { store, dispose } = await openTestStore();
  closers.push(dispose);
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  await write(store, directory, NOW);
  return { store, folder };
}

/** As an asynchronous failover does: the last changes and their effects are gone. */
async function lose(store: Store, count: number): Promise<void> {
  await transact(store.db, async (trx) => {
    await sql`update event set title = 'As before' where title = 'To be lost'`.execute(trx);
    await sql`delete from change where seq > (select seq from list_head where list = 'change') - ${count}`.execute(trx);
    await sql`update list_head set seq = seq - ${count} where list = 'change'`.execute(trx);
  });
}

const titleOf = (search: Search, id: string): string => {
  const snapshot = search.current();
  const found = snapshot.event(id);
  return found.found === 'published' ? JSON.parse(snapshot.writeEvents([found.item], 'detail', '', '').toString()).title : '';
};

describe('changes that the database has lost', () => {
  it('end the epoch, once, and the read model loads again', async () => {
    const { store, folder } = await openHere();
    await write(store, { events: [{ ...first!, title: 'To be lost' }] }, NOW + 1);
    const before = await readLogState(store.db);
    const { search, logged } = await openSearch(store, folder);
    const another = await openSearch(store, temporary());
    expect(titleOf(search, first!.id)).toBe('To be lost');
    await lose(store, before.head - (await readLogState(store.db)).head + 1);
    await expect.poll(() => titleOf(search, first!.id)).toBe('As before');
    await expect.poll(() => titleOf(another.search, first!.id)).toBe('As before');
    const after = await readLogState(store.db);
    expect([after.epoch === before.epoch, after.history === before.history]).toEqual([false, false]);
    await expect
      .poll(() => [search, another.search].map((each) => each.current().history))
      .toEqual([after.history, after.history]);
    const renewals = [...logged, ...another.logged].filter((line) => line.includes('begins a new epoch'));
    expect(renewals).toHaveLength(1);
    // The same number as the lost one.
    const seq = await write(store, { events: [{ ...second!, title: 'Instead' }] }, NOW + 2);
    expect(seq).toBe(before.head);
    await expect.poll(() => titleOf(search, second!.id)).toBe('Instead');
  });

  it('end the epoch at the next start, too, where the file of the read model knows them', async () => {
    const { store, folder } = await openHere();
    await write(store, { events: [{ ...first!, title: 'To be lost' }] }, NOW + 1);
    const { search } = await openSearch(store, folder);
    await search.close();
    const before = await readLogState(store.db);
    await lose(store, 1);
    await write(store, { events: [{ ...second!, title: 'Instead' }] }, NOW + 2);
    expect((await readLogState(store.db)).head).toBe(before.head);
    const next = await openSearch(store, folder);
    expect(next.logged.join()).toContain('it belongs to another database');
    expect(titleOf(next.search, first!.id)).toBe('As before');
    expect((await readLogState(store.db)).epoch).not.toBe(before.epoch);
  });

  it('are never read out of a snapshot that still holds them', async () => {
    const { store, folder } = await openHere();
    await write(store, { events: [{ ...first!, title: 'To be lost' }] }, NOW + 1);
    const { search } = await openSearch(store, folder);
    const snapshot = search.current();
    await search.close();
    await lose(store, 1);
    await write(store, { events: [{ ...first!, title: 'Instead' }] }, NOW + 2);
    const changes = createChangeReader({ db: store.db, commitWatcher: ALWAYS_LOOK, publicUrl: PUBLIC_URL, now: () => NOW });
    const query = { after: snapshot.seq - 1, limit: 9, entities: ['event'], kinds: ['updated'], snapshot } as const;
    const stale = await changes.read({ ...query, heldOnly: true });
    expect(stale.changes.map(({ record }) => record)).toEqual([
      { found: 'published', json: expect.stringContaining('To be lost') },
    ]);
    await sql`update list_head set history = gen_random_uuid()`.execute(store.db);
    expect(await changes.read({ ...query, heldOnly: true })).toMatchObject({ changes: [], reached: query.after });
    const { changes: read } = await changes.read({ ...query, heldOnly: false });
    expect(read.map(({ record }) => record)).toEqual([{ found: 'published', json: expect.stringContaining('Instead') }]);
  });
});

describe('a city that gets other settings', () => {
  it('is in no page of its new epoch as a snapshot from before prints it', async () => {
    const { store } = await openHere();
    const { db } = store;
    const snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(db, PUBLIC_URL)).build(NOW, NOW));
    const city = { ...directory.city, timezone: 'Asia/Tokyo' };
    await transact(db, async (trx) => recordChanges(trx, await writeCity(trx, city), NOW + 1));
    const changes = createChangeReader({ db, commitWatcher: ALWAYS_LOOK, publicUrl: PUBLIC_URL, now: () => NOW });
    const query = { after: 0, limit: 99, entities: ['event'], kinds: ['created'], snapshot } as const;
    const { changes: read } = await changes.read({ ...query, heldOnly: false });
    const inTokyo = { found: 'published', json: expect.stringMatching(/"startDatetime":"[^"]+\+09:00"/) };
    expect(read.map(({ record }) => record)).toEqual(directory.events.map(() => inTokyo));
    expect(await changes.read({ ...query, heldOnly: true })).toMatchObject({ changes: [], reached: 0, hasMore: false });
  });
});

function temporary(): string {
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  return folder;
}

if (DEFAULT_ENGINE === 'postgres') {
  describe('the timeline of the server', () => {
    it('ends the epoch when it is another one than before', async () => {
      const { store } = await openHere();
      const { epoch } = await readLogState(store.db);
      // It is noted first.
      expect(await checkTimeline(store.db)).toBe(false);
      expect(await checkTimeline(store.db)).toBe(false);
      expect((await readLogState(store.db)).epoch).toBe(epoch);
      await store.db.updateTable('change_log').set({ timeline: '7.00000001' }).execute();
      const renewed = await Promise.all([checkTimeline(store.db), checkTimeline(store.db)]);
      expect(renewed.filter(Boolean)).toHaveLength(1);
      expect((await readLogState(store.db)).epoch).not.toBe(epoch);
      expect(await checkTimeline(store.db)).toBe(false);
    });

    describe.skipIf(!POSTGRES_PROGRAMS)('of which a standby was promoted', () => {
      it('is another one, which a running service notices', async () => {
        const cluster = await startCluster();
        closers.push(cluster.dispose);
        const standby = await startStandby(cluster);
        closers.push(standby.dispose);
        const ports = `127.0.0.1:${cluster.port},127.0.0.1:${standby.port}`;
        const store = await openStore({ databaseUrl: `postgresql://marquee@${ports}/postgres`, dataDir: temporary() });
        closers.push(store.close);
        const logged: string[] = [];
        const log = createLog('info', { write: (line) => void logged.push(line) });
        const watch = await watchTimeline({ db: store.db, log, everyMs: 50 });
        closers.push(watch.close);
        const { epoch } = await readLogState(store.db);
        const isFollowed = async () =>
          (await sql`select from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()`.execute(store.db)).rows.length;
        await expect.poll(isFollowed).toBe(1);
        await cluster.kill();
        await standby.promote();
        await expect.poll(() => logged.join()).toContain('another timeline; the change log begins a new epoch');
        expect((await readLogState(store.db)).epoch).not.toBe(epoch);
      });
    });
  });
}
