import { describe, expect, it } from 'vitest';
import { describeCity } from '../../src/city-setup/index.ts';

const LARKHOLT = { name: 'Larkholt', center: '52.42,-1.28', zone: 'Europe/London', country: 'gb', languages: null };

describe('a city is described by few facts', () => {
  it('slug, currency and locale follow from name, country and languages', () => {
    expect(describeCity(LARKHOLT)).toEqual({
      ok: true,
      city: {
        slug: 'larkholt',
        name: 'Larkholt',
        timezone: 'Europe/London',
        currency: 'GBP',
        locale: 'en-GB',
        latitude: 52.42,
        longitude: -1.28,
      },
    });
    const quebec = { ...LARKHOLT, name: 'Rivière-Noire', country: 'CA', zone: 'America/Toronto', languages: 'fr, en,fr' };
    expect(describeCity(quebec)).toMatchObject({
      city: { slug: 'riviere-noire', currency: 'CAD', locale: 'fr-CA', languages: ['en-CA'] },
    });
    expect(describeCity({ ...LARKHOLT, country: 'DE', zone: 'europe/berlin' })).toMatchObject({
      city: { currency: 'EUR', locale: 'de-DE', timezone: 'Europe/Berlin' },
    });
  });

  it.each([
    [{ center: null }, 'center', /^the center of the city is missing: --center/],
    [{ zone: null }, 'zone', /^the time zone of the city is missing: --zone/],
    [{ country: null }, 'country', /^the country of the city is missing: --country/],
    [{ name: '–' }, null, /^wanted a name of 1 to 200 characters/],
    [{ center: '52.42' }, null, /^wanted --center LAT,LON .*got "52\.42"$/],
    [{ center: '-128,52' }, null, /^wanted --center LAT,LON/],
    [{ center: '0,0' }, null, /^wanted --center LAT,LON/],
    [{ zone: 'Mars/Olympus' }, null, /^wanted --zone .*got "Mars\/Olympus"$/],
    [{ zone: '+01:00' }, null, /^wanted --zone/],
    [{ country: 'Britain' }, null, /^wanted --country .*got "Britain"$/],
    [{ country: 'ZZ' }, null, /^wanted --country/],
    [{ languages: 'en,,fr' }, null, /^wanted --languages .*got "en,,fr"$/],
    [{ languages: 'english' }, null, /^wanted --languages/],
  ])('%j is told with what was wanted', (change, missing, reason) => {
    expect(describeCity({ ...LARKHOLT, ...change })).toMatchObject({ ok: false, missing, reason: expect.stringMatching(reason) });
  });
});
