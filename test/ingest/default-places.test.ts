/** Points and texts that a provider gives to listings of which it knows no place: told by counting the listings of a source. */

import { expect, it } from 'vitest';
import { answerHere, importBundle, listWaitingPlaces } from '../../src/ingest/index.ts';
import { CITY, NEIGHBORHOODS, NOW, now, venueLine } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const PLACEHOLDER = 'Zobacz szczegóły';
const GHANA = { lat: 5.6, lon: -0.2 };
const ROME = { lat: 41.9, lon: 12.5 };
const NEXT_TOWN = { lat: 41.2, lon: -73.9 };

const SUBJECTS = ['Lantern', 'Kelp', 'Marble', 'Sparrow', 'Copper', 'Thimble', 'Bramble', 'Quartz', 'Ferry', 'Walnut'];
const FORMS = ['Choir', 'Market', 'Workshop', 'Reading', 'Quartet', 'Dance'];
const titleOf = (index: number) => `${SUBJECTS[index % 10]} ${FORMS[Math.floor(index / 10) % 6]}`;
const dayOf = (index: number) => `2026-07-${String(1 + (index % 28)).padStart(2, '0')}T${index < 28 ? '11' : '20'}:00:00`;
const many = (count: number, make: (index: number) => Record<string, unknown>) =>
  Array.from({ length: count }, (_, i) => make(i));
const atHouse = (index: number, more: object = {}) =>
  listing(`h${index}`, {
    name: titleOf(index),
    start: dayOf(index),
    place: `${SUBJECTS[index % 10]} ${['Hall', 'Room', 'Tavern', 'Loft', 'Yard'][Math.floor(index / 10)]}`,
    lat: 40.01 + (index % 8) * 0.01,
    lon: -73.99 + index * 0.003,
    ...more,
  });
const unknown = (index: number, more: object = {}) =>
  listing(`u${index}`, { name: titleOf(index), start: dayOf(index), place: PLACEHOLDER, ...GHANA, ...more });

const venues = () =>
  two.store.db.selectFrom('venue').select(['name', 'latitude', 'longitude', 'address']).orderBy('name').execute();
const namesOf = async () => (await venues()).map(({ name }) => name);
const isAbroad = ({ latitude }: { latitude: number }) => latitude < 39 || latitude > 41;

it('22 of 72 houses have points abroad, and name the city: none of them stands abroad, and all are listed', async () => {
  const abroad = [GHANA, ROME, { lat: 5.3, lon: -4 }, { lat: 48.8, lon: 2.3 }];
  two.radio.write([
    ...many(50, atHouse),
    ...many(22, (index) => {
      const city = index % 2 === 0 ? { address: `${index + 3} Quay Street, Tidewater QC H2X 1Y4` } : {};
      const place = `${titleOf(index)} House${index % 2 === 0 ? '' : ' - Tidewater'}`;
      return listing(`a${index}`, { name: titleOf(index + 7), place, ...city, ...abroad[index % 4] });
    }),
  ]);
  const report = await two.radio.run();
  expect(report.reasons).toEqual({});
  expect(await two.listed()).toHaveLength(72);
  expect((await venues()).filter(isAbroad)).toEqual([]);
});

it('a text of 29 unrelated listings at one point in the sea names no venue: they wait for their source, and none is rejected', async () => {
  two.radio.write([...many(50, atHouse), ...many(29, unknown)]);
  const report = await two.radio.run();
  expect([report.reasons, report.waiting]).toEqual([{}, { 'source:radio': 29 }]);
  expect(await two.listed()).toHaveLength(50);
  expect(await namesOf()).not.toContain(PLACEHOLDER);
  const { places } = await listWaitingPlaces({ store: two.store, now: NOW });
  expect(places).toMatchObject([{ name: 'source:radio', count: 29 }]);
  expect((await two.radio.run()).events).toMatchObject({ created: 0, updated: 0 });
});

it('what such a listing says beside its text places it: an address, an area', async () => {
  two.radio.write([
    ...many(50, atHouse),
    ...many(20, unknown),
    unknown(20, { area: 'UPTOWN' }),
    unknown(21, { address: '12 Quay Street, Tidewater' }),
    unknown(22, { lat: 40.055, lon: -73.955, address: '9 Marrow Street' }),
  ]);
  const report = await two.radio.run();
  expect([report.reasons, report.waiting]).toMatchObject([{}, { 'source:radio': 20 }]);
  expect(await namesOf()).toEqual(expect.arrayContaining(['UPTOWN', '12 Quay Street', '9 Marrow Street']));
  expect((await venues()).filter(isAbroad)).toEqual([]);
});

it('a listing that comes alone is read as those before it were, in any order', async () => {
  two.radio.write([...many(50, atHouse), ...many(29, unknown)].reverse());
  await two.radio.run();
  // At another point, too: the text is what is known.
  two.radio.write([...many(50, atHouse), unknown(3), unknown(40, ROME)]);
  const report = await two.radio.run();
  expect(report.reasons).toEqual({});
  expect(report.waiting).toEqual({ 'source:radio': 2 });
});

it('the points may be many', async () => {
  two.radio.write([...many(50, atHouse), ...many(29, (index) => unknown(index, { lat: 5 + index, lon: 10 + index }))]);
  const report = await two.radio.run();
  expect([report.reasons, report.waiting]).toEqual([{}, { 'source:radio': 29 }]);
});

