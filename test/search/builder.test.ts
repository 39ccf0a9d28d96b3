// PostgreSQL is quicker.
import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { buildSnapshot } from '../../src/search/index.ts';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { type BuilderReport, createBuilder } from '../../src/search/snapshot/builder.ts';
import type { Database } from '../../src/store/index.ts';
import { countQueries } from '../support/database/counted-queries.ts';
import { openNewTestStore, openTestStore } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';
import { write } from './directory-writer.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from './random-directory.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const made = randomDirectory(createRandom(12), 80);
const published = { state: 'published', mergedInto: null } as const;
const rows = {
  ...made,
  venues: made.venues.map((venue) => ({ ...venue, ...published })),
  events: made.events.map((event) => {
    const price = event.isFree ? 0 : null;
    return { ...event, ...published, priceMin: price, priceMax: price, updatedAt: NOW, scoredAt: NOW };
  }),
};

async function startBuilder(refreshMs: number, around = (db: Kysely<Database>) => db, open = openTestStore) {
  const { store, dispose } = await open();
  closers.push(dispose);
  const seq = await write(store, rows, NOW);
  const clock = { now: NOW };
  const reports: BuilderReport[] = [];
  const { db, asked } = countQueries(around(store.db));
  const commitWatcher = store.createCommitWatcher();
  let spared = 0;
  const builder = createBuilder({
    db,
    commitWatcher: {
      begin: commitWatcher.begin,
      nothingNew() {
        const isNothing = commitWatcher.nothingNew();
        if (isNothing) spared += 1;
        return isNothing;
      },
    },
    file: undefined,
    readSaved: () => null,
    publicUrl: PUBLIC_URL,
    now: () => clock.now,
    report: (report) => void reports.push(report),
    refreshMs,
  });
  const running = builder.run();
  closers.push(async () => {
    builder.stop();
    await running;
  });
  const latest = <K extends BuilderReport['kind']>(kind: K) =>
    reports.findLast((report): report is Extract<BuilderReport, { kind: K }> => report.kind === kind);
  await eventually(() => latest('snapshot') !== undefined);
  return { store, seq, clock, latest, builder, asked, reports, spared: () => spared };
}

test('what is read from the store is the snapshot of the rows, their history and trends included', async () => {
  const { seq, latest } = await startBuilder(60_000);
  const read = openSnapshot(latest('snapshot')!.data);
  const expected = buildSnapshot({ ...rows, seq }, NOW, PUBLIC_URL);
  expect(read.seq).toBe(seq);
  // The catalog gives slugs of its own.
  const trends = ({ events, venues }: ReturnType<typeof read.trending>) =>
    [...events, ...venues].map(({ id, trendScore }) => `${id} ${trendScore}`);
  expect(trends(read.trending('both', 50, NOW))).toEqual(trends(expected.trending('both', 50, NOW)));
  expect(expected.trending('both', 50, NOW).events.length).toBeGreaterThan(2);
  for (const { id } of rows.events) {
    const [one, other] = [read.event(id), expected.event(id)];
    if (one.found !== 'published' || other.found !== 'published') throw new Error('not there');
    expect(one.item).toBe(other.item);
    expect(read.extras(one.item)).toEqual(expected.extras(other.item));
  }
});

test('while nothing is written to the embedded engine, it is asked nothing', async () => {
  // An engine of its own: of one that a test before has left to another process nobody here knows what is committed.
  const { store, asked, spared } = await startBuilder(60_000, (db) => db, openNewTestStore);
  if (store.kind !== 'embedded') return;
  // The last look may still ask; those that are spared do not.
  await eventually(() => spared() >= 1);
  const before = asked();
  await eventually(() => spared() >= 5);
  expect(asked()).toBe(before);
});

