// PostgreSQL is quicker.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { beginSearch, type Search, type SearchOptions } from '../../src/search/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';
import { write } from './directory-writer.ts';
import { createRandom, eventId, NOW, PUBLIC_URL, randomDirectory, venueId } from './random-directory.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const made = randomDirectory(createRandom(5), 60);
const directory = {
  ...made,
  neighborhoods: made.neighborhoods,
  venues: made.venues.map((venue) => ({ ...venue, state: 'published' as const, mergedInto: null })),
  events: made.events.map((event) => ({
    ...event,
    state: 'published' as const,
    mergedInto: null,
    priceMin: event.isFree ? 0 : null,
    priceMax: event.isFree ? 0 : null,
  })),
};

async function openRig(options: Partial<SearchOptions> = {}): Promise<{
  rig: TestStore;
  search: Search;
  logged: string[];
  open(more?: Partial<SearchOptions>, builder?: URL): Promise<Search>;
}> {
  const rig = await openTestStore();
  closers.push(rig.dispose);
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const open = async (more: Partial<SearchOptions> = {}, builder?: URL) => {
    const nowSetting = new Date(NOW).toISOString();
    const own = { dataDir: undefined, publicUrl: PUBLIC_URL, nowSetting, log };
    const begun = beginSearch({ ...own, ...options, ...more }, builder);
    closers.push(begun.cancel);
    const search = await begun.open(rig.store.address);
    closers.push(search.close);
    return search;
  };
  return { rig, search: await open(), logged, open };
}

const everything = {
  from: 0,
  to: Number.POSITIVE_INFINITY,
  limit: 1000,
  offset: 0,
  statuses: ['scheduled', 'cancelled', 'postponed', 'rescheduled', 'sold_out'],
} as const;
const titles = (search: Search): string[] => {
  const page = search.current().events(everything);
  return (JSON.parse(search.current().writeEvents(page.items, 'list', '[', ']').toString()) as { title: string }[]).map(
    ({ title }) => title,
  );
};
const print = (search: Search): string => {
  const snapshot = search.current();
  return (
    snapshot.writeEvents(snapshot.events(everything).items, 'detail', '', '').toString() +
    JSON.stringify(snapshot.neighborhoods(NOW).items)
  );
};

test('an empty store serves an empty directory, and what is committed is there a moment later', async () => {
  const { rig, search } = await openRig();
  expect(search.current().counts.events).toBe(0);
  const seq = await write(rig.store, directory, NOW);
  await search.caughtUp(seq);
  expect(search.current().city.timezone).toBe(directory.city.timezone);
  expect(search.current().counts).toEqual({
    events: 60,
    venues: directory.venues.length,
    neighborhoods: directory.neighborhoods.length,
  });
  expect(search.freshness()).toMatchObject({ seq, headSeq: seq });

  await search.caughtUp(await write(rig.store, { events: [{ ...directory.events[0]!, title: 'Another title' }] }, NOW + 1));
  expect(titles(search)).toContain('Another title');
});

test('an old snapshot stays as it was, a new one holds renamed venues, removed events and new scores', async () => {
  const { rig, search } = await openRig();
  await search.caughtUp(await write(rig.store, directory, NOW));
  const before = search.current();
  const bytes = print(search);
  const listed = directory.events.filter(({ state }) => state === 'published');
  const venue = directory.venues.find(({ id }) => listed.filter((event) => event.venueId === id).length > 1)!;
  const there = listed.filter((event) => event.venueId === venue.id);
  const seq = await write(
    rig.store,
    {
      venues: [{ ...venue, name: 'Renamed Palace' }],
      removed: [there[0]!.id],
      scores: [{ id: there[1]!.id, discoveryScore: 99 }],
    },
    NOW + 1,
  );
  await search.caughtUp(seq);
  const after = search.current();
  expect(after.event(there[0]!.id).found).toBe('removed');
  const page = after.events({ ...everything, text: '"renamed palace"' });
  expect(page.total).toBe(there.length - 1);
  const shown = JSON.parse(after.writeEvents(page.items, 'compact', '[', ']').toString()) as {
    id: string;
    discoveryScore: number;
  }[];
  expect(shown.find(({ id }) => id === there[1]!.id)?.discoveryScore).toBe(99);
  expect(before.events(everything).total).toBe(60);
  expect(
    before.writeEvents(before.events(everything).items, 'detail', '', '').toString() +
      JSON.stringify(before.neighborhoods(NOW).items),
  ).toBe(bytes);
});

