/** The state or province behind the name of a town: `Cambridge, MD` is not the Cambridge of Massachusetts. */

import { describe, expect, it } from 'vitest';
import { FERNMOOR, FERNMOOR_STREETS, GRUENWARTH, GRUENWARTH_STREETS, townPlacer } from './towns.ts';

const fernmoor = townPlacer(FERNMOOR, FERNMOOR_STREETS);
const gruenwarth = townPlacer(GRUENWARTH, GRUENWARTH_STREETS);
const cityOf = (name: string, latitude: number, longitude: number, locale: string) =>
  townPlacer({ name, latitude, longitude, locale }, []);

describe('a town of the same name', () => {
  it.each([
    ['31 Quarry St, Fernmoor, MD'],
    ['31 Quarry St, Fernmoor MD 21613'],
    ['31 quarry st, fernmoor, md'],
    ['31 Quarry St, Fernmoor, Maryland, USA'],
    ['31 Quarry St, Fernmoor, New Jersey'],
    ['31 Quarry St, Fernmoor, N.J.'],
    ['31 Quarry St, Fernmoor, ON'],
    ['31 Quarry St, MD'],
    ['Fernmoor, ME'],
  ])('is another one in another state: %j', (text) => {
    expect(fernmoor.find(text)).toBeNull();
  });

  it.each([
    ['31 Quarry St, Fernmoor, OR'],
    ['31 Quarry St, Fernmoor, Ore.'],
    ['31 Quarry St, Fernmoor, Oregon 97001'],
    ['31 Quarry St, FL 3, Fernmoor'],
    ['31 QUARRY ST FL 3'],
    ['The Georgia, 31 Quarry St, Fernmoor'],
    ['31 Quarry St, Fernmoor MD 97001'],
    ['31 Quarry St, Fernmoor, OR (ask for ME)'],
  ])('is the city itself in its state: %j', (text) => {
    expect(fernmoor.find(text)).toMatchObject({ precision: 'exact' });
  });

  it('is told by German states, too', () => {
    expect(gruenwarth.find('Holunderstraße 21, Grünwarth, Schleswig-Holstein')).toBeNull();
    expect(gruenwarth.find('Holunderstraße 21, Grünwarth (Saarland)')).toBeNull();
    expect(gruenwarth.find('Holunderstraße 21, Grünwarth, Bayern')).toMatchObject({ precision: 'exact' });
  });

  it('is the city where the name or the code has another meaning', () => {
    expect(cityOf('Washington', 38.9, -77.04, 'en-US').find('12 Elm St, Washington, DC')).toMatchObject({ precision: 'city' });
    expect(cityOf('Montréal', 45.5, -73.6, 'fr-CA').find('12 rue Haute, Montréal, QC, CA')).toMatchObject({ precision: 'city' });
    expect(cityOf('Perth', -31.95, 115.86, 'en-AU').find('12 Elm St, Perth, WA')).toMatchObject({ precision: 'city' });
    expect(cityOf('Perth', -31.95, 115.86, 'en-AU').find('12 Elm St, Perth, ON')).toBeNull();
  });

  it.each([
    ['Milano', 45.46, 9.19, 'it-IT', 'Via Dante 5, 20121 Milano (MI)'],
    ['Neuchâtel', 46.99, 6.93, 'fr-CH', 'Rue du Port 5, 2000 Neuchâtel NE'],
    ['Florianópolis', -27.6, -48.55, 'pt-BR', 'Rua Bela 5, Florianópolis - SC'],
  ])('has states of its own that are none of these: %s', (name, latitude, longitude, locale, text) => {
    expect(cityOf(name, latitude, longitude, locale).find(text)).toMatchObject({ precision: 'city' });
  });
});
