import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSource, importBundle, listSources, removeSource, runSource, testSource } from '../../src/ingest/index.ts';
import { CITY, emptyDirectory, eventLine, NEIGHBORHOODS, NOW, now, smallBundle, square } from '../support/bundle.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/store.ts';

const MAPPING = {
  records: 'events',
  fields: {
    externalId: 'id',
    title: { path: 'name', text: 'html', dropPrefix: ['CANCELED:'] },
    category: { path: 'kind', table: { music: 'concert' }, default: 'community' },
    start: 'start',
    end: 'end',
    isFree: 'free',
    priceMin: 'min',
    priceMax: 'max',
    status: { cases: [{ when: { path: 'name', startsWith: 'CANCELED:' }, use: { const: 'cancelled' } }], const: 'scheduled' },
    venue: {
      name: 'place',
      latitude: 'lat',
      longitude: 'lon',
      locate: [{ neighborhood: 'area' }, { point: { path: 'borough', table: { south: '40.05,-73.85' } } }],
    },
  },
};
const listing = (id: string, more: object = {}) => ({
  id,
  name: `Show ${id}`,
  kind: 'music',
  start: '2026-06-20T20:00:00',
  place: 'Cellar',
  lat: 40.05,
  lon: -73.95,
  ...more,
});

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;
let file: string;
const write = (records: object[]) => writeFileSync(file, JSON.stringify({ events: records }));
const add = (more: object = {}) =>
  addSource({ store: test.store, kind: 'json', location: file, mapping: MAPPING, name: 'feed', now, ...more });
const run = (more: object = {}) => runSource({ store: test.store, name: 'feed', now, ...more });
const events = () => test.store.db.selectFrom('event').selectAll().orderBy('title').execute();
const venues = () => test.store.db.selectFrom('venue').selectAll().orderBy('name').orderBy('latitude').execute();

beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
  file = join(temporary.folder, 'feed.json');
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

