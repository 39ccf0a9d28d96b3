import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSource, importBundle, listSources, removeSource, runSource } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, eventLine, NEIGHBORHOODS, NOW, now, smallBundle, square } from '../support/records/bundle.ts';
import { addFeed, FEED_MAPPING, type Feed, listing, READING } from '../support/rigs/sources.ts';

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;
let feed: Feed;
const file = () => join(temporary.folder, 'feed.json');
const write = (records: object[]) => feed.write(records);
const run = (more: object = {}) => feed.run(more);
const events = () => test.store.db.selectFrom('event').selectAll().orderBy('title').execute();
const venues = () => test.store.db.selectFrom('venue').selectAll().orderBy('name').orderBy('latitude').execute();

beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
  feed = await addFeed(test.store, temporary.folder, 'feed');
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

describe('a run of a source', () => {
  it('creates events and their venues, and nothing the second time', async () => {
    write([listing('1'), listing('2', { lat: 40.0501 }), listing('3', { place: 'Attic', lat: 40.02, lon: -73.85 })]);
    expect(await run({ dryRun: true })).toMatchObject({ run: null, events: { created: 3 }, venues: { created: 3 } });
    expect(await events()).toEqual([]);
    expect(await run()).toMatchObject({
      events: { created: 3, updated: 0, unchanged: 0 },
      venues: { created: 3, updated: 0, unchanged: 0 },
      rejectedCount: 0,
    });
    const [first] = await events();
    expect(first).toMatchObject({ title: 'Show 1', category: 'concert', sources: ['feed'], is_free: false, price_min: null });
    expect(first!.starts_at.toISOString()).toBe('2026-06-21T00:00:00.000Z');
    expect((await venues()).map(({ name, neighborhood, type }) => [name, neighborhood, type])).toEqual([
      ['Attic', 'uptown', 'club'],
      ['Cellar', 'harbor', 'club'],
    ]);
    expect(await run()).toMatchObject({
      events: { created: 0, updated: 0, unchanged: 3 },
      venues: { created: 0, updated: 0, unchanged: 3 },
      difference: { created: [], changed: [], merged: [], cancelled: [], vanished: [] },
    });
    expect((await listSources({ store: test.store }))[0]).toMatchObject({
      name: 'feed',
      lastRunAt: NOW,
      lastOkAt: NOW,
      lastError: null,
      trust: 0.5,
      state: 'active',
      failures: 0,
    });
  });

  it('repairs what is plainly meant', async () => {
    write([
      listing('overnight', { start: '2026-06-20T22:00:00', end: '2026-06-20T04:00:00' }),
      listing('typo', { start: '2026-06-20T09:00:00', end: '2026-06-20T01:00:00' }),
      listing('costs', { free: true, min: 12, max: 10 }),
      listing('gratis', { min: 0 }),
      listing('silly', { min: -5, max: 'a lot' }),
      listing('entities', { name: 'CANCELED: P&#233;tanque &amp;amp; <b>wine</b>\u0007' }),
    ]);
    expect((await run()).rejected).toEqual([]);
    const found = new Map((await events()).map((event) => [event.title, event]));
    expect(found.get('Show overnight')!.ends_at!.toISOString()).toBe('2026-06-21T08:00:00.000Z');
    expect(found.get('Show typo')!.ends_at).toBeNull();
    expect(found.get('Show costs')).toMatchObject({ is_free: false, price_min: '10.0000', price_max: '12.0000' });
    expect(found.get('Show gratis')).toMatchObject({ is_free: true, price_max: '0.0000' });
    expect(found.get('Show silly')).toMatchObject({ is_free: false, price_min: null, price_max: null });
    expect(found.get('Pétanque & wine')).toMatchObject({ status: 'cancelled' });
  });

  it('rejects what cannot be an event, with its number, field and reason', async () => {
    write([
      listing('1', { start: 'nullT19:30:00' }),
      listing('2', { start: undefined }),
      listing('3', { place: 'Citywide' }),
      listing('6'),
      listing('6', { name: 'Twice' }),
      listing('7', { id: undefined }),
    ]);
    const report = await run();
    expect(report.events.created).toBe(1);
    expect(report.rejected.map(({ file: source, line, field }) => `${source} ${line} ${field}`)).toEqual([
      ...['feed 1 start', 'feed 2 start', 'feed 3 venue.name', 'feed 5 externalId', 'feed 6 externalId'],
    ]);
    expect(report.rejected[0]!.reason).toBe('wanted a date-time (iso), got "nullT19:30:00"');
    expect(report.reasons).toEqual({ unreadable: 1, no_start: 1, no_venue: 1, repeated: 1, no_id: 1 });
  });

  it('keeps the same one of two listings with one id, whichever comes first', async () => {
    const two = [listing('6'), listing('6', { name: 'Twice' })];
    write(two);
    await run();
    const [first] = await events();
    write(two.reverse());
    expect((await run()).events).toEqual({ created: 0, updated: 0, unchanged: 1 });
    expect((await events())[0]).toEqual(first);
  });

  it('finds venues without coordinates by name, in whatever order, then by hint', async () => {
    const nowhere = { lat: null, lon: null };
    write([
      listing('1', { place: 'CELLAR!', ...nowhere }),
      listing('2', { place: 'Cellar' }),
      listing('3', { place: 'Bandstand', area: 'Uptown', ...nowhere }),
      listing('4', { place: 'Somewhere', borough: 'south', ...nowhere }),
    ]);
    expect((await run()).events.created).toBe(4);
    expect((await venues()).map(({ name, neighborhood }) => [name, neighborhood])).toEqual([
      ['Bandstand', 'uptown'],
      ['Cellar', 'harbor'],
      ['Somewhere', null],
    ]);
    expect((await run()).events).toEqual({ created: 0, updated: 0, unchanged: 4 });
    await importBundle({
      store: test.store,
      bundle: { neighborhoods: { type: 'FeatureCollection', features: [square('southern', -74, 39, 3)] } },
      now,
    });
    expect((await venues()).find(({ name }) => name === 'Somewhere')!.neighborhood).toBeNull();
  });

  it('lists an event in the city whose place nobody knows, and moves it once somebody does', async () => {
    write([listing('1', { place: 'The Attic', lat: null, lon: null })]);
    for (const [dryRun, created] of [
      [true, 1],
      [false, 1],
      [false, 0],
    ] as const) {
      const counts = { created, updated: 0, unchanged: 1 - created };
      expect(await run({ dryRun })).toMatchObject({ listings: 1, events: counts, waiting: { 'The Attic': 1 } });
    }
    expect((await events()).map(({ title }) => title)).toEqual(['Show 1']);
    await importBundle({ store: test.store, bundle: smallBundle(), now });
    expect(await run()).toMatchObject({ listings: 1, events: { created: 0 }, waiting: {} });
    expect((await venues()).filter(({ neighborhood, state }) => neighborhood === 'uptown' && state === 'published')).toHaveLength(
      1,
    );
    expect((await events()).map(({ title }) => title)).toContain('Show 1');
    expect((await run()).events).toEqual({ created: 0, updated: 0, unchanged: 1 });
  });

  it('loads venues from CSV', async () => {
    const csv = join(temporary.folder, 'places.csv');
    writeFileSync(csv, '\ufeffid,name,where\n1,"Old, Museum",POINT (-73.95 40.05)\n2,,POINT (-73.95 40.05)\n3,Lost\n4,Long,,x\n');
    const mapping = {
      target: 'venues',
      fields: { externalId: 'id', name: 'name', point: { path: 'where', as: 'wkt' }, isVerified: { const: true } },
    };
    await addSource({ store: test.store, kind: 'csv', location: pathToFileURL(csv).href, mapping, now });
    const report = await runSource({ store: test.store, name: 'places', now, ...READING });
    expect(report.venues.created).toBe(1);
    expect(report.rejected.map(({ line }) => line)).toEqual([2, 4]);
    expect(await venues()).toMatchObject([{ name: 'Old, Museum', type: 'museum', is_verified: true, neighborhood: 'harbor' }]);
  });

  it('shows in a test how it understood the first listings', async () => {
    write([listing('1'), listing('2')]);
    const sample: object[] = [];
    await run({ dryRun: true, onSample: (listings: object[]) => sample.push(...listings) });
    expect(sample).toMatchObject([{ title: 'Show 1' }, { title: 'Show 2' }]);
    expect(await events()).toEqual([]);
  });

  it('says in one sentence why it cannot run, remembers it, and waits longer each time', async () => {
    await expect(runSource({ store: test.store, name: 'nobody', now, ...READING })).rejects.toThrow(
      'no source is named "nobody"',
    );
    writeFileSync(file(), '{"events": [');
    await expect(run()).rejects.toThrow(/^feed: the document is not JSON/);
    const [first] = await listSources({ store: test.store });
    expect(first).toMatchObject({ failures: 1, retryAt: NOW + 60_000, lastOkAt: null });
    expect(first!.lastError).toMatch(/not JSON/);
    writeFileSync(file(), '{"shows": []}');
    await expect(run()).rejects.toThrow('feed: the document has no list at "events"');
    expect((await listSources({ store: test.store }))[0]).toMatchObject({ failures: 2, retryAt: NOW + 120_000 });
    writeFileSync(file(), `{"events": ${'['.repeat(100)}${']'.repeat(100)}}`);
    await expect(run()).rejects.toThrow(/nested deeper than 64 levels/);
    write([listing('1')]);
    await run();
    expect((await listSources({ store: test.store }))[0]).toMatchObject({ failures: 0, retryAt: null, lastError: null });
  });
});