it('a venue of this name that the directory knows is one: only the point is dropped', async () => {
  const house = venueLine('x', { name: PLACEHOLDER, latitude: 40.02, longitude: -73.92 });
  await importBundle({ store: two.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, venues: [house] }, now });
  two.radio.write([...many(50, atHouse), ...many(29, unknown)]);
  const report = await two.radio.run();
  expect([report.reasons, report.waiting]).toEqual([{}, {}]);
  expect((await venues()).filter(({ name }) => name === PLACEHOLDER)).toMatchObject([{ latitude: 40.02 }]);
});

it('a text at the doors of many other houses gives way to the address', async () => {
  const door = (index: number) => ({ address: `${index + 1} Marrow Street` });
  two.radio.write([
    ...many(20, (index) => atHouse(index, door(index))),
    ...many(12, (index) => unknown(index, { name: titleOf(index + 20), lat: null, lon: null, ...door(index) })),
  ]);
  await two.radio.run();
  expect(await namesOf()).not.toContain(PLACEHOLDER);
  expect(await two.listed()).toHaveLength(32);
});

it('a chain keeps its name at its own doors, and a house its point under any number of titles', async () => {
  const branches = many(8, (index) =>
    listing(`c${index}`, {
      name: titleOf(index + 20),
      start: dayOf(index + 20),
      place: 'Moxie Coffee',
      address: `${index + 60} ${SUBJECTS[index]} Street`,
      lat: 40.01 + index / 100,
      lon: -73.99 + index / 50,
    }),
  );
  const calendar = many(29, (index) =>
    listing(`k${index}`, { name: titleOf(index + 30), start: dayOf(index), place: 'Kestrel Hall', lat: 40.03, lon: -73.85 }),
  );
  two.radio.write([...many(20, atHouse), ...branches, ...calendar]);
  await two.radio.run();
  const names = await namesOf();
  expect(names).toEqual(expect.arrayContaining(['Moxie Coffee', 'Kestrel Hall']));
  expect(names.filter((name) => /\d/.test(name))).toEqual([]);
});

it.each([
  ['of a house abroad, in a list of many towns', many(12, (index) => atHouse(index, { lat: 42 + index / 10 })), NEXT_TOWN],
  ['of a house abroad, in its own calendar', [], GHANA],
])('the listings %s are of another town', async (_, others, point) => {
  two.radio.write([
    ...many(50, atHouse).slice(0, others.length * 4),
    ...others.map((each, i) => ({ ...each, id: `o${i}` })),
    ...many(29, (index) => unknown(index, point)),
  ]);
  const report = await two.radio.run();
  expect(report.reasons).toEqual({ outside_city: 29 + others.length });
});

it('a touring show has one title: its house abroad is none of a provider’s defaults', async () => {
  two.radio.write([
    ...many(50, atHouse),
    ...many(29, (index) => unknown(index, { name: `Walnut Circus ${index}`, place: 'Teatro Verde' })),
  ]);
  expect((await two.radio.run()).reasons).toEqual({ outside_city: 29 });
});

const DOORS = many(4, (index) => ({ address: `${10 + index} Quay Street`, lat: 40.02 + index / 100, lon: -73.95 }));
const hosts = () => many(4, (index) => atHouse(index, DOORS[index]));
const guests = (count: number) =>
  many(count, (index) =>
    listing(`g${index}`, { name: titleOf(index), start: dayOf(index), place: 'Bramble House', ...DOORS[index % 4] }),
  );
const atHome = () =>
  many(8, (index) =>
    listing(`b${index}`, {
      name: titleOf(index + 20),
      start: dayOf(index + 9),
      place: 'Bramble House',
      address: '99 Elder Lane',
      lat: 40.06,
      lon: -73.93,
    }),
  );

it.each([6, 20])('a house with a door of its own keeps its name, beside %i events at houses of others', async (count) => {
  two.radio.write([...hosts(), ...guests(count), ...atHome()]);
  await two.radio.run();
  expect(await namesOf()).toContain('Bramble House');
  expect(await namesOf()).not.toContain('99 Elder Lane');
});

it('a wrong guess ends when the house lists its own door', async () => {
  two.radio.write([...hosts(), ...guests(6)]);
  await two.radio.run();
  expect(await namesOf()).not.toContain('Bramble House');
  two.radio.write([...hosts(), ...guests(6), ...atHome()]);
  await two.radio.run();
  expect(await namesOf()).toContain('Bramble House');
});

it('a wrong guess ends when an operator says where the house is', async () => {
  two.radio.write([...hosts(), ...guests(6)]);
  await two.radio.run();
  const point = { latitude: 40.06, longitude: -73.93 };
  await answerHere({ store: two.store, now: NOW, name: 'Bramble House', by: 'ann', address: '99 Elder Lane', point });
  await two.radio.run();
  expect(await namesOf()).toContain('Bramble House');
});

it('defaults of listings that went half a year ago do not count', async () => {
  two.radio.write([...many(50, atHouse), ...many(29, unknown)]);
  await two.radio.run();
  await two.store.db
    .updateTable('record')
    .set({ gone_at: new Date(NOW - 200 * 86_400_000) })
    .where('external_id', 'like', 'u%')
    .execute();
  two.radio.write([unknown(3)]);
  expect((await two.radio.run()).reasons).toEqual({ outside_city: 1 });
});

it('a point in a small source makes no venue of a default', async () => {
  two.press.write([unknown(58, { lat: 40.05, lon: -73.95 })]);
  await two.press.run();
  two.radio.write([...many(50, atHouse), ...many(29, unknown)]);
  expect((await two.radio.run()).waiting).toEqual({ 'source:radio': 29 });
});