describe('a run of a source', () => {
  it('creates events and their venues, and nothing the second time', async () => {
    write([listing('1'), listing('2', { lat: 40.0501 }), listing('3', { place: 'Attic', lat: 40.02, lon: -73.85 })]);
    await add();
    expect(await run({ dryRun: true })).toMatchObject({ events: { created: 3 }, venues: { created: 2 } });
    expect(await events()).toEqual([]);
    expect(await run()).toMatchObject({
      events: { created: 3, updated: 0, unchanged: 0 },
      venues: { created: 2, updated: 0, unchanged: 0 },
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
      venues: { created: 0, updated: 0, unchanged: 2 },
    });
    expect((await listSources({ store: test.store }))[0]).toMatchObject({
      name: 'feed',
      lastRunAt: NOW,
      lastError: null,
      trust: 0.5,
    });
  });

  it('mends what is plainly meant', async () => {
    write([
      listing('overnight', { start: '2026-06-20T22:00:00', end: '2026-06-20T04:00:00' }),
      listing('typo', { start: '2026-06-20T09:00:00', end: '2026-06-20T01:00:00' }),
      listing('costs', { free: true, min: 12, max: 10 }),
      listing('gratis', { min: 0 }),
      listing('silly', { min: -5, max: 'a lot' }),
      listing('entities', { name: 'CANCELED: P&#233;tanque &amp;amp; <b>wine</b>\u0007' }),
    ]);
    await add();
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
      listing('3', { place: '' }),
      listing('4', { lat: 0, lon: 0, place: 'Unheard of' }),
      listing('5', { name: 'x'.repeat(301) }),
      listing('6'),
      listing('6', { name: 'Twice' }),
      listing('7', { id: undefined }),
    ]);
    await add();
    const report = await run();
    expect(report.events.created).toBe(1);
    expect(report.rejected.map(({ file, line, field }) => `${file} ${line} ${field}`)).toEqual([
      'feed 1 start',
      'feed 2 startDatetime',
      'feed 3 venue.name',
      'feed 4 venue.latitude',
      'feed 5 title',
      'feed 7 externalId',
      'feed 8 externalId',
    ]);
    expect(report.rejected[0]!.reason).toBe('wanted a date-time (iso), got "nullT19:30:00"');
  });

  it('finds venues without coordinates by name, in whatever order, then by hint', async () => {
    const nowhere = { lat: null, lon: null };
    write([
      listing('1', { place: 'CELLAR!', ...nowhere }),
      listing('2', { place: 'Cellar' }),
      listing('3', { place: 'Bandstand', area: 'Uptown', ...nowhere }),
      listing('4', { place: 'Somewhere', borough: 'south', ...nowhere }),
      listing('5', { place: 'Twins' }),
      listing('6', { place: 'Twins', lat: 40.09 }),
      listing('7', { place: 'Twins', ...nowhere }),
    ]);
    await add();
    const report = await run();
    expect(report.events.created).toBe(6);
    expect(report.rejected.map(({ line }) => line)).toEqual([7]);
    expect((await venues()).map(({ name, neighborhood }) => [name, neighborhood])).toEqual([
      ['Bandstand', 'uptown'],
      ['CELLAR!', 'harbor'],
      ['Somewhere', null],
      ['Twins', 'harbor'],
      ['Twins', 'harbor'],
    ]);
    const again = await run();
    expect([again.events, again.venues]).toEqual([
      { created: 0, updated: 0, unchanged: 6 },
      { created: 0, updated: 0, unchanged: 5 },
    ]);
    await importBundle({
      store: test.store,
      bundle: { neighborhoods: { type: 'FeatureCollection', features: [square('southern', -74, 39, 3)] } },
      now,
    });
    expect((await venues()).find(({ name }) => name === 'Somewhere')!.neighborhood).toBeNull();
  });

  it('borrows the place of a venue that another source knows', async () => {
    await importBundle({ store: test.store, bundle: smallBundle(), now });
    write([listing('1', { place: 'The Attic', lat: null, lon: null })]);
    await add();
    expect((await run()).events.created).toBe(1);
    expect((await venues()).filter(({ neighborhood }) => neighborhood === 'uptown')).toHaveLength(2);
  });

  it('loads venues from CSV', async () => {
    const csv = join(temporary.folder, 'places.csv');
    writeFileSync(csv, '\ufeffid,name,where\n1,"Old, Museum",POINT (-73.95 40.05)\n2,,POINT (-73.95 40.05)\n3,Lost,\n4,Short\n');
    const mapping = {
      target: 'venues',
      fields: { externalId: 'id', name: 'name', point: { path: 'where', as: 'wkt' }, isVerified: { const: true } },
    };
    await addSource({ store: test.store, kind: 'csv', location: pathToFileURL(csv).href, mapping, now });
    const report = await runSource({ store: test.store, name: 'places', now });
    expect(report.venues.created).toBe(1);
    expect(report.rejected.map(({ line, field }) => [line, field])).toEqual([
      [3, 'name'],
      [4, 'venue.latitude'],
      [5, null],
    ]);
    expect(await venues()).toMatchObject([{ name: 'Old, Museum', type: 'museum', is_verified: true, neighborhood: 'harbor' }]);
  });

  it('shows in a test what it would do and how it understood the first listings', async () => {
    write([listing('1'), listing('2')]);
    await add();
    const report = await testSource({ store: test.store, name: 'feed', now });
    expect(report).toMatchObject({
      events: { created: 2 },
      sample: [{ event: { title: 'Show 1' } }, { event: { title: 'Show 2' } }],
    });
    expect(await events()).toEqual([]);
  });

  it('says in one sentence why it cannot run, and remembers it', async () => {
    await expect(runSource({ store: test.store, name: 'nobody', now })).rejects.toThrow('there is no source named "nobody"');
    await add();
    writeFileSync(file, '{"events": [');
    await expect(run()).rejects.toThrow(/^feed: the document is not JSON: /);
    expect((await listSources({ store: test.store }))[0]!.lastError).toMatch(/not JSON/);
    writeFileSync(file, '{"shows": []}');
    await expect(run()).rejects.toThrow('feed: the document has no list at "events"');
    writeFileSync(file, `{"events": ${'['.repeat(100)}${']'.repeat(100)}}`);
    await expect(run()).rejects.toThrow(/nested deeper than 64 levels/);
  });
});

describe('the list of sources', () => {
  it.each<[string, object, RegExp]>([
    ['an unknown kind', { kind: 'xml' }, /wanted a kind of source \(json, csv\), got "xml"/],
    ['an address of the net', { location: 'https://feed.example/x.json' }, /wanted a file or a file: address, got https:/],
    ['a bad mapping', { mapping: { fields: {} } }, /the mapping is not valid: fields\.externalId: wanted a rule, got nothing/],
    ['a trust above 1', { trust: 2 }, /wanted a trust from 0 to 1/],
    ['a bad name', { name: ' x' }, /wanted a name/],
    ['the name of bundles', { name: 'bundle' }, /stands for imported bundles/],
    ['no seconds', { everySeconds: 0 }, /wanted a whole number of seconds/],
  ])('refuses %s', async (_, more, reason) => {
    const added = await add(more);
    expect(!added.ok && added.reason).toMatch(reason);
  });

  it('refuses a name twice', async () => {
    expect((await add()).ok).toBe(true);
    const again = await add();
    expect(!again.ok && again.reason).toBe('there is a source named "feed" already');
  });

  it('removes a source with what only it has brought', async () => {
    await importBundle({ store: test.store, bundle: { ...smallBundle(), events: [eventLine('jazz')] }, now });
    write([listing('1'), listing('2')]);
    await add();
    await run();
    expect(await removeSource({ store: test.store, name: 'feed', now })).toEqual({ events: 2, venues: 1 });
    expect((await events()).map(({ title, state }) => [title, state])).toEqual([
      ['Night of jazz', 'published'],
      ['Show 1', 'removed'],
      ['Show 2', 'removed'],
    ]);
    expect(await listSources({ store: test.store })).toEqual([]);
    expect(await removeSource({ store: test.store, name: 'feed', now })).toBeNull();
  });
});