test('followed step by step, the directory is the one that a fresh start reads', async () => {
  const { rig, search, open } = await openRig();
  await write(rig.store, directory, NOW);
  const random = createRandom(9);
  for (let step = 1; step <= 6; step += 1) {
    const again = randomDirectory(random, 60);
    const events = random.some(again.events).map((event) => ({
      ...event,
      venueId: random.one(directory.venues).id,
      priceMin: event.isFree ? 0 : null,
      priceMax: event.isFree ? 0 : null,
    }));
    const venues = random
      .some(directory.venues)
      .map((venue) => ({ ...venue, name: random.one(['Old Hall', 'New Hall']), isVerified: random.chance(0.5) }));
    const removed = directory.events.filter(() => random.chance(0.05)).map(({ id }) => id);
    await search.caughtUp(await write(rig.store, { venues, events, removed }, NOW + step));
  }
  await sql`update event set state = 'merged', merged_into = ${eventId(1)} where id = ${eventId(0)} and state <> 'merged'`.execute(
    rig.store.db,
  );
  await search.caughtUp(await write(rig.store, { scores: [{ id: eventId(0), discoveryScore: 1 }] }, NOW + 9));
  const fresh = await open();
  expect(search.current().events(everything).tag).toBe(fresh.current().events(everything).tag);
  expect(print(search)).toBe(print(fresh));
  expect(search.current().event(eventId(0))).toEqual(fresh.current().event(eventId(0)));
  expect(search.current().venue(venueId(0), NOW)).toEqual(fresh.current().venue(venueId(0), NOW));
});

test('another zone of the city and a renamed neighborhood change every answer they stand in', async () => {
  const { rig, search } = await openRig();
  const neighborhoods = [
    { id: 'bbbbbbbb-0000-7000-8000-000000000001', slug: 'old', name: 'Old', description: null, latitude: 1, longitude: 1 },
  ];
  const venues = directory.venues.map((venue) => ({ ...venue, neighborhood: 'old' }));
  await search.caughtUp(await write(rig.store, { ...directory, neighborhoods, venues }, NOW));
  await search.caughtUp(
    await write(
      rig.store,
      { city: { ...directory.city, timezone: 'Asia/Tokyo' }, neighborhoods: [{ ...neighborhoods[0]!, slug: 'renamed' }] },
      NOW + 1,
    ),
  );
  const snapshot = search.current();
  const page = snapshot.events({ ...everything, neighborhood: 'renamed' });
  expect(page.total).toBe(60);
  expect(snapshot.writeEvents(page.items.slice(0, 1), 'list', '', '').toString()).toMatch(
    /"startDatetime":"[^"]+\+09:00".*"neighborhood":"renamed"/,
  );
});

test('the snapshot that is saved at the end is read at the next start, under another address too', async () => {
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  const { rig, search, logged, open } = await openRig({ dataDir: folder });
  await search.caughtUp(await write(rig.store, directory, NOW));
  const printed = print(search);
  await search.close();
  expect(existsSync(join(folder, 'search.snapshot'))).toBe(true);

  const seq = await write(rig.store, { events: [{ ...directory.events[0]!, title: 'While it was away' }] }, NOW + 1);
  const next = await open({ dataDir: folder });
  expect(logged.at(-1)).toContain('"restored":true');
  expect(next.freshness().seq).toBe(seq);
  expect(titles(next)).toContain('While it was away');
  await next.close();

  const longer = 'https://a-longer-name.example.test:8443';
  const moved = await open({ dataDir: folder, publicUrl: `${longer}/` });
  expect(logged.at(-1)).toContain('"restored":true');
  const fresh = await open({ publicUrl: longer });
  expect(print(moved)).toBe(print(fresh));
  expect(print(moved)).not.toContain(PUBLIC_URL);
  expect(moved.current().events(everything).tag).toBe(fresh.current().events(everything).tag);
  expect(print(moved).length).toBeGreaterThan(printed.length);
  await moved.close();
  expect(readFileSync(join(folder, 'search.snapshot'), 'latin1'), 'the next start need not change them again').toContain(longer);
});

