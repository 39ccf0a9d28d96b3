// PostgreSQL is quicker.

import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Bundle, type ImportOptions, importBundle, rescore } from '../../src/ingest/index.ts';
import { listHead, readList } from '../../src/store/index.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';
import { CITY, emptyDirectory, eventLine, NOW, now, smallBundle, square, venueLine } from '../support/records/bundle.ts';

let test: TestStore;
const load = (bundle: Bundle, options: Partial<ImportOptions> = {}) =>
  importBundle({ store: test.store, bundle, now, ...options });
const changes = async (after = 0) =>
  (await readList(test.store.db, 'change', after, 1000)).map(({ kind, entity }) => `${entity} ${kind}`);
const events = () => test.store.db.selectFrom('event').selectAll().orderBy('title').execute();
const venues = () => test.store.db.selectFrom('venue').selectAll().orderBy('name').execute();
/** All rows of all tables that an import may touch, in order. */
async function everything(): Promise<unknown> {
  const { db } = test.store;
  const tables = [
    'city',
    'neighborhood',
    'venue',
    'event',
    'old_slug',
    'source',
    'record',
    'signal',
    'score_history',
    'change',
  ] as const;
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  return rows.map((each) => each.map((row) => JSON.stringify(row)).sort());
}

describeEachEngine('import of a bundle', (engine) => {
  beforeAll(async () => {
    test = await openTestStore(engine);
  });
  beforeEach(() => emptyDirectory(test.store));
  afterAll(() => test.dispose());

  it('creates what it brings, places and scores it, and tells each change', async () => {
    const report = await load(smallBundle());
    expect(report).toMatchObject({
      neighborhoods: { created: 2, updated: 0, unchanged: 0 },
      venues: { created: 2, updated: 0, unchanged: 0 },
      events: { created: 2, updated: 0, unchanged: 0 },
      rejected: [],
      rejectedCount: 0,
    });
    expect((await venues()).map(({ slug, neighborhood }) => [slug, neighborhood])).toEqual([
      ['the-attic', 'uptown'],
      ['the-cellar', 'harbor'],
    ]);
    const [blues, jazz] = await events();
    expect(jazz).toMatchObject({ slug: 'night-of-jazz', status: 'scheduled', price_min: '10.0000', scored_at: new Date(NOW) });
    expect(jazz!.starts_at.toISOString()).toBe('2026-06-21T00:00:00.000Z');
    expect(blues).toMatchObject({ is_free: true, price_min: '0.0000', price_max: '0.0000' });
    expect(jazz!.discovery_score).toBeGreaterThan(0);
    expect(jazz).toMatchObject({ scored_day: '2026-06-16', appeal: expect.any(Number) });
    expect((await changes()).sort()).toEqual(
      [
        'city created',
        'neighborhood created',
        'neighborhood created',
        'venue created',
        'venue created',
        'event created',
        'event created',
      ].sort(),
    );
  });

  it('changes nothing the second time', async () => {
    await load(smallBundle());
    const before = await everything();
    const report = await load(smallBundle(), { now: () => NOW + 3_600_000 });
    expect(report).toMatchObject({
      neighborhoods: { created: 0, updated: 0, unchanged: 2 },
      venues: { created: 0, updated: 0, unchanged: 2 },
      events: { created: 0, updated: 0, unchanged: 2 },
    });
    expect(await everything()).toEqual(before);
  });

  it('writes nothing in a dry run and reports the same, pruning included', async () => {
    const empty = await everything();
    const dry = await load(smallBundle(), { dryRun: true });
    expect(await everything()).toEqual(empty);
    expect(await load(smallBundle())).toEqual(dry);

    const next = {
      ...smallBundle(),
      neighborhoods: { type: 'FeatureCollection', features: [square('harbor', -74, 40, 0.05)] },
      venues: [venueLine('cellar', { name: 'Renamed' })],
      events: [eventLine('jazz', { venue: 'attic' }), eventLine('new'), eventLine('bad', { category: 'cat' })],
    };
    const before = await everything();
    const dryNext = await load(next, { dryRun: true, prune: true });
    expect(await everything()).toEqual(before);
    expect(await load(next, { prune: true })).toEqual(dryNext);
  });

  it('tells what kind of change it was', async () => {
    await load({ ...smallBundle(), events: [...smallBundle().events, eventLine('soul'), eventLine('rock')] });
    const before = (await changes()).length;
    const report = await load({
      venues: [venueLine('cellar', { capacityTier: 'small' })],
      events: [
        eventLine('jazz', { status: 'cancelled' }),
        eventLine('blues', { venue: 'attic', isFree: true, priceMin: 0, priceMax: null, startDatetime: '2026-06-21T20:00' }),
        eventLine('soul', { description: 'Now with words.' }),
        eventLine('rock', { signals: [{ kind: 'tickets_sold', value: 0, observedAt: '2026-06-15T12:00:00Z' }] }),
      ],
    });
    expect(report.events).toEqual({ created: 0, updated: 4, unchanged: 0 });
    const told = await changes(before);
    // The other events of their day and venue are scored again.
    expect(told.slice(0, 8)).toEqual([
      'venue updated',
      // What events show of their venue has changed with it.
      'event updated',
      'event updated',
      'event updated',
      'event cancelled',
      'event rescheduled',
      'event updated',
      'event scored',
    ]);
    expect(new Set(told.slice(8))).toEqual(new Set(['event scored']));
  });

  it('scores equal events as they are scored later, by the order of their ids', async () => {
    const equal = ['jazz', 'jazz-again', 'jazz-late'].map((externalId) => eventLine(externalId, { title: 'Night of jazz' }));
    let drawn = 0;
    const newId = () => {
      drawn += 1;
      return `01a20b50-0883-7dc3-b173-00000000${9999 - drawn}`;
    };
    await load({ ...smallBundle(), events: equal }, { newId });
    const scored = await events();
    expect(new Set(scored.map(({ discovery_score }) => discovery_score)).size).toBeGreaterThan(1);
    expect(await rescore({ store: test.store, now })).toEqual({ looked: 3, moved: 0 });
  });

  it('keeps a given id, and refuses another id for the same record or the id of another', async () => {
    const id = '0190A0B0-1111-7000-8000-000000000001';
    const other = '0190a0b0-2222-7000-8000-000000000002';
    await load({ ...smallBundle(), events: [eventLine('jazz', { id })] });
    expect((await events())[0]!.id).toBe(id.toLowerCase());
    const report = await load({
      events: [
        eventLine('jazz', { id: other }),
        eventLine('thief', { id }),
        eventLine('twin', { id: other }),
        eventLine('triplet', { id: other }),
      ],
    });
    expect(report.rejected.map(({ line, field }) => [line, field])).toEqual(
      expect.arrayContaining([
        [1, 'id'],
        [2, 'id'],
        [3, 'id'],
        [4, 'id'],
      ]),
    );
    expect(report.events.created).toBe(0);
  });

  it('refuses a line that repeats an external id of its file', async () => {
    const report = await load({ ...smallBundle(), events: [eventLine('jazz'), eventLine('jazz', { title: 'Again' })] });
    expect(report.rejected).toEqual([
      { file: 'events.ndjson', line: 2, field: 'externalId', reason: '"jazz" is already that of line 1' },
    ]);
    expect(report.events.created).toBe(1);
  });

  it('refuses unknown venues and neighborhoods and goes on', async () => {
    const report = await load({
      ...smallBundle(),
      venues: [
        venueLine('cellar'),
        venueLine('lost', { neighborhood: 'atlantis' }),
        venueLine('named', { neighborhood: 'uptown' }),
      ],
      events: [eventLine('jazz'), eventLine('blues', { venue: 'nowhere' })],
    });
    expect(report.rejected).toEqual([
      {
        file: 'venues.ndjson',
        line: 2,
        field: 'neighborhood',
        reason: 'wanted the slug of a neighborhood, got "atlantis", which is none',
      },
      {
        file: 'events.ndjson',
        line: 2,
        field: 'venue',
        reason: 'wanted the externalId of a venue, got "nowhere", which is none',
      },
    ]);
    expect((await venues()).map(({ neighborhood }) => neighborhood)).toEqual(['harbor', 'uptown']);
  });

  it('moves venues when the polygons around them change, and leaves those whose neighborhood is named', async () => {
    await load({ ...smallBundle(), venues: [...smallBundle().venues, venueLine('named', { neighborhood: 'uptown' })] });
    const report = await load({
      neighborhoods: { type: 'FeatureCollection', features: [square('harbor', -74.5, 40), square('uptown', -74, 40)] },
    });
    expect(report.neighborhoods).toEqual({ created: 0, updated: 2, unchanged: 0 });
    expect(report.venues.updated).toBe(2);
    expect((await venues()).map(({ name, neighborhood }) => [name, neighborhood])).toEqual([
      ['The attic', null],
      ['The cellar', 'uptown'],
      ['The named', 'uptown'],
    ]);
  });

  it('keeps what a later bundle lacks, and removes it when asked to prune', async () => {
    await load(smallBundle());
    const lesser = { ...smallBundle(), venues: [venueLine('cellar')], events: [eventLine('jazz')] };
    expect((await load(lesser)).removed).toEqual({ venues: 0, events: 0, neighborhoods: 0 });
    const before = (await changes()).length;
    expect((await load(lesser, { prune: true })).removed).toEqual({ venues: 1, events: 1, neighborhoods: 0 });
    expect((await changes(before)).slice(0, 2)).toEqual(['event removed', 'venue removed']);
    expect((await load(lesser, { prune: true })).removed).toEqual({ venues: 0, events: 0, neighborhoods: 0 });
    const back = await load(smallBundle());
    expect(back.events).toEqual({ created: 1, updated: 0, unchanged: 1 });
    expect((await events()).map(({ state }) => state)).toEqual(['published', 'published']);
  });

  it('does not prune a venue where an event is held, nor anything when a line has no readable name', async () => {
    await load(smallBundle());
    const inUse = await load({ venues: [venueLine('cellar')], events: smallBundle().events }, { prune: true });
    expect(inUse.removed.venues).toBe(0);
    expect(inUse.rejected[0]!.reason).toBe('venue "attic" is not pruned because it has events');
    const unreadable = await load({ events: [eventLine('jazz'), 'garbage'] }, { prune: true });
    expect(unreadable.removed.events).toBe(0);
    expect(unreadable.rejected.at(-1)!.reason).toContain('nothing is pruned');
  });

  it('keeps the old slug when a title changes, and never hands it to another', async () => {
    await load(smallBundle());
    await load({ events: [eventLine('jazz', { title: 'Morning of Jazz' })] });
    await load({ events: [eventLine('thief', { title: 'Night of Jazz' })] });
    const slugs = (await events()).map(({ slug }) => slug);
    expect(slugs).toContain('morning-of-jazz');
    expect(slugs).not.toContain('night-of-jazz');
    expect((await test.store.db.selectFrom('old_slug').selectAll().execute()).map(({ slug }) => slug)).toEqual(['night-of-jazz']);
    await load({ events: [eventLine('jazz')] });
    expect((await events()).map(({ slug }) => slug)).toContain('night-of-jazz');
    expect((await test.store.db.selectFrom('old_slug').selectAll().execute()).map(({ slug }) => slug)).toEqual([
      'morning-of-jazz',
    ]);
  });

  it('keeps whole batches when it is stopped, and comes to the same end when it is run again', async () => {
    const lines = Array.from({ length: 2300 }, (_, index) => eventLine(`event ${index}`));
    async function* stopped() {
      yield* lines.slice(0, 2200);
      throw new Error('the power went out');
    }
    await expect(load({ ...smallBundle(), events: stopped() })).rejects.toThrow('the power went out');
    expect(await events()).toHaveLength(2000);
    const report = await load({ ...smallBundle(), events: lines });
    expect(report.events).toEqual({ created: 300, updated: 0, unchanged: 2000 });
    const { rows } = await sql<{ n: string }>`select count(distinct entity_id) as n from change where entity = 'event'`.execute(
      test.store.db,
    );
    expect(rows[0]!.n).toBe('2300');
  });

  it('may run twice at once: every record is created by one of them', async () => {
    const lines = Array.from({ length: 1500 }, (_, index) => eventLine(`event ${index}`));
    const reports = await Promise.all([1, 2].map(() => load({ ...smallBundle(), events: lines })));
    const sum = (kind: 'events' | 'venues' | 'neighborhoods') =>
      reports.reduce((count, report) => count + report[kind].created, 0);
    expect([sum('events'), sum('venues'), sum('neighborhoods')]).toEqual([1500, 2, 2]);
    expect(await listHead(test.store.db, 'change')).toBe(1 + 2 + 2 + 1500);
    expect(await events()).toHaveLength(1500);
  });

  it('updates the city, and reads local times by its zone from then on', async () => {
    await load(smallBundle());
    await load({ ...smallBundle(), city: { ...CITY, timezone: 'America/Los_Angeles' } });
    expect((await events())[0]!.starts_at.toISOString()).toBe('2026-06-21T03:00:00.000Z');
  });
});
