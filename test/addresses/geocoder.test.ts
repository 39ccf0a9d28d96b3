/** The optional geocoder of the operator: what it is asked, what its answers are worth, and its manners. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadPlaceCredits, loadPlacer, openGeocoder } from '../../src/addresses/index.ts';
import { parseGeocoderAddress } from '../../src/values/geocoder-address.ts';
import { type FakePlace, openFakeGeocoder } from '../support/fakes/geocoder.ts';
import { openRegister } from './register-rig.ts';
import { FERNMOOR, GRUENWARTH } from './towns.ts';

let register: Awaited<ReturnType<typeof openRegister>>;
let fake: Awaited<ReturnType<typeof openFakeGeocoder>>;
let time = 0;
const waits: number[] = [];
beforeAll(async () => {
  register = await openRegister();
});
afterAll(async () => register.dispose());
beforeEach(async () => {
  time = Date.UTC(2026, 5, 16);
  waits.length = 0;
  fake = await openFakeGeocoder('nominatim');
});
afterEach(async () => fake.close());

const HOUSE: FakePlace = {
  asked: '12 Elder',
  type: 'house',
  number: '12',
  street: 'Elder Lane',
  latitude: 45.01,
  longitude: -120.02,
};

function open(city = FERNMOOR) {
  const geocoder = openGeocoder({
    ...{ db: register.db, address: fake.address, userAgent: 'Marquee/1 (+mailto:events@example.org)', now: () => time },
    wait: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  });
  const placer = async () =>
    loadPlacer(register.db, { city, areas: { find: () => null }, venues: [], answers: await geocoder.load(city) });
  return {
    ...geocoder,
    async learn(...texts: string[]) {
      const { questionOf } = await placer();
      return geocoder.ask(
        texts.map(questionOf).filter((question) => question !== null),
        city,
      );
    },
    async find(text: string) {
      return (await placer()).find(text);
    },
  };
}

async function answerOf(text: string, ...places: FakePlace[]) {
  fake.places = places;
  const geocoder = open();
  await geocoder.learn(text);
  const placed = await geocoder.find(text);
  await geocoder.close();
  return placed && `${placed.precision} via ${placed.via}`;
}

describe.each(['nominatim', 'photon'] as const)('an answer of %s', (kind) => {
  beforeEach(async () => {
    await fake.close();
    fake = await openFakeGeocoder(kind);
  });

  it.each<[string, Partial<FakePlace>, string]>([
    ['a house is exact', {}, 'exact via geocoder'],
    ['a line between two houses is not', { osmType: 'way' }, 'interpolated via geocoder'],
    ['a house of another number is its street', { number: '112' }, 'street via geocoder'],
    ['a house with a letter is its street', { number: '12b' }, 'street via geocoder'],
    ['a range holds the number', { number: '10-14' }, 'exact via geocoder'],
    ['another kind of street is not exact', { street: 'Elder Road' }, 'street via geocoder'],
    ['a side that nobody asked for is not exact', { street: 'Elder Lane West' }, 'street via geocoder'],
    ['another street is nothing', { street: 'Mulberry Lane' }, 'city via city'],
    ['a house of another town is nothing', { town: 'West Fernmoor' }, 'city via city'],
    ['a title of the town counts for nothing', { town: 'City of Fernmoor' }, 'exact via geocoder'],
    ['a point beyond the border is nothing', { latitude: 46 }, 'city via city'],
    ['a street is a street', { type: 'street', number: '' }, 'street via geocoder'],
    [
      'an area that the text does not name is nothing',
      { type: 'suburb', name: 'Old Quay', number: '', street: '' },
      'city via city',
    ],
  ])('%s', async (_, place, wanted) => {
    expect(await answerOf('The Annex, 12 Elder Ln, Suite 4', { ...HOUSE, ...place })).toBe(wanted);
    expect(fake.requests.map(({ question }) => question)).toEqual(['12 Elder Ln, Fernmoor']);
  });

  it('two houses far from each other are none, and two of one place are one', async () => {
    const [near, far] = [
      { ...HOUSE, latitude: 45.0101 },
      { ...HOUSE, latitude: 45.03 },
    ];
    expect(await answerOf('12 Elder Lane', HOUSE, far)).toBe('city via city');
    expect(await answerOf('The Annex, 12 Elder Ln', HOUSE, near)).toBe('exact via geocoder');
  });

  it.each([
    ['12 Old Mill Road', 'Mill Road', 'street via geocoder'],
    ['12 Lake Shore Drive', 'Shore Drive', 'street via geocoder'],
    ['Alte Mühlenstraße 12', 'Mühlenstraße', 'street via geocoder'],
    ['12 rue du Moulin Vieux', 'Rue du Moulin', 'street via geocoder'],
    ['12 Mill Road Fernmoor OR 97001', 'Mill Road', 'exact via geocoder'],
    ['12 rue de la Poste', 'Rue la Poste', 'street via geocoder'],
  ])('a word that the answer leaves out may tell another street: %s', async (text, street, wanted) => {
    expect(await answerOf(text, { ...HOUSE, asked: '12', street })).toBe(wanted);
  });

  it('an area is one if the text names it', async () => {
    const area: FakePlace = { asked: 'Old Quay', type: 'suburb', name: 'Old Quay', latitude: 45.01, longitude: -120 };
    expect(await answerOf('Old Quay', area)).toBe('area via geocoder');
  });
});

it('is asked in one language and one circle, and names the contact', async () => {
  await answerOf('12 Elder Lane', HOUSE);
  const [{ fields, userAgent, path } = expect.fail('nothing was asked')] = fake.requests;
  expect([path, userAgent]).toEqual(['/search', 'Marquee/1 (+mailto:events@example.org)']);
  expect(Object.fromEntries(fields)).toMatchObject({ format: 'jsonv2', bounded: '1', 'accept-language': 'en-US' });
  expect(fields.get('viewbox')).toMatch(/^-120\.76\d*,44\.46\d*,-119\.23\d*,45\.53\d*$/);
});

it('keeps the letters of a German address', async () => {
  const geocoder = open(GRUENWARTH);
  await geocoder.learn('Gasthof Löwe, Mühlstr. 7a, 99001 Grünwarth');
  expect(fake.requests.map(({ question }) => question)).toEqual(['Mühlstr 7a, Grünwarth']);
  await geocoder.close();
});

it('asks once a second, and an answer or none only once until it expires', async () => {
  fake.places = [HOUSE];
  const geocoder = open();
  expect(await geocoder.learn('12 Elder Lane', '14 Elder Lane', '12 Elder Lane, Suite 3', 'Online')).toEqual({
    open: 0,
    warning: null,
  });
  expect(fake.requests).toHaveLength(2);
  expect(waits).toEqual([0, 1100]);
  await geocoder.close();
  const later = open();
  expect(await later.find('12 Elder Lane')).toMatchObject({ precision: 'exact', via: 'geocoder', latitude: 45.01 });
  await later.learn('12 Elder Lane', '14 Elder Lane');
  expect(fake.requests).toHaveLength(2);
  time += 31 * 86_400_000;
  await later.learn('12 Elder Lane', '14 Elder Lane');
  expect(fake.requests.slice(2).map(({ question }) => question)).toEqual(['14 Elder Lane, Fernmoor']);
  await later.close();
  expect(await loadPlaceCredits(register.db)).toEqual(['© OpenStreetMap contributors (ODbL)']);
});

it('is not asked about other towns, nor about what stands for no place', async () => {
  const geocoder = open();
  await geocoder.learn('12 Elder Lane, Salem, OR 97301', 'TBA', '', 'Online');
  expect(fake.requests).toEqual([]);
  await geocoder.close();
});

it('asks at most 60 questions, and says how many are left', async () => {
  const geocoder = open();
  const texts = Array.from({ length: 65 }, (_, index) => `${index + 1} Sorrel Lane`);
  expect(await geocoder.learn(...texts)).toEqual({ open: 5, warning: null });
  expect(fake.requests).toHaveLength(60);
  await geocoder.close();
});

it('leaves a service alone that asks for it, or that fails: longer each time', async () => {
  fake.refuse = (response) => void response.writeHead(429, { 'retry-after': '7200' }).end();
  const geocoder = open();
  const [first, second] = ['12 Teasel Lane', '14 Teasel Lane'];
  expect(await geocoder.learn(first, second)).toEqual({
    open: 2,
    warning: expect.stringContaining('it answers with status 429; it is not asked before 2026-06-16T02:00Z'),
  });
  time += 7_100_000;
  expect(await geocoder.learn(first)).toEqual({ open: 1, warning: null });
  expect(fake.requests).toHaveLength(1);
  fake.refuse = (response) => void response.writeHead(200).end('<html>');
  time += 101_000;
  expect(await geocoder.learn(first)).toMatchObject({
    warning: expect.stringContaining('does not answer as nominatim does; it is not asked before 2026-06-16T02:02Z'),
  });
  fake.refuse = (response) => void response.destroy();
  time += 121_000;
  expect(await geocoder.learn(first)).toMatchObject({ open: 1, warning: expect.stringContaining('127.0.0.1') });
  expect(await geocoder.find(first)).toMatchObject({ precision: 'city', via: 'city' });
  fake.refuse = null;
  time += 241_000;
  expect(await geocoder.learn(first, second)).toEqual({ open: 0, warning: null });
  await geocoder.close();
});

it('a question that the service cannot read does not stand before the others for ever', async () => {
  fake.refuse = (response) => void response.writeHead(400).end();
  const geocoder = open();
  expect(await geocoder.learn('12 Yarrow Lane', '14 Yarrow Lane')).toMatchObject({ open: 2 });
  fake.refuse = null;
  time += 61_000;
  await geocoder.learn('12 Yarrow Lane', '14 Yarrow Lane');
  expect(fake.requests.map(({ question }) => question)).toEqual(['12 Yarrow Lane, Fernmoor', '14 Yarrow Lane, Fernmoor']);
  await geocoder.close();
});

it('reads the setting, and says what is wrong with one', () => {
  expect(parseGeocoderAddress('Photon+https://photon.example.org/api')).toEqual({
    kind: 'photon',
    url: 'https://photon.example.org/',
  });
  expect(parseGeocoderAddress('nominatim+http://10.0.0.5:8080/nominatim/search?')).toEqual({
    kind: 'nominatim',
    url: 'http://10.0.0.5:8080/nominatim/',
  });
  expect(parseGeocoderAddress('https://nominatim.example.org/')).toMatch(
    /must be the kind of the service and its address, such as .*, but it is/,
  );
  expect(parseGeocoderAddress('nominatim+https://ada:secret@nominatim.example.org/')).toMatch(/without user and password$/);
  expect(parseGeocoderAddress('https://eu1.example.org/v1/search?key=pk.0123')).toMatch(
    /, but it is https:\/\/eu1\.example\.org…$/,
  );
  for (const secret of [
    'google+https://ada:secret@maps.example.org/',
    'nominatm+https://secret:pa/ss@host/',
    'nominatm+https://secret:12/ss@host/',
    'secret',
    'secret:pass://maps.example.org/',
    'photon+ftp://maps.example.org/secret#secret',
  ])
    expect(parseGeocoderAddress(secret)).toMatch(/^(?!.*(?:secret|pa\/ss)).*but it is/);
  expect(parseGeocoderAddress('photon+https://photon.example.org/?key=1')).toMatch(/without a query$/);
});
