/** Names of imported houses: they place listings that name them, and are likely houses of names that wait. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { importAddressFile, OSM_CREDIT, openAddressFile } from '../../src/addresses/index.ts';
import { answerHere, importBundle, listWaitingPlaces } from '../../src/ingest/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { CITY, NEIGHBORHOODS, NOW, now, venueLine } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const { folder, remove } = temporaryFolder();
afterAll(remove);
const unlocated = (id: string, place: string, more: object = {}) => listing(id, { place, lat: null, lon: null, ...more });
const venues = () =>
  two.store.db
    .selectFrom('venue')
    .select(['name', 'address', 'location_precision as precision', 'latitude', 'is_verified as isVerified'])
    .where('state', '=', 'published')
    .orderBy('name')
    .execute();
const waiting = async () => (await listWaitingPlaces({ store: two.store, now: NOW })).places;

async function importNames(houses: readonly object[], name = 'town.osm.json', credit = OSM_CREDIT): Promise<void> {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify({ version: 0.6, elements: houses }));
  await importAddressFile(two.store.db, await openAddressFile(path), { name, credit, now: NOW });
}

const house = (id: number, name: string, more: object = {}, lat = 40.02, lon = -73.95) => {
  const address = { 'addr:housenumber': '31', 'addr:street': 'Quarry Street' };
  return { type: 'node', id, lat, lon, tags: { name, building: 'yes', ...address, ...more } };
};

beforeEach(async () => {
  await two.store.db.deleteFrom('address_file').execute();
  await importNames([house(1, 'Copper Kettle'), house(2, 'Town Hall', {}, 40.03), house(3, 'Grebe Rooms', {}, 40.04)]);
});

it('a listing stands at the only imported house of its full name, whose venue has its address and is not verified', async () => {
  two.radio.write([
    unlocated('r1', 'The Copper Kettle'),
    unlocated('r2', 'Town Hall', { name: 'Council' }),
    unlocated('r3', 'Grebe', { name: 'Quiz', start: '2026-06-22T19:00:00' }),
  ]);
  const report = await two.radio.run();
  expect(report.waiting).toEqual({ 'Town Hall': 1, Grebe: 1 });
  expect(await venues()).toMatchObject([
    { name: 'Grebe', precision: 'area' },
    { name: 'The Copper Kettle', address: '31 Quarry Street', precision: 'exact', latitude: 40.02, isVerified: false },
    { name: 'Town Hall', precision: 'area' },
  ]);
  expect((await two.radio.run()).events).toMatchObject({ created: 0, updated: 0 });
});

it('an address, another neighborhood or a second house of the name leaves the house alone', async () => {
  two.radio.write([
    unlocated('r1', 'Copper Kettle', { address: '7 Elder Lane' }),
    unlocated('r2', 'Grebe Rooms', { name: 'Quiz', start: '2026-06-22T19:00:00' }),
  ]);
  await importNames([house(4, 'Grebe Rooms', {}, 40.07), house(5, 'Teal Barn', {}, 40.05)], 'more.osm.json');
  two.press.write([
    unlocated('p1', 'Teal Barn', { address: 'Uptown' }),
    listing('p2', { place: 'Heron Loft', lat: 40.05, lon: -73.95 }),
  ]);
  await two.radio.run();
  await two.press.run();
  expect(await venues()).toMatchObject([
    { name: 'Copper Kettle', address: '7 Elder Lane', precision: 'area' },
    { name: 'Grebe Rooms', precision: 'area' },
    { name: 'Heron Loft' },
    { name: 'Teal Barn', address: 'Uptown', precision: 'area' },
  ]);
});

it.each([
  'Grebe Point, PA 15999',
  'Main Street, Boston, MA',
  'Main Street, Tidewater',
  'Holunderweg, Tidewater',
  'Quarry Street, Boston, MA',
])('a listing at %s is not at the imported house, and keeps its address', async (address) => {
  two.radio.write([unlocated('r1', 'Copper Kettle', { address })]);
  await two.radio.run();
  expect(await venues()).toMatchObject([{ name: 'Copper Kettle', address, precision: 'area' }]);
});

it.each([
  'Tidewater',
  'Tidewater, NY',
  '10999 Tidewater',
  'Quarry St',
  'Quarry Street, Tidewater',
  'Copper Kettle, Tidewater',
  'Harbor',
])('a listing at %s is at the imported house of its name', async (address) => {
  two.radio.write([unlocated('r1', 'Copper Kettle', { address })]);
  await two.radio.run();
  expect(await venues()).toMatchObject([{ address: '31 Quarry Street', precision: 'exact', latitude: 40.02 }]);
});

it('a listing whose own point is shared stays there, whatever else is listed', async () => {
  const at = { lat: 40.0602, lon: -73.96 };
  const there = ['Copper Kettle', 'Grebe Rooms', 'Lantern Loft'];
  const listed = there.map((place, index) =>
    listing(`r${index}`, { place, ...at, name: place, start: `2026-06-2${index}T19:00:00` }),
  );
  two.radio.write(listed);
  await two.radio.run();
  const first = await venues();
  expect(first.map(({ latitude }) => latitude)).toEqual([40.0602, 40.0602, 40.0602]);
  two.radio.write(listed.slice(0, 2));
  await two.radio.run();
  expect(await venues()).toMatchObject(first);
});

it('listings that wait get their place in the next run after an import, though their source says the same', async () => {
  await importNames([house(9, 'Other House')]);
  two.radio.write([unlocated('r1', 'Copper Kettle')]);
  await two.radio.run();
  expect(await venues()).toMatchObject([{ precision: 'area' }]);
  await importNames([house(1, 'Copper Kettle')]);
  await two.radio.run();
  expect(await venues()).toMatchObject([{ name: 'Copper Kettle', precision: 'exact' }]);
});

it('likely houses of a waiting name are venues and imported names, each with its reason and distance', async () => {
  const line = venueLine('Grebe Club', { latitude: 40.021, longitude: -73.95 });
  await importBundle({ store: two.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, venues: [line] }, now });
  await importNames([house(5, 'Grebe Barn', {}, 40.05)], 'barns.csv.json', 'Town of Alder');
  two.radio.write([unlocated('r1', 'Grebe')]);
  await two.radio.run();
  const [place] = await waiting();
  expect(place?.houses).toMatchObject([
    { name: 'The Grebe Club', houseId: null, reason: 'its name is similar', distanceFrom: 'center' },
    { venueId: null, name: 'Grebe Rooms', reason: 'a similar name in OpenStreetMap' },
    { venueId: null, name: 'Grebe Barn', address: '31 Quarry Street', reason: 'a similar name in barns.csv.json' },
  ]);
  expect(place?.houses.every(({ distanceKm }) => distanceKm > 0 && distanceKm < 60)).toBe(true);
});

it('one answer makes a likely house the venue of a name, with its name, address and point', async () => {
  two.radio.write([unlocated('r1', 'Grebe')]);
  await two.radio.run();
  const id = (await waiting())[0]?.houses[0]?.houseId ?? expect.fail();
  const input = { store: two.store, now: NOW, name: 'Grebe', by: 'ann', address: null, point: null };
  await answerHere({ ...input, house: id });
  await two.radio.run();
  expect(await venues()).toMatchObject([
    { name: 'Grebe Rooms', address: '31 Quarry Street', precision: 'exact', latitude: 40.04 },
  ]);
  await importNames([house(3, 'Grebe Rooms')]);
  await expect(answerHere({ ...input, house: id })).rejects.toThrow('its file may have been imported again');
});
