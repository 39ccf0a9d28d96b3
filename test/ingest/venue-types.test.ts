import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, now } from '../support/records/bundle.ts';
import { addFeed } from '../support/rigs/sources.ts';

// One engine is enough: types and categories are chosen before anything is written.

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

const FIELDS = {
  externalId: 'id',
  title: 'name',
  category: 'kind',
  categoryWords: 'words',
  start: 'start',
  isFree: 'free',
  priceMin: 'min',
  priceMax: 'max',
  venue: { name: 'place', type: 'type', capacity: 'holds', latitude: 'lat', longitude: 'lon' },
};
interface Said {
  place: string;
  kind?: string;
  [field: string]: unknown;
}
let serial = 0;
/** Nights of one kind at a place; places are far from each other. */
function nights(count: number, said: Said): object[] {
  const at = [...said.place].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0) * 7, 0) % 900;
  return Array.from({ length: count }, (_, index) => ({
    id: `e${serial++}`,
    name: `Evening ${serial} of ${said.place}`,
    start: `2026-07-${String((index % 28) + 1).padStart(2, '0')}T20:00`,
    lat: 40.0005 + at * 0.0001,
    lon: -73.9 - at * 0.0001,
    ...said,
  }));
}
async function runAll(sources: Record<string, object[]>): Promise<void> {
  for (const [name, records] of Object.entries(sources)) {
    const feed = await addFeed(test.store, temporary.folder, name, { mapping: { records: 'events', fields: FIELDS } });
    feed.write(records);
    expect((await feed.run()).rejected).toEqual([]);
  }
}
async function types(): Promise<Record<string, string>> {
  const rows = await test.store.db.selectFrom('venue').select(['name', 'type']).orderBy('name').execute();
  return Object.fromEntries(rows.map(({ name, type }) => [name, type]));
}
const events = () => test.store.db.selectFrom('event').selectAll().where('state', '=', 'published').orderBy('title').execute();

