/** Lines of numbers in files of OpenStreetMap: `addr:interpolation`. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRegister } from './register-rig.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
beforeAll(async () => {
  register = await openRegister();
});
afterAll(() => register.dispose());

const node = (id: number, lat: number, lon: number, tags = {}) => ({ type: 'node', id, lat, lon, tags });
const number = (text: string, more = {}) => ({ 'addr:housenumber': text, 'addr:street': 'Sedge Road', ...more });
const line = (id: number, nodes: number[], kind: string, more = {}) => ({
  ...{ type: 'way', id, nodes },
  tags: { 'addr:interpolation': kind, ...more },
});

async function importAndFind(elements: readonly object[], ...texts: string[]) {
  const report = await register.importText('lines.json', JSON.stringify({ version: 0.6, elements }));
  const placer = await register.placer();
  const found = texts.map((text) => {
    const at = placer.find(text);
    return at && `${at.latitude} ${at.longitude} ${at.precision} (${at.via})`;
  });
  return { houses: report.houses, found };
}

it('a number lies along the line, around its corners, and is never the house itself', async () => {
  const elements = [
    node(1, 45, -120, number('1')),
    node(2, 45.002, -120),
    node(3, 45.002, -119.994, number('9')),
    line(9, [1, 2, 3], 'odd'),
  ];
  const { houses, found } = await importAndFind(elements, '1 Sedge Rd', '3 Sedge Rd', '5 Sedge Rd', '5b Sedge Rd', '4 Sedge Rd');
  expect(houses).toBe(2);
  expect(found).toEqual([
    '45 -120 exact (house number)',
    '45.001561 -120 interpolated (interpolation)',
    '45.002 -119.998414 interpolated (interpolation)',
    '45.002 -119.998414 interpolated (interpolation)',
    expect.stringContaining('interpolated (interpolation)'),
  ]);
});

it.each([
  ['even', '2', '8', [4, 6]],
  ['all', '8', '2', [3, 4, 5, 6, 7]],
  ['3', '2', '11', [5, 8]],
  ['alphabetic', '2a', '2f', []],
  ['odd', '1', '99999', []],
])('reads lines of kind %s from %s to %s', async (kind, from, to, numbers) => {
  const [a, b] = [node(1, 45, -120, number(from)), node(2, 45.009, -120, number(to))];
  await importAndFind([a, b, line(9, [1, 2], kind)]);
  const rows = await register.db.selectFrom('address_street').select('houses').execute();
  const bytes = Buffer.concat(rows.map(({ houses }) => houses));
  const keys = Array.from({ length: bytes.length / 12 }, (_, index) => bytes.readInt32LE(index * 12));
  expect(keys.filter((key) => key % 32 === 31).map((key) => key >> 5)).toEqual(numbers);
});

it('the line says the street of nodes that say none, and may stand before them', async () => {
  const elements = [
    line(9, [1, 2], 'even', { 'addr:street': 'Sedge Road', 'addr:city': 'Fernmoor' }),
    node(1, 45, -120, { 'addr:housenumber': '2' }),
    node(2, 45.006, -120, { 'addr:housenumber': '8' }),
  ];
  expect((await importAndFind(elements, '2 Sedge Rd', '6 Sedge Rd')).found).toEqual([
    '45 -120 exact (house number)',
    '45.004 -120 interpolated (interpolation)',
  ]);
});

it('takes the corners of a line from the line itself, where Overpass leaves out nodes without tags', async () => {
  const geometry = [
    { lat: 45, lon: -120 },
    { lat: 45.002, lon: -120 },
    { lat: 45.002, lon: -119.994 },
  ];
  const ends = [node(1, 45, -120, number('1')), node(3, 45.002, -119.994, number('9'))];
  const { found } = await importAndFind([...ends, { ...line(9, [1, 2, 3], 'odd'), geometry }], '5 Sedge Rd');
  expect(found).toEqual(['45.002 -119.998414 interpolated (interpolation)']);
});

it('reads the form of XML as well', async () => {
  const tag = (k: string, v: string) => `<tag k="${k}" v="${v}"/>`;
  const house = (id: number, lat: number, text: string) =>
    `<node id="${id}" lat="${lat}" lon="-120">${tag('addr:housenumber', text)}${tag('addr:street', 'Rush Way')}</node>`;
  const way = `<way id="9"><nd ref="1"/><nd ref="2"/>${tag('addr:interpolation', 'all')}</way>`;
  await register.importText('lines.osm', `<osm version="0.6">${house(1, 45, '1')}${house(2, 45.004, '5')}${way}</osm>`);
  expect((await register.placer()).find('3 Rush Way')).toMatchObject({ latitude: 45.002, precision: 'interpolated' });
});
