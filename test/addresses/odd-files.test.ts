import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listAddressFiles, removeAddressFile } from '../../src/addresses/index.ts';
import { openRegister } from './register-rig.ts';
import type { FERNMOOR } from './towns.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
beforeAll(async () => {
  register = await openRegister();
});
afterEach(async () => {
  for (const { name } of await listAddressFiles(register.db)) await removeAddressFile(register.db, name);
});
afterAll(() => register.dispose());

describe('a register that has its points twice', () => {
  const LINDEVAL: typeof FERNMOOR = { name: 'Lindeval', latitude: 45.8, longitude: 4.8, locale: 'fr-FR' };
  const HEAD =
    'id;id_fantoir;numero;rep;nom_voie;code_postal;code_insee;nom_commune;code_insee_ancienne_commune;nom_ancienne_commune;x;y;lon;lat;type_position';
  const rows = [
    '01999_0010_00012;01999_0010;12;;Rue des Saules;01990;01999;Lindeval;;;839700.5;6524100.2;4.801;45.801;entrée',
    '01999_0010_00012_bis;01999_0010;12;bis;Rue des Saules;01990;01999;Lindeval;;;839712.5;6524102.2;4.802;45.802;entrée',
    '01999_0010_00014;01999_0010;14;B;Rue des Saules;01990;01999;Lindeval;;;839720.5;6524104.2;4.803;45.803;entrée',
  ];

  it('is read in degrees, with bis and ter', async () => {
    const report = await register.importText('ban.csv', [HEAD, ...rows].join('\n'));
    expect(report).toMatchObject({ houses: 3, streets: 1, rejected: {} });
    const { find } = await register.placer(LINDEVAL);
    expect(find('12 rue des Saules')).toMatchObject({ latitude: 45.801, longitude: 4.801, precision: 'exact' });
    expect(find('12 bis rue des Saules')).toMatchObject({ latitude: 45.802, longitude: 4.802, precision: 'exact' });
    expect(find('14b rue des Saules')).toMatchObject({ latitude: 45.803, longitude: 4.803, precision: 'exact' });
  });

  it('gives the better name of two, in any order', async () => {
    const properties = { rue: 'Nebenweg', street: 'Elder Lane', nr: '99', number: '12', suffix: '1/2' };
    const feature = { type: 'Feature', geometry: { type: 'Point', coordinates: [-120, 45] }, properties };
    await register.importText('twice.geojson', JSON.stringify({ features: [feature] }));
    expect((await register.placer()).find('12 1/2 Elder Lane')).toMatchObject({ latitude: 45, precision: 'exact' });
  });
});

describe('a file that is not whole', () => {
  const element = '{"type":"node","id":1,"lat":45,"lon":-120,"tags":{"addr:housenumber":"1","addr:street":"Elder Lane"}}';
  const node = '<node id="1" lat="45" lon="-120"><tag k="addr:housenumber" v="1"/><tag k="addr:street" v="Elder Lane"/></node>';
  const feature =
    '{"type":"Feature","geometry":{"type":"Point","coordinates":[-120,45]},"properties":{"number":"1","street":"Elder Lane"}}';
  const timedOut = 'runtime error: Query timed out in "query" at line 3 after 2 seconds.';

  it.each([
    ['between.json', `{"elements": [${element},\n`, /ends in the middle/],
    ['within.json', `{"elements": [${element},{"type":"node","tags":{"na`, /ends in the middle/],
    ['between.osm', `<osm version="0.6">${node}\n`, /ends in the middle/],
    ['within.osm', `<osm version="0.6">${node}<node id="2" lat="4`, /ends in the middle/],
    ['within.geojson', `{"features": [${feature}`, /ends in the middle/],
    ['lines.geojson', `${feature}\n${feature.slice(0, 50)}`, /ends in the middle/],
    [
      'timeout.json',
      JSON.stringify({ elements: [JSON.parse(element)], remark: timedOut }, null, 1),
      /: runtime error: Query timed out in "query" at line 3 after 2 seconds\.$/,
    ],
    [
      'timeout.osm',
      `<osm>${node}<remark> ${timedOut.replaceAll('"', '&quot;')} </remark></osm>`,
      /: runtime error: Query timed out in "query" at line 3 after 2 seconds\.$/,
    ],
  ])('replaces nothing: %s', async (name, content, reason) => {
    const whole = name.endsWith('.osm')
      ? `<osm>${node}</osm>`
      : JSON.stringify({ elements: [JSON.parse(element)], remark: 'none' });
    await register.importText(name, whole);
    await expect(register.importText(name, content)).rejects.toThrow(reason);
    expect(await listAddressFiles(register.db)).toMatchObject([{ name, houses: 1 }]);
  });
});

