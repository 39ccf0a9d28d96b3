/** Places that nobody knows: they are listed all the same, and answers of people hold for every later listing of their name. */

import { expect, it } from 'vitest';
import {
  answerHere,
  answerIgnore,
  answerSame,
  importBundle,
  listWaitingPlaces,
  undoPlaceAnswer,
} from '../../src/ingest/index.ts';
import { CITY, NEIGHBORHOODS, NOW, now, venueLine } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const unlocated = (id: string, place: string, more: object = {}) => listing(id, { place, lat: null, lon: null, ...more });
const waiting = async () =>
  (await listWaitingPlaces({ store: two.store, now: NOW })).places.map(({ name, count }) => [name, count]);
const input = (name: string) => ({ store: two.store, now: NOW, name, by: 'ann' });
const venues = () =>
  two.store.db
    .selectFrom('venue')
    .select(['id', 'name', 'location_precision as precision', 'latitude', 'is_verified as isVerified'])
    .where('state', '=', 'published')
    .orderBy('name')
    .execute();
const eventVenues = async () =>
  (
    await two.store.db
      .selectFrom('event')
      .innerJoin('venue', 'venue.id', 'event.venue_id')
      .select('venue.name')
      .where('event.state', '=', 'published')
      .orderBy('venue.name')
      .execute()
  ).map(({ name }) => name);

it('a name alone is listed in the city under its own name, unverified, and those that name the city share one venue', async () => {
  two.radio.write([
    unlocated('r1', 'Copper Kettle'),
    unlocated('r2', CITY.name, { name: 'Night Market' }),
    unlocated('r3', CITY.name, { name: 'Morning Market', start: '2026-06-21T09:00:00' }),
    unlocated('r4', 'TBA', { name: 'Secret Supper' }),
  ]);
  const report = await two.radio.run();
  expect([report.waiting, report.reasons]).toEqual([{ 'Copper Kettle': 1, 'source:radio': 1 }, {}]);
  const { latitude } = CITY.center;
  const city = { precision: 'area', isVerified: false, latitude };
  expect(await venues()).toMatchObject([CITY.name, 'Copper Kettle'].sort().map((name) => ({ name, ...city })));
  expect(await two.listed()).toHaveLength(3);
  expect((await two.radio.run()).events).toMatchObject({ created: 0, updated: 0 });
});

it('same-name places of two sources are one venue, which keeps its id when its point becomes known', async () => {
  two.radio.write([unlocated('r1', 'Copper Kettle')]);
  two.press.write([unlocated('p1', 'Copper Kettle', { name: 'Velvet Fair', start: '2026-06-21T20:00:00' })]);
  await two.radio.run();
  await two.press.run();
  const [before, ...others] = await venues();
  expect([before?.precision, others]).toEqual(['area', []]);
  two.press.write([
    listing('p1', { place: 'Copper Kettle', name: 'Velvet Fair', start: '2026-06-21T20:00:00', lat: 40.02, lon: -73.85 }),
  ]);
  await two.press.run();
  expect(await venues()).toMatchObject([{ id: before?.id, precision: 'exact', latitude: 40.02 }]);
  expect(await waiting()).toEqual([]);
});

it('the point of the center says nothing, whatever the address, and a known house has its rooms', async () => {
  const center = { latitude: 40.05, longitude: -73.95 };
  const { latitude: lat, longitude: lon } = center;
  await importBundle({ store: two.store, bundle: { city: { ...CITY, center } }, now });
  two.press.write([listing('p1', { place: 'Heron Library', lat: 40.02, lon: -73.95 })]);
  await two.press.run();
  two.radio.write([
    listing('r1', { place: 'Kestrel Hall', address: '12 Marrow St', name: 'Marrow Fair', lat, lon }),
    unlocated('r2', 'Community Room - Heron Library', { name: 'Story Time', start: '2026-06-22T10:00:00' }),
    listing('r3', { place: 'Heron Library', name: 'Quiz', start: '2026-06-23T10:00:00', lat, lon }),
  ]);
  await two.radio.run();
  expect(await venues()).toMatchObject([
    { name: 'Heron Library', precision: 'exact' },
    { name: 'Kestrel Hall', precision: 'area' },
  ]);
  expect(await eventVenues()).toEqual(['Heron Library', 'Heron Library', 'Heron Library', 'Kestrel Hall']);
});