describe('the list of sources', () => {
  const add = (more: object = {}) =>
    addSource({ store: test.store, kind: 'json', location: file(), mapping: FEED_MAPPING, name: 'other', now, ...more });

  it.each<[string, object, RegExp]>([
    ['an unknown kind', { kind: 'xml' }, /wanted a kind of source \(.*json, csv.*\), got "xml"/],
    ['another scheme', { location: 'ftp://feed.example/x.json' }, /wanted a file, or an http or https address/],
    ['a mapping that is missing', { mapping: null }, /a source of kind json needs a mapping/],
    ['a mapping of another kind', { kind: 'seatgeek' }, /the mapping is not valid: records: wanted no records/],
    ['a bad mapping', { mapping: { fields: {} } }, /the mapping is not valid: fields\.externalId: wanted a rule, got nothing/],
    ['a trust above 1', { trust: 2 }, /wanted a trust from 0 to 1/],
    ['a bad name', { name: ' x' }, /wanted a name/],
    ['the name of bundles', { name: 'bundle' }, /is reserved for imported bundles/],
    ['no seconds', { everySeconds: 0 }, /wanted a whole number of seconds/],
  ])('refuses %s', async (_, more, reason) => {
    const added = await add(more);
    expect(!added.ok && added.reason).toMatch(reason);
  });

  it('refuses an address that would be refused when it is fetched', async () => {
    const location = 'http://169.254.169.254/latest';
    const added = await add({ location, checkAddress: () => ({ ok: false, reason: 'no public address' }) });
    expect(added).toEqual({ ok: false, reason: 'no public address' });
  });

  it('refuses a name twice', async () => {
    const again = await add({ name: 'feed' });
    expect(!again.ok && again.reason).toBe('a source named "feed" already exists');
  });

  it('removes a source with what only it has brought; what others list, too, is what they say', async () => {
    await importBundle({ store: test.store, bundle: { ...smallBundle(), events: [eventLine('jazz')] }, now });
    write([
      listing('1'),
      listing('2', { start: '2026-06-22T20:00:00', text: 'from the feed' }),
      listing('3', { place: 'Where nobody knows', lat: null, lon: null }),
    ]);
    await run();
    const second = await addFeed(test.store, temporary.folder, 'second');
    second.write([listing('b', { name: 'Show 2', start: '2026-06-22T20:00:00' })]);
    await second.run();
    expect((await events()).map(({ title, sources, description }) => [title, sources, description])).toContainEqual([
      ...['Show 2', ['feed', 'second'], 'from the feed'],
    ]);
    expect(await removeSource({ store: test.store, name: 'feed', now })).toMatchObject({ events: 2 });
    expect((await events()).map(({ title, state, sources }) => [title, state, sources])).toEqual([
      ['Night of jazz', 'published', []],
      ['Show 1', 'removed', ['feed']],
      ['Show 2', 'published', ['second']],
      ['Show 3', 'removed', ['feed']],
    ]);
    expect((await listSources({ store: test.store })).map(({ name }) => name)).toEqual(['second']);
    expect(await removeSource({ store: test.store, name: 'feed', now })).toBeNull();
  });
});