describe('an odd entry stops nothing else', () => {
  const good = { type: 'node', id: 1, lat: 45, lon: -120, tags: { 'addr:housenumber': '12', 'addr:street': 'Elder Lane' } };

  it.each([
    ['numbers as tags', { tags: { 'addr:housenumber': 14, 'addr:street': 7 } }, { houses: 2, rejected: {} }],
    [
      'a list as a tag',
      { tags: { 'addr:housenumber': '14', 'addr:street': ['a'] } },
      { rejected: { 'a house has no street': 1 } },
    ],
    ['text as tags', { tags: 'abc' }, { rejected: {} }],
    ['text as nodes', { type: 'way', lat: undefined, nodes: 'abc' }, { rejected: { 'an element has no point': 1 } }],
    ['odd nodes', { type: 'way', lat: undefined, nodes: ['a', null, {}] }, { rejected: { 'an element has no point': 1 } }],
    ['text as geometry', { type: 'way', lat: undefined, geometry: 'abc' }, { rejected: { 'an element has no point': 1 } }],
    ['text as a center', { type: 'way', lat: undefined, center: 'abc' }, { rejected: { 'an element has no point': 1 } }],
    ['text as a point', { lat: 'x' }, { rejected: { 'an element has no point': 1 } }],
  ])('%s', async (_, odd, report) => {
    const elements = [good, { ...good, id: 2, ...odd }];
    expect(await register.importText('odd.json', JSON.stringify({ elements }))).toMatchObject({ houses: 1, ...report });
  });

  it('a number that is too large for a block counts alone', async () => {
    const rows = ['number,street,lat,lon', '46-01,Elder Blvd,45,-120', '999999-12,Elder Blvd,45.001,-120'];
    expect(await register.importText('large.csv', rows.join('\n'))).toMatchObject({ houses: 2, rejected: {} });
    const { find } = await register.placer();
    expect(find('46-01 Elder Blvd')).toMatchObject({ latitude: 45, precision: 'exact' });
  });
});

it('a street of several lines has nothing in the gap between them', async () => {
  const coordinates = [
    [
      [-120, 45],
      [-119.999, 45],
    ],
    [
      [-119.981, 45],
      [-119.98, 45],
    ],
  ];
  const properties = { name: 'Elder Lane', highway: 'residential' };
  const street = { type: 'Feature', geometry: { type: 'MultiLineString', coordinates }, properties };
  const crossing = (name: string, longitude: number) => ({
    type: 'Feature',
    geometry: {
      type: 'LineString',
      coordinates: [
        [longitude, 44.99],
        [longitude, 45],
        [longitude, 45.01],
      ],
    },
    properties: { name },
  });
  const features = [street, crossing('Heron Street', -119.99), crossing('Moss Road', -119.9995)];
  await register.importText('gap.geojson', JSON.stringify({ features }));
  const { find } = await register.placer();
  expect(find('Elder Lane & Moss Road')).toMatchObject({ precision: 'corner' });
  expect(find('Elder Lane & Heron Street')?.precision).not.toBe('corner');
});
