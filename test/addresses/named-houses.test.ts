/** Names of houses in imported files. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSink } from '../../src/addresses/formats/address-sink.ts';
import {
  findHouseByName,
  listAddressFiles,
  loadHousesNamed,
  loadSimilarHouses,
  onlyHouse,
  removeAddressFile,
} from '../../src/addresses/index.ts';
import { nameKey } from '../../src/facts/index.ts';
import { openRegister } from './register-rig.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.dispose());

const node = (id: number, tags: object, lat = 45.0101, lon = -122.51) => ({ type: 'node', id, lat, lon, tags });
const way = (id: number, tags: object, geometry: readonly (readonly [number, number])[]) => ({
  ...{ type: 'way', id, tags },
  geometry: geometry.map(([lat, lon]) => ({ lat, lon })),
});
const overpass = (...elements: object[]) => JSON.stringify({ version: 0.6, elements });
const named = async (name: string) => (await loadHousesNamed(register.db, [name])).get(nameKey(name)) ?? [];
const anywhere = () => true;

it('keeps what a listing may name: houses with numbers, and named buildings and amenities without', async () => {
  const report = await register.importText(
    'town.osm.json',
    overpass(
      node(1, { name: 'Copper Kettle', 'addr:housenumber': '31', 'addr:street': 'Quarry Street', 'addr:city': 'Fernmoor' }),
      node(2, { name: 'Grebe Rooms', alt_name: 'Old Grebe;The Grebe', amenity: 'pub' }),
      node(3, { name: 'Town Hall', amenity: 'townhall' }),
      node(4, { name: 'Heron Bus Stop', highway: 'bus_stop' }),
      node(5, { name: 'Heron Garage', amenity: 'parking' }),
      way(6, { name: 'Osprey Grounds', leisure: 'park' }, [
        [45.01, -122.52],
        [45.02, -122.51],
        [45.01, -122.52],
      ]),
      way(7, { name: 'Quarry Street', highway: 'residential' }, [
        [45.01, -122.52],
        [45.01, -122.51],
      ]),
    ),
  );
  expect(report).toMatchObject({ houses: 1, streets: 1, names: 6, rejected: {} });
  expect(await named('THE COPPER KETTLE')).toMatchObject([
    { address: '31 Quarry Street, Fernmoor', isExact: true, origin: 'town.osm.json' },
  ]);
  expect(await named('Old Grebe')).toMatchObject([{ address: null, latitude: 45.0101 }]);
  expect(await named('Osprey Grounds')).toMatchObject([{ isExact: false }]);
  expect([await named('Heron Garage'), await named('Heron Bus Stop')]).toEqual([[], []]);
});

it('keeps names of GeoJSON and of a column of a table', async () => {
  const feature = (name: string, more: object) => ({
    ...{ type: 'Feature', properties: { name, ...more }, geometry: { type: 'Point', coordinates: [-122.5, 45.01] } },
  });
  const features = [feature('Avocet Hall', { number: '4', street: 'Holunderweg' }), feature('Bittern Barn', {})];
  await register.importText('names.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  await register.importText(
    'names.csv',
    'number,street,building_name,lat,lon\n7,Mill Lane,Curlew Works,45.01,-122.5\n9,Mill Lane,,45.01,-122.5\n',
  );
  expect(await named('Avocet Hall')).toMatchObject([{ address: 'Holunderweg 4' }]);
  expect(await named('Bittern Barn')).toMatchObject([{ address: null }]);
  expect(await named('Curlew Works')).toMatchObject([{ address: '7 Mill Lane' }]);
  expect((await listAddressFiles(register.db)).map(({ name, names }) => [name, names])).toEqual([
    ['names.csv', 1],
    ['names.geojson', 2],
    ['town.osm.json', 6],
  ]);
});

it('takes no town, stop or kind of building for the name of a house', async () => {
  const feature = (properties: object) => ({
    ...{ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [-122.5, 45.01] } },
  });
  const features = [
    feature({ name: 'Plover Green', place: 'village' }),
    feature({ name: 'Plover Stop', highway: 'bus_stop' }),
    feature({ building: 'chapel', 'addr:housenumber': '5', 'addr:street': 'Mill Lane' }),
    feature({ name: 'Plover Inn', amenity: 'pub', 'addr:housenumber': '9' }),
  ];
  const report = await register.importText('tags.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
  expect(report).toMatchObject({ houses: 1, names: 1, rejected: { 'a house has no street': 1 } });
  expect(await named('Plover Inn')).toMatchObject([{ address: null }]);
  await removeAddressFile(register.db, 'tags.geojson');
});

it('refuses a table with numbers whose only other column is a name: it may be the street', async () => {
  const table = 'number,name,city,lat,lon\n5,Main St,Fernmoor,45.01,-122.5\n7,Main St,Fernmoor,45.02,-122.5\n';
  await expect(register.importText('unclear.csv', table)).rejects.toThrow(/columns named number, street.*"number,name,city/);
});

it('imports addresses beside more names than it keeps', () => {
  const sink = createSink();
  sink.house({ number: '5', street: 'Mill Lane', town: '', postcode: '', latitude: 45.01, longitude: -122.5 });
  for (let index = 0; index <= 500_000; index++) {
    sink.name({ name: `Hall ${index}`, number: '', street: '', town: '', latitude: 45.01, longitude: -122.5, isExact: true });
  }
  expect(sink.finish()).toMatchObject({
    ...{ houses: 1, names: [] },
    rejected: new Map([['its names of houses are more than 500,000', 500_001]]),
  });
});

it('finds houses of similar names by their words', async () => {
  const found = await loadSimilarHouses(register.db, ['Kettle Bar', 'Grebe']);
  expect(found.map(({ name }) => name).sort()).toEqual(['Copper Kettle', 'Grebe Rooms', 'Old Grebe', 'The Grebe']);
  expect(await loadSimilarHouses(register.db, [''])).toEqual([]);
});

it('places a text that is the full name of the only such house in the city', async () => {
  const find = (text: string, isInCity: (point: { latitude: number }) => boolean = anywhere) =>
    findHouseByName(register.db, text, isInCity);
  expect(await find('Copper Kettle, Fernmoor')).toMatchObject({ precision: 'exact', via: 'house name' });
  expect(await find('Osprey Grounds')).toMatchObject({ precision: 'street' });
  expect(await find('Kettle')).toBe(null);
  expect(await find('Town Hall')).toBe(null);
  expect(await find('Copper Kettle', () => false)).toBe(null);
  await register.importText('second.json', overpass(node(8, { name: 'Copper Kettle', shop: 'tea' }, 45.03, -122.5)));
  expect(await find('Copper Kettle')).toBe(null);
});

it('replaces the names of a file with it, and removes them with it', async () => {
  await register.importText('second.json', overpass(node(8, { name: 'Dunlin House', shop: 'tea' })));
  expect([(await named('Copper Kettle')).length, (await named('Dunlin House')).length]).toEqual([1, 1]);
  await removeAddressFile(register.db, 'second.json');
  expect(await named('Dunlin House')).toEqual([]);
});

it('keeps no house of a name that very many have, in any spelling of it', async () => {
  const many = Array.from({ length: 52 }, (_, at) => node(at, { name: 'Merlin Grocer', shop: 'yes' }, 45 + at / 100));
  const more = [node(90, { name: 'The Merlin Grocer', shop: 'yes' }, 44), node(91, { name: 'Merlin Barn', shop: 'yes' })];
  expect(await register.importText('many.osm.json', overpass(...many, ...more))).toMatchObject({ names: 1 });
  expect(await named('Merlin Grocer')).toEqual([]);
});

it('similar houses have the words that few have, whatever else is asked', async () => {
  const common = Array.from({ length: 101 }, (_, at) => node(at, { name: `Gallery ${at}x`, shop: 'yes' }, 45 + at / 100));
  await register.importText('common.osm.json', overpass(...common, node(200, { name: 'Siskin Gallery', shop: 'yes' })));
  const found = await loadSimilarHouses(register.db, ['Other Gallery', 'Siskin']);
  expect(found.map(({ name, words }) => [name, words])).toEqual([['Siskin Gallery', ['siskin']]]);
});

it('chooses between entries of one house by what they say, not by their ids', () => {
  const entry = (id: string, latitude: number) => ({
    ...{ id, latitude, longitude: -122.5, name: 'Plover Mill', key: 'plover mill', words: [], origin: 'a file' },
    ...{ address: '4 Mill Lane', isExact: true },
  });
  const [one, other] = [entry('1', 45.0102), entry('2', 45.0101)];
  expect(onlyHouse([one, other], anywhere)).toBe(other);
  expect(onlyHouse([other, one], anywhere)).toBe(other);
});
