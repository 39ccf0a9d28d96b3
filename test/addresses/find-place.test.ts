import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceInCity } from '../../src/values/distance.ts';
import { FERNMOOR, FERNMOOR_STREETS, GRUENWARTH, GRUENWARTH_STREETS, numbersOf, pointOf, townPlacer } from './towns.ts';

const fernmoor = townPlacer(FERNMOOR, FERNMOOR_STREETS);
const gruenwarth = townPlacer(GRUENWARTH, GRUENWARTH_STREETS);
const quarry = FERNMOOR_STREETS[0] ?? expect.fail();
const holunder = GRUENWARTH_STREETS[0] ?? expect.fail();
const at = (street: Parameters<typeof pointOf>[0] | undefined, number: number) => pointOf(street ?? expect.fail(), number);

describe('an address in English', () => {
  it.each([
    ['31 Quarry St'],
    ['31 QUARRY STREET, FERNMOOR'],
    ['No. 31 Quarry St.'],
    ['31, Quarry Street; Fernmoor'],
    ['Quarry St 31, 97001 Fernmoor'],
    ['The Blue Lantern @ 31 Quarry St, Suite 4, Fernmoor, OR 97001, USA'],
    ['31\u00a0Quarry  St<br>Fernmoor, OR 97001-1234 (555) 555-0100'],
    ['Hall No. 4\n31 Quarry St\nFernmoor OR\nFree parking at 17 Lot B'],
    ['31 Quarry St, between Pelham Ave and the rail tracks'],
    ['31 Quarry St (at Pelham Ave)'],
    ['31 Quary Street'],
    ['31 Quarry'],
    ['2027 Gala! Hall No. 4 • 31 Quarry St • Fernmoor'],
  ])('%j is the house itself', (text) => {
    expect(fernmoor.find(text)).toEqual({ ...at(quarry, 31), precision: 'exact', via: 'house number' });
  });

  it('knows ordinals, and short forms of one name', () => {
    expect(fernmoor.find('7 3rd St')).toMatchObject({ ...at(FERNMOOR_STREETS[2], 7), precision: 'exact' });
    expect(fernmoor.find('120 Comm. Blvd')).toMatchObject({ ...at(FERNMOOR_STREETS[3], 120), precision: 'exact' });
  });

  it('is a street at most where the number is far beyond, or no number is known', () => {
    expect(fernmoor.find('4012 Quarry St')).toMatchObject({ precision: 'street', via: 'street' });
    expect(fernmoor.find('12 Tamarack Ln, Fernmoor')).toMatchObject({ precision: 'street' });
    expect(fernmoor.find('Quarry Street near Pelham Avenue')).toMatchObject({ precision: 'street' });
  });

  it('is never exact where two streets may be meant', () => {
    expect(fernmoor.find('12 Larkin, Fernmoor')?.precision).toBe('city');
    expect(fernmoor.find('12 Larkin, Fernmoor, OR 97002')?.precision).not.toBe('exact');
  });

  it.each([
    ['Quarry St & Pelham Ave'],
    ['corner of Pelham Avenue and Quarry Street'],
    ['Quarry Street / Pelham Av'],
    ['Pelham Ave at Quarry St'],
  ])('%j is a corner', (text) => {
    expect(fernmoor.find(text)).toEqual({ latitude: 45, longitude: -119.996, precision: 'corner', via: 'corner' });
  });

  it.each([
    ['31 Quarry St, Alderton, OR'],
    ['31 Quarry St Alderton Oregon'],
    ['31 Quarry St, New Fernmoor, OR 97555'],
    ['31 Quarry St, 97555'],
    ['31 Quarry St, Alderton'],
    ['31 Quarry St, Fernmoor, UK'],
    ['TBA'],
    ['Online'],
    ['Zoom (link after registration)'],
    ['Various locations'],
    [''],
  ])('%j is nowhere', (text) => {
    expect(fernmoor.find(text)).toBeNull();
  });

  it('is an area or the city where only that is known', () => {
    expect(fernmoor.find('97001')).toMatchObject({ precision: 'area', via: 'postcode' });
    expect(fernmoor.find('Fernmoor, OR')).toEqual({ latitude: 45, longitude: -120, precision: 'city', via: 'city' });
    expect(fernmoor.find('12 Unheard Lane')).toMatchObject({ precision: 'city' });
    const areas = {
      find: (text: string) => (text === 'Old Mill' ? { slug: 'old-mill', latitude: 45.01, longitude: -120.01 } : null),
    };
    expect(townPlacer(FERNMOOR, [], { areas }).find('Old Mill')).toMatchObject({ precision: 'area', via: 'neighborhood' });
  });
});