test('trends are computed anew as time goes on, without a new snapshot', async () => {
  const { clock, latest } = await startBuilder(100);
  const { data } = latest('snapshot')!;
  await eventually(() => latest('trends')?.trends.generatedAt === NOW);
  clock.now = NOW + 4 * 86_400_000;
  await eventually(() => latest('trends')?.trends.generatedAt === clock.now);
  expect(latest('snapshot')!.data).toBe(data);
  expect(openSnapshot({ ...data, trends: latest('trends')!.trends }).trending('both', 50, NOW)).toMatchObject({
    events: [],
    venues: [],
    generatedAt: clock.now,
  });
});

test('a change moves the trends of its venue at once', async () => {
  const { store, clock, latest, builder } = await startBuilder(60_000);
  const trending = openSnapshot(latest('snapshot')!.data).trending('events', 50, NOW);
  const best = rows.events.find(({ id }) => id === trending.events[0]!.id)!;
  clock.now = NOW + 1;
  const seq = await write(store, { events: [{ ...best, status: 'cancelled' }] }, NOW + 1);
  builder.look();
  await eventually(() => latest('snapshot')!.data.seq === seq);
  const after = openSnapshot(latest('snapshot')!.data).trending('events', 50, NOW + 1);
  expect(after.events.map(({ id }) => id)).not.toContain(best.id);
  expect(after.generatedAt).toBe(NOW + 1);
});

test('what is loaded anew is shown when it is of one moment, whatever is written meanwhile', async () => {
  const event = rows.events[0]!;
  const venue = rows.venues.find(({ id }) => id === event.venueId)!;
  let meanwhile: (() => Promise<unknown>) | null = null;
  const { store, builder, reports, latest } = await startBuilder(60_000, (db) =>
    db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const act = meanwhile;
        // The venues have been read, the events have not.
        if (act && result.rows.some((row) => Object.hasOwn(row, 'isVerified'))) {
          meanwhile = null;
          await act();
        }
        return result;
      },
    }),
  );
  const [area] = rows.neighborhoods;
  const renamed = { ...area!, slug: `${area!.slug}-renamed` };
  const neighborhood = venue.neighborhood === area!.slug ? renamed.slug : venue.neighborhood;
  meanwhile = () =>
    write(store, { venues: [{ ...venue, neighborhood, name: 'After' }], events: [{ ...event, title: 'After' }] }, NOW + 1);
  await sql`update neighborhood set slug = ${renamed.slug} where slug = ${area!.slug}`.execute(store.db);
  await write(store, { neighborhoods: [{ ...renamed, name: 'Renamed' }] }, NOW + 1);
  builder.look();
  const shown = () =>
    reports.flatMap((report) => {
      if (report.kind !== 'snapshot') return [];
      const snapshot = openSnapshot(report.data);
      const found = snapshot.event(event.id);
      if (found.found !== 'published') return [];
      const { title, venue: at } = JSON.parse(snapshot.writeEvents([found.item], 'detail', '', '').toString());
      return [`${title} at ${at.name}`];
    });
  await eventually(() => shown().at(-1) === 'After at After');
  expect(new Set(shown())).toEqual(new Set([`${event.title} at ${venue.name}`, 'After at After']));
  expect(latest('snapshot')!.data.neighborhoodSlugs).toContain(renamed.slug);
});

test('when the database was away it says so once, and goes on where it was', async () => {
  const { store, builder, reports, latest } = await startBuilder(60_000);
  const said = () => reports.flatMap((report) => (report.kind === 'log' && report.level !== 'info' ? [report.message] : []));
  await store.db.schema.alterTable('list_head').renameTo('list_head_away').execute();
  builder.look();
  await eventually(() => said().length > 0);
  builder.look();
  await store.db.schema.alterTable('list_head_away').renameTo('list_head').execute();
  const seq = await write(store, { removed: [rows.events[0]!.id] }, NOW + 1);
  await eventually(() => latest('snapshot')!.data.seq === seq);
  expect(said()).toEqual(['the read model cannot follow the directory']);
  expect(openSnapshot(latest('snapshot')!.data).event(rows.events[0]!.id).found).toBe('removed');
});