it('an answer that a venue stands here holds for all listings of the name, until it is taken back', async () => {
  two.radio.write([
    unlocated('r1', 'Copper Kettle'),
    unlocated('r2', 'Gull Hall'),
    unlocated('r3', 'Gull Hall', { name: 'Quiz' }),
  ]);
  await two.radio.run();
  expect(await waiting()).toEqual([
    ['Gull Hall', 2],
    ['Copper Kettle', 1],
  ]);
  const before = (await venues()).find(({ name }) => name === 'Copper Kettle');
  await answerHere({ ...input('Copper Kettle'), address: '5 Quay', point: { latitude: 40.02, longitude: -73.85 } });
  await answerIgnore(input('Gull Hall'));
  expect(await waiting()).toEqual([]);
  await two.radio.run();
  expect(await venues()).toMatchObject([
    { id: before?.id, name: 'Copper Kettle', precision: 'exact', latitude: 40.02 },
    { name: 'Gull Hall', precision: 'area' },
  ]);
  two.press.write([unlocated('p1', 'COPPER KETTLE', { name: 'Velvet Fair', start: '2026-06-21T20:00:00' })]);
  expect((await two.press.run()).waiting).toEqual({});
  expect(await eventVenues()).toEqual(['Copper Kettle', 'Copper Kettle', 'Gull Hall', 'Gull Hall']);
  await undoPlaceAnswer(input('Copper Kettle'));
  await two.radio.run();
  await two.press.run();
  expect(await venues()).toMatchObject([{ precision: 'area' }, { precision: 'area' }]);
});

it('an answer that a name is that of a venue moves its events there', async () => {
  const line = venueLine('Heron Library', { latitude: 40.02, longitude: -73.95 });
  await importBundle({ store: two.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, venues: [line] }, now });
  two.radio.write([unlocated('r1', 'The Old Heron Reading House')]);
  await two.radio.run();
  const [place] = (await listWaitingPlaces({ store: two.store, now: NOW })).places;
  expect(place).toMatchObject({ count: 1, samples: [{ source: 'radio' }], houses: [{ name: 'The Heron Library' }] });
  await answerSame({ ...input('The Old Heron Reading House'), house: place?.houses[0]?.venueId ?? '' });
  await two.radio.run();
  expect(await eventVenues()).toEqual(['The Heron Library']);
  expect((await two.radio.run()).events).toMatchObject({ created: 0, updated: 0 });
  await undoPlaceAnswer(input('The Old Heron Reading House'));
  await two.radio.run();
  expect(await eventVenues()).toEqual(['The Old Heron Reading House']);
});

it('an answer that cannot be followed is rejected with what was wanted', async () => {
  await expect(answerSame({ ...input('Gull Hall'), house: 'gull' })).rejects.toThrow(
    'wanted the id or slug of a venue, got "gull"',
  );
  await expect(answerHere({ ...input('Gull Hall'), address: '1 Nowhere Rd', point: null })).rejects.toThrow('give the point');
  await expect(answerIgnore(input(''))).rejects.toThrow('wanted a name');
  await expect(undoPlaceAnswer(input('Gull Hall'))).rejects.toThrow('nobody has answered');
});

it('an answer follows its venue to another point, though its own source says the same again', async () => {
  const at = (lon: number) => [listing('p1', { place: 'Heron Library', lat: 40.02, lon })];
  two.press.write(at(-73.95));
  await two.press.run();
  two.radio.write([unlocated('r1', 'The Old Reading House', { name: 'Quiz', start: '2026-06-22T19:00:00' })]);
  await two.radio.run();
  const house = (await venues()).find(({ name }) => name === 'Heron Library');
  await answerSame({ ...input('The Old Reading House'), house: house?.id ?? '' });
  await two.radio.run();
  await two.radio.run();
  two.press.write(at(-73.9505));
  await two.press.run();
  await two.radio.run();
  expect(await eventVenues()).toEqual(['Heron Library', 'Heron Library']);
  expect(await venues()).toHaveLength(1);
});

it('another name of a venue that an answer made stands where that answer says', async () => {
  two.radio.write([unlocated('r1', 'Copper Kettle'), unlocated('r2', 'The Kettle', { name: 'Quiz' })]);
  await two.radio.run();
  await answerHere({ ...input('Copper Kettle'), address: null, point: { latitude: 40.02, longitude: -73.85 } });
  await two.radio.run();
  const made = (await venues()).find(({ precision }) => precision === 'exact');
  await answerSame({ ...input('The Kettle'), house: made?.id ?? '' });
  await two.radio.run();
  expect(await eventVenues()).toEqual(['Copper Kettle', 'Copper Kettle']);
  await answerHere({ ...input('Copper Kettle'), address: null, point: { latitude: 40.03, longitude: -73.85 } });
  await two.radio.run();
  await two.radio.run();
  expect(await venues()).toMatchObject([{ name: 'Copper Kettle', latitude: 40.03 }]);
});