describe('an address in German', () => {
  it.each([
    ['Holunderstr. 21'],
    ['HOLUNDERSTRASSE 21, GRUENWARTH'],
    ['Holunder-Straße 21'],
    ['Holunderstr.21 · 99001 Grünwarth'],
    ['99001 Grünwarth, Holunderstraße Nr. 21'],
    ['Pfarrheim – Holunderstraße 21 in Grünwarth'],
    ['Holunderstraße 21 (Hinterhaus, 2. OG), 99001 Grünwarth, Tel. 09999/1234'],
    ['Holunderstraße 21 / Eingang Am Köhlerrain'],
    ['Holnuderstraße 21'],
    ['21 Holunderstraße'],
  ])('%j is the house itself', (text) => {
    expect(gruenwarth.find(text)).toEqual({ ...at(holunder, 21), precision: 'exact', via: 'house number' });
  });

  it('is in the city unless it says another town of the register', () => {
    expect(gruenwarth.find('Hauptstraße 7')).toMatchObject(at(GRUENWARTH_STREETS[3], 7));
    expect(gruenwarth.find('Hauptstr. 7, Oberlohe')).toMatchObject(at(GRUENWARTH_STREETS[4], 7));
    expect(gruenwarth.find('Hauptstr. 7, 99003')).toMatchObject({ precision: 'exact' });
  });

  it('may be in another town', () => {
    expect(gruenwarth.find('Holunderstraße 21, Ferndorf')).toBeNull();
    expect(gruenwarth.find('Holunderstraße 21, 88001 Ferndorf')).toBeNull();
    expect(gruenwarth.find('88001 Ferndorf, Holunderstraße 21')).toBeNull();
    expect(gruenwarth.find('wird noch bekannt gegeben')).toBeNull();
  });

  it('may be a corner', () => {
    expect(gruenwarth.find('Holunderstraße, Ecke Am Köhlerrain')).toMatchObject({ precision: 'corner' });
  });
});

describe('a known venue', () => {
  const venues = [{ name: 'Heron Library', address: '9 Unheard Lane, Fernmoor', latitude: 45.02, longitude: -120.02 }];
  const placer = townPlacer(FERNMOOR, [], { venues });

  it('places its name and its own address', () => {
    const placed = { latitude: 45.02, longitude: -120.02, precision: 'exact', via: 'venue' };
    expect(placer.find('Community Room - Heron Library')).toEqual(placed);
    expect(placer.find('9 Unheard Ln')).toEqual(placed);
    expect(placer.find('Heron Library, Alderton, OR')).toBeNull();
  });
});

describe('any house of the register', () => {
  const streets = FERNMOOR_STREETS.filter(({ numbers }) => numbers);
  const kinds: Readonly<Record<string, readonly string[]>> = {
    Street: ['Street', 'St', 'St.', 'ST', 'street'],
    Avenue: ['Avenue', 'Ave', 'Av.', 'AVE'],
    Boulevard: ['Boulevard', 'Blvd', 'BLVD.'],
    Road: ['Road', 'Rd.', 'RD'],
    Place: ['Place', 'Pl', 'pl.'],
  };
  const written = fc.constantFrom(...streets).chain((street) =>
    fc.record({
      street: fc.constant(street),
      number: fc.constantFrom(...numbersOf(street)),
      kind: fc.constantFrom(...(kinds[street.name.split(' ').at(-1) ?? ''] ?? [''])),
      before: fc.constantFrom('', 'Blue Lantern, ', 'The Annex @ ', 'Hall No. 4: ', '('),
      unit: fc.constantFrom('', ', Suite 5', ' Unit B', ', 2nd Floor', ' (rear)', ', 3rd floor (ring bell 7)'),
      town: fc.constantFrom('', ', Fernmoor', ', Fernmoor, OR', '\nFernmoor, OR, USA'),
    }),
  );

  it('is found however it is written', () => {
    fc.assert(
      fc.property(written, ({ street, number, kind, before, unit, town }) => {
        const text = `${before}${number} ${street.name.split(' ')[0]} ${kind}${unit}${town}`;
        expect(fernmoor.find(text)).toEqual({ ...pointOf(street, number), precision: 'exact', via: 'house number' });
      }),
    );
  });

  it('is never found in another town', () => {
    fc.assert(
      fc.property(
        written,
        fc.constantFrom('Alderton, OR', 'Alderton OR 97555', 'Port Vesper, Oregon'),
        ({ street, number, kind, unit }, other) => {
          expect(fernmoor.find(`${number} ${street.name.split(' ')[0]} ${kind}${unit}, ${other}`)).toBeNull();
        },
      ),
    );
  });

  it('lies between its neighbors if only these are known', () => {
    fc.assert(
      fc.property(fc.constantFrom(...streets), fc.integer({ min: 3, max: 20 }), (street, offset) => {
        const number = (street.numbers?.[0] ?? 0) + offset;
        const placer = townPlacer(FERNMOOR, [{ ...street, without: [number, number + 2] }]);
        const found = placer.find(`${number} ${street.name}`) ?? expect.fail();
        expect(found).toMatchObject({ precision: 'interpolated', via: 'interpolation' });
        expect(distanceInCity(found, pointOf(street, number))).toBeLessThan(20);
      }),
    );
  });
});