test('what was kept is read before there is a store, and what has changed since is taken up when it comes', async () => {
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  const { rig, search, logged } = await openRig({ dataDir: folder });
  await search.caughtUp(await write(rig.store, directory, NOW));
  await search.close();
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const begun = beginSearch({ dataDir: folder, publicUrl: PUBLIC_URL, nowSetting: new Date(NOW).toISOString(), log });
  const seq = await write(rig.store, { events: [{ ...directory.events[0]!, title: 'Before it was opened' }] }, NOW + 1);
  const next = await begun.open(rig.store.address);
  closers.push(next.close);
  expect(logged.at(-1)).toContain('"restored":true');
  expect(next.freshness().seq).toBe(seq);
  expect(titles(next)).toContain('Before it was opened');
});

test('a file that is damaged or of another database is left aside, and said so', async () => {
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  const { rig, search, logged, open } = await openRig({ dataDir: folder });
  await search.caughtUp(await write(rig.store, directory, NOW));
  const printed = print(search);
  await search.close();
  const file = join(folder, 'search.snapshot');
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length - 100));
  const again = await open({ dataDir: folder });
  expect(logged.join()).toContain('it ends too early');
  expect(logged.at(-1)).toContain('"restored":false');
  expect(print(again)).toBe(printed);
  await again.close();

  writeFileSync(file, whole);
  await sql`update change set at = at + interval '1 second'`.execute(rig.store.db);
  const stranger = await open({ dataDir: folder });
  expect(logged.join()).toContain('belongs to another database');
  expect(print(stranger)).toBe(printed);
});

test('a list that was cut is no dead end: everything is read again', async () => {
  const { rig, search, logged } = await openRig();
  await search.caughtUp(await write(rig.store, directory, NOW));
  await sql`update list_head set seq = seq + 5 where list = 'change'`.execute(rig.store.db);
  const seq = await write(rig.store, { events: [{ ...directory.events[0]!, title: 'After the cut' }] }, NOW + 1);
  await search.caughtUp(seq);
  expect(logged.join()).toContain('loading again from the start');
  expect(titles(search)).toContain('After the cut');
});

test('while its builder is dead the last snapshot serves, and the next builder takes up what has changed', async () => {
  const { rig, logged, open } = await openRig();
  await write(rig.store, directory, NOW);
  const search = await open({}, new URL('../support/processes/mortal-builder-child.ts', import.meta.url));
  const bytes = print(search);
  const seq = await write(rig.store, { events: [{ ...directory.events[0]!, title: 'After a death' }] }, NOW + 1);
  const caughtUp = search.caughtUp(seq);
  await eventually(() => logged.join().includes('made to die'));
  expect(print(search)).toBe(bytes);
  expect(search.freshness()).toMatchObject({ headSeq: seq });
  await caughtUp;
  expect(titles(search)).toContain('After a death');
});

test('it refuses to open when there is no store to read', async () => {
  const { folder, remove } = temporaryFolder();
  closers.push(remove);
  const address = { kind: 'postgres', databaseUrl: 'postgresql://nobody@127.0.0.1:1/none' } as const;
  const begun = beginSearch({ dataDir: folder, publicUrl: PUBLIC_URL, nowSetting: undefined });
  await expect(begun.open(address)).rejects.toThrow(/Cannot connect/);
});
