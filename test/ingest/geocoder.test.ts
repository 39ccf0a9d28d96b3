/** Runs of sources with a geocoder: addresses that nothing else knows, and a service that fails. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { openGeocoder } from '../../src/addresses/index.ts';
import { loadCredits } from '../../src/ingest/index.ts';
import { openFakeGeocoder } from '../support/fakes/geocoder.ts';
import { CITY } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
let fake: Awaited<ReturnType<typeof openFakeGeocoder>>;
let time = 0;
beforeEach(async () => {
  fake = await openFakeGeocoder('photon');
  time = Date.UTC(2026, 5, 16);
});
afterEach(async () => fake.close());

async function run(source: 'radio' | 'press' = 'radio', dryRun = false) {
  const geocoder = openGeocoder({
    ...{ db: two.store.db, address: fake.address, userAgent: 'Marquee', now: () => time },
    wait: async (ms) => {
      time += ms;
    },
  });
  const report = await two[source].run({ geocoder, dryRun });
  await geocoder.close();
  return report;
}
const atAddress = (id: string, address: string, place = `House ${id}`) =>
  listing(id, { name: `Fair ${id}`, place, address, lat: null, lon: null, start: `2026-06-2${id.at(-1)}T20:00:00` });
const venues = async () =>
  (
    await two.store.db
      .selectFrom('venue')
      .select(['name', 'location_precision as precision', 'latitude'])
      .where('state', '=', 'published')
      .orderBy('name')
      .execute()
  ).map(({ name, precision, latitude }) => `${name} ${precision} ${latitude}`);

const elder = (number: string, latitude: number) => ({
  ...({ asked: `${number} Elder Lane`, type: 'house', number, street: 'Elder Lane', town: CITY.name } as const),
  ...{ latitude, longitude: -73.95 },
});

it('asks about addresses that nothing else knows, once, and places their listings in the same run', async () => {
  fake.places = [elder('12', 40.03), elder('14', 40.04)];
  two.radio.write([
    atAddress('r1', '12 Elder Lane, Floor 2'),
    atAddress('r2', '14 Elder Lane'),
    atAddress('r3', '14 Elder Lane', 'House r2'),
    atAddress('r4', '16 Elder Lane, Salem, OR'),
    listing('r5', { start: '2026-06-25T20:00:00' }),
  ]);
  const dry = await run('radio', true);
  expect([dry.remarks, fake.requests]).toEqual([[], []]);
  const { remarks } = await run();
  expect([remarks, fake.requests.map(({ question }) => question)]).toEqual([
    [],
    [`14 Elder Lane, ${CITY.name}`, `12 Elder Lane, ${CITY.name}`],
  ]);
  expect(await venues()).toEqual(['Cellar exact 40.05', 'House r1 exact 40.03', 'House r2 exact 40.04', 'House r4 area 40.5']);
  expect(await loadCredits(two.store.db)).toEqual(['© OpenStreetMap contributors (ODbL)']);
  two.press.write([atAddress('p6', '12 Elder Lane')]);
  await run('press');
  expect(fake.requests).toHaveLength(2);
});

it('a service that fails fails no run, and what was not asked is asked later, also if the source has not changed', async () => {
  fake.refuse = (response) => void response.destroy();
  two.radio.write([atAddress('r1', '18 Elder Lane')]);
  const { remarks, events } = await run();
  expect([events.created, remarks]).toEqual([1, [expect.stringMatching(/^the geocoder 127\.0\.0\.1:\d+ does not help: /)]]);
  expect(await venues()).toEqual(['House r1 area 40.5']);
  expect((await run()).remarks).toEqual([]);
  expect(fake.requests).toHaveLength(1);
  time += 61_000;
  fake.refuse = null;
  fake.places = [elder('18', 40.06)];
  await run();
  expect(await venues()).toEqual(['House r1 exact 40.06']);
  await run();
  expect(fake.requests).toHaveLength(2);
});