describe('the type of a venue', () => {
  it('follows what plays there over time, where a name says little', async () => {
    await runAll({
      tickets: [
        ...nights(18, { place: 'Alder Square Garden', kind: 'concert' }),
        ...nights(3, { place: 'Alder Square Garden', kind: 'sports' }),
        ...nights(12, { place: 'Irwin Plaza', kind: 'concert' }),
        ...nights(9, { place: 'Signet Center', kind: 'theater' }),
        ...nights(16, { place: 'Barrow Center', kind: 'concert' }),
        ...nights(2, { place: 'Barrow Center', kind: 'sports' }),
        ...nights(4, { place: 'Rosewater', kind: 'food' }),
        ...nights(5, { place: 'Elder Garden', kind: 'outdoor', free: true }),
        ...nights(16, { place: 'Meadowcroft', kind: 'concert', holds: 18_000 }),
      ],
    });
    expect(await types()).toEqual({
      'Alder Square Garden': 'arena',
      'Barrow Center': 'arena',
      'Elder Garden': 'park',
      'Irwin Plaza': 'club',
      Meadowcroft: 'arena',
      Rosewater: 'restaurant',
      'Signet Center': 'theater',
    });
  });

  it('is a stadium where games are played for money, though it is called a park', async () => {
    await runAll({
      tickets: nights(20, { place: 'Orchard Park', kind: 'sports', min: 15 }),
      city: nights(20, { place: 'Elder Park', kind: 'sports', free: true }),
    });
    expect(await types()).toEqual({ 'Elder Park': 'park', 'Orchard Park': 'stadium' });
  });

  it('is a club where nights are held beside plays or concerts, unless its name says more', async () => {
    await runAll({
      tickets: [
        ...nights(8, { place: 'Everyone In', kind: 'theater' }),
        ...nights(6, { place: 'Everyone In', kind: 'concert' }),
        ...nights(3, { place: 'Everyone In', kind: 'nightlife' }),
        ...nights(16, { place: 'House of Maybe', kind: 'concert' }),
        ...nights(3, { place: 'House of Maybe', kind: 'nightlife' }),
        ...nights(8, { place: 'Alder Playhouse', kind: 'theater' }),
        ...nights(2, { place: 'Alder Playhouse', kind: 'nightlife' }),
      ],
      city: nights(1, { place: 'House of Maybe', kind: 'community', type: 'theater' }),
    });
    expect(await types()).toEqual({
      'Alder Playhouse': 'theater',
      'Everyone In': 'club',
      'House of Maybe': 'club',
    });
  });

  it.each<[name: string, type: string]>([
    ['Beacon Row Theatre', 'theater'],
    ['Théâtre du Port', 'theater'],
    ['Musée des Phares', 'museum'],
    ['Stadion am Hafen', 'stadium'],
    ['Galería Norte', 'gallery'],
    ['Museum Bar', 'bar'],
    ['Farm Museum Farm Stand', 'park'],
    ['Biergarten am Ufer', 'bar'],
    ['Pine Street Library', 'museum'],
    ['Bibliothèque des Pins', 'museum'],
    ['St. Orla Church', 'theater'],
    ['P.S. 9 School', 'theater'],
    ['Grove Community Center', 'theater'],
    ['Elm Recreation Center', 'arena'],
    ['Lawn (in Elder Park)', 'park'],
    ['Gymnasium (Court) (in Elder Park)', 'arena'],
    ['Lawn (Court)', 'park'],
    ['Nameless', 'theater'],
  ])('of %s is %s, and is no park by default', async (place, type) => {
    await runAll({ city: nights(1, { place, kind: 'community' }) });
    expect(await types()).toEqual({ [place]: type });
  });

  it('is the same whatever source runs first, and what one of them lists counts', async () => {
    const sources = {
      radio: nights(6, { place: 'Signal', kind: 'nightlife' }),
      city: [
        ...nights(3, { place: 'Signal', kind: 'art' }),
        ...nights(2, { place: 'Harbor House', kind: 'community', type: 'bar' }),
      ],
    };
    await runAll(sources);
    const found = await types();
    expect(found).toEqual({ 'Harbor House': 'bar', Signal: 'club' });
    await emptyDirectory(test.store);
    await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
    await runAll({ city: sources.city, radio: sources.radio });
    expect(await types()).toEqual(found);
  });
});

describe('an event of several sources', () => {
  const one = { start: '2026-07-01T20:00', name: 'Lantern Parade Band', place: 'Signal' };

  it('has the category of most of them, and of the place only if nothing else speaks', async () => {
    await runAll({
      radio: nights(1, { ...one, words: ['Music'] }),
      stage: nights(1, { ...one, words: ['Concert'] }),
      city: nights(1, { ...one, words: ['Comedy'] }),
      other: nights(1, { name: 'Quarry', place: 'Elder Museum', words: ['Music'], start: '2026-07-02T20:00' }),
      last: nights(1, { name: 'Quarry Two', place: 'Elder Museum', start: '2026-07-03T20:00' }),
    });
    expect((await events()).map(({ title, category }) => [title, category])).toEqual([
      ['Lantern Parade Band', 'concert'],
      ['Quarry', 'concert'],
      ['Quarry Two', 'art'],
    ]);
  });

  it('has the category of most others at its venue where nothing says anything of it', async () => {
    await runAll({
      stage: [...nights(3, { place: 'Signet Row', kind: 'theater' }), ...nights(1, { place: 'Signet Row', name: 'Quarry' })],
    });
    expect((await events()).map(({ category }) => category)).toEqual(['theater', 'theater', 'theater', 'theater']);
  });

  it('has a price where one of them lists a price and another calls it free', async () => {
    await runAll({ city: nights(1, { ...one, free: true }), radio: nights(1, { ...one, min: 25, max: 40 }) });
    expect(await events()).toMatchObject([{ is_free: false, price_min: '25.0000', price_max: '40.0000' }]);
  });
});
