import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAddressFiles, loadPlaceCredits, registerDigest, removeAddressFile } from '../../src/addresses/index.ts';
import { osmPbf } from '../support/records/osm-files.ts';
import { openRegister } from './register-rig.ts';
import { FERNMOOR_STREETS, numbersOf, osmXmlOf, overpassOf, pointOf } from './towns.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.dispose());

const importText: typeof register.importText = (...file) => register.importText(...file);
const placer = () => register.placer();
const houses = FERNMOOR_STREETS.flatMap((street) =>
  numbersOf(street).map((number) => ({ street, number, ...pointOf(street, number) })),
);
const quarry = FERNMOOR_STREETS[0] ?? expect.fail();

const TABLE = [
  'NUMBER;STREET;CITY;POSTCODE;LAT;LON',
  ...houses.map(
    ({ street, number, latitude, longitude }) =>
      `${number};${street.name};${street.town};${street.postcode};${latitude};${longitude}`,
  ),
].join('\r\n');
const featureOf = ({ street, number, latitude, longitude }: (typeof houses)[number]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: { number: String(number), street: street.name, city: street.town, postcode: street.postcode },
});
const GEOJSON = JSON.stringify({ type: 'FeatureCollection', features: houses.map(featureOf) });
const LINES = houses.map((house) => JSON.stringify(featureOf(house))).join('\n');
const WHOLE = [
  'address,latitude,longitude',
  ...houses.map(({ street, number, latitude, longitude }) => `"${number} ${street.name}, Fernmoor",${latitude},${longitude}`),
].join('\n');

describe('a file of addresses', () => {
  it.each([
    ['overpass.json', overpassOf(FERNMOOR_STREETS), 'overpass', 7],
    ['overpass.json.gz', gzipSync(overpassOf(FERNMOOR_STREETS)), 'overpass', 7],
    ['town.osm', osmXmlOf(FERNMOOR_STREETS), 'osm-xml', 7],
    ['town.pbf', pbfOf(), 'osm-pbf', 1],
    ['register.csv', TABLE, 'table', 6],
    ['whole.csv', WHOLE, 'table', 6],
    ['houses.geojson', GEOJSON, 'geojson', 6],
    ['lines.geojson', LINES, 'geojson', 6],
  ])('is told by its content: %s', async (name, content, format, streets) => {
    const report = await importText(name, content);
    expect(report).toMatchObject({ format, streets, rejected: {}, replaced: false });
    expect((await placer()).find('31 Quarry St')).toEqual({ ...pointOf(quarry, 31), precision: 'exact', via: 'house number' });
    expect(await removeAddressFile(register.db, name)).toBe(true);
    expect((await placer()).find('31 Quarry St')).toMatchObject({ precision: 'city' });
  });

  it('replaces the earlier one of its name, and changes the digest only with its content', async () => {
    expect(await registerDigest(register.db)).toBe('');
    await importText('register.csv', TABLE);
    const digest = await registerDigest(register.db);
    expect(await importText('register.csv', TABLE)).toMatchObject({ replaced: true });
    expect(await registerDigest(register.db)).toBe(digest);
    await importText('register.csv', TABLE.replace('31;', '33;'));
    expect(await registerDigest(register.db)).not.toBe(digest);
    expect(await listAddressFiles(register.db)).toMatchObject([{ name: 'register.csv', credit: 'City of Fernmoor', streets: 6 }]);
    expect(await loadPlaceCredits(register.db)).toEqual(['City of Fernmoor']);
    await removeAddressFile(register.db, 'register.csv');
    expect(await removeAddressFile(register.db, 'register.csv')).toBe(false);
  });

  it('counts what cannot be read by its reason', async () => {
    const rows = [
      'nr,strasse,lat,lon',
      '12,Elder Lane,45,-120',
      'x,Elder Lane,45,-120',
      '14,,45,-120',
      '16,Elder Lane,,',
      '18,Elder Lane,4412345,512345',
    ];
    expect(await importText('bad.csv', rows.join('\n'))).toMatchObject({
      houses: 1,
      rejected: {
        'the house number cannot be read': 1,
        'a house has no street': 1,
        'a row has no coordinates': 1,
        'the point is not in degrees of WGS 84': 1,
      },
    });
    await removeAddressFile(register.db, 'bad.csv');
  });

  it.each([
    ['photo.png', Buffer.from([0x89, 0x50, 0, 0, 1]), /wanted Overpass JSON, .* none of them/],
    ['names.csv', 'name,color\nHeron,blue\n', /first line must name columns/],
    ['empty.json', '{"elements": []}', /no house number and no street/],
    ['cut.json', '{"elements": [{"type":"node","lat":1,"lon":2,"tags":{"addr:housenumber":"1"}},{"type"', /ends in the middle/],
    ['cut.pbf', pbfOf().subarray(0, 200), /ends in the middle/],
  ])('is refused with a reason: %s', async (name, content, reason) => {
    await expect(importText(name, content)).rejects.toThrow(reason);
    expect(await listAddressFiles(register.db)).toEqual([]);
  });

  it('reads blocks as in Queens, ranges and suffixes', async () => {
    const rows = [
      'number,street,lat,lon',
      '46-01,Elder Blvd,45,-120',
      '46-15,Elder Blvd,45.001,-120',
      '35-39,Moss Rd,45.002,-120',
      '12b,Moss Rd,45.003,-120',
    ];
    await importText('blocks.csv', rows.join('\n'));
    const { find } = await placer();
    expect(find('46-15 Elder Blvd')).toMatchObject({ latitude: 45.001, precision: 'exact' });
    expect(find('4601 Elder Blvd')).toMatchObject({ latitude: 45, precision: 'exact' });
    expect(find('37 Moss Rd')).toMatchObject({ latitude: 45.002, precision: 'exact' });
    expect(find('12B Moss Road')).toMatchObject({ latitude: 45.003, precision: 'exact' });
    expect(find('12 Moss Road')).toMatchObject({ latitude: 45.003, precision: 'interpolated' });
    await removeAddressFile(register.db, 'blocks.csv');
  });
});

/** One street with its houses. */
function pbfOf(): Buffer {
  return osmPbf(
    numbersOf(quarry).map((number, index) => {
      const { latitude: lat, longitude: lon } = pointOf(quarry, number);
      const tags = { 'addr:housenumber': String(number), 'addr:street': quarry.name, 'addr:city': quarry.town };
      return { type: 'node', id: index + 1, lat, lon, tags };
    }),
  );
}
