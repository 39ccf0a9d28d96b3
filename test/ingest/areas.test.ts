import { expect, it } from 'vitest';
import { loadDirectory } from '../../src/search/directory/follow-directory.ts';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../src/search/snapshot/snapshot-builder.ts';
import { CITY, NOW } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const unlocated = (id: string, place: string, more: object = {}) => listing(id, { place, lat: null, lon: null, ...more });
const venues = () =>
  two.store.db
    .selectFrom('venue')
    .select(['name', 'neighborhood', 'location_precision as precision', 'latitude', 'longitude'])
    .where('state', '=', 'published')
    .orderBy('name')
    .execute();

it('an event whose place is only an area is listed in that area, and says so', async () => {
  two.radio.write([unlocated('r1', 'Uptown'), unlocated('r2', 'Harbor Park'), unlocated('r3', 'Gull Hall')]);
  expect((await two.radio.run()).waiting).toEqual({ 'Gull Hall': 1, 'Harbor Park': 1 });
  expect(await venues()).toMatchObject([
    { name: 'Gull Hall', neighborhood: null, precision: 'area' },
    { name: 'Harbor Park', neighborhood: 'harbor', precision: 'area' },
    { name: 'Uptown', neighborhood: 'uptown', precision: 'area' },
  ]);
  const snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(two.store.db, 'https://e.example')).build(NOW, NOW));
  const { items } = snapshot.events({ from: NOW, to: Number.POSITIVE_INFINITY, neighborhood: 'uptown', limit: 9, offset: 0 });
  expect(items.map((item) => snapshot.extras(item).locationPrecision)).toEqual(['area']);
  const found = snapshot.venues({ anyVerified: true, limit: 9, offset: 0 }, NOW).items;
  expect(found.map((item) => snapshot.venueExtras(item))).toEqual([1, 2, 3].map(() => ({ locationPrecision: 'area' })));
});

it('a street or a park that nobody knows is in the city, and where it is once somebody knows', async () => {
  two.radio.write([unlocated('r1', 'MARROW STREET between 1 AVENUE and 2 AVENUE'), unlocated('r2', 'Kettle Park')]);
  expect((await two.radio.run()).waiting).toEqual({ 'MARROW STREET between 1 AVENUE and 2 AVENUE': 1, 'Kettle Park': 1 });
  const { latitude, longitude } = CITY.center;
  expect(await venues()).toMatchObject([
    { name: 'Kettle Park', precision: 'area', neighborhood: null, latitude, longitude },
    { precision: 'area', latitude, longitude },
  ]);
  two.press.write([listing('p1', { place: 'Kettle Park', lat: 40.02, lon: -73.85 })]);
  await two.press.run();
  await two.radio.run();
  expect(await venues()).toMatchObject([
    { name: 'Kettle Park', precision: 'exact', neighborhood: 'uptown', latitude: 40.02 },
    {},
  ]);
});

it('an area of two sources is one venue, and its events are told apart by their titles as at an unknown place', async () => {
  two.radio.write([unlocated('r1', 'Uptown', { name: 'Marrow Parade' })]);
  two.press.write([unlocated('p1', 'Uptown', { name: 'Marrow Picnic' }), unlocated('p2', 'UPTOWN', { name: 'Velvet Fair' })]);
  await two.radio.run();
  await two.press.run();
  expect((await venues()).map(({ name }) => name)).toEqual(['Uptown']);
  expect(await two.listed()).toHaveLength(3);
});

it('a name at which different events go on at one time, day after day, is an area and no house', async () => {
  const day = (id: string, date: string, place: string) =>
    ['Market', 'Parade'].map((name) =>
      unlocated(`${id} ${name}`, place, { name: `${name} ${id}`, start: `2026-06-${date}T10:00:00` }),
    );
  two.radio.write([...day('a', '20', 'Orlatown'), ...day('b', '21', 'Orlatown'), ...day('c', '20', 'The Tin Room')]);
  expect((await two.radio.run()).waiting).toEqual({ Orlatown: 4, 'The Tin Room': 2 });
  const types = await two.store.db
    .selectFrom('record')
    .select('listing')
    .where('kind', '=', 'venue')
    .orderBy('external_id')
    .execute();
  expect(types.map(({ listing: { area } }: { listing: { area?: string } }) => area)).toEqual(['itself', 'around']);
});

it('a point that three houses have in turn, run by run, decides no more', async () => {
  const steady = Array.from({ length: 9 }, (_, i) => listing(`steady ${i}`));
  const weekly = (name: string, id: string) => listing(id, { place: name, lat: 40.07, lon: -73.93 });
  for (const name of ['Kestrel Hall', 'Lantern Bar', 'Marrow Loft']) {
    two.radio.write([...steady, weekly(name, name)]);
    await two.radio.run();
  }
  const found = await venues();
  expect(found.find(({ name }) => name === 'Marrow Loft')).toMatchObject({ precision: 'approximate', neighborhood: null });
});

it('a point far off is outvoted by two that agree', async () => {
  two.radio.write([listing('r1', { place: 'Heron Gardens', placeId: 'x', lat: 40.02, lon: -73.95 })]);
  two.press.write([
    listing('p1', { place: 'Heron Gardens', placeId: 'y', lat: 40.0281, lon: -73.95 }),
    listing('p2', { place: 'Heron Gardens (Hall)', placeId: 'z', lat: 40.0282, lon: -73.95, start: '2026-06-21T20:00:00' }),
  ]);
  await two.radio.run();
  await two.press.run();
  expect(await venues()).toMatchObject([{ name: 'Heron Gardens', latitude: 40.0281 }]);
});
