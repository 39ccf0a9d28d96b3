import { assert, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { one } from './calendar.ts';

const START = 'DTSTART;TZID=America/New_York:20260704T193000';
const venue = (...lines: string[]) => {
  const { name, address, latitude, longitude } = one(START, ...lines).venue;
  return [name, address, latitude, longitude];
};
const APPLE = 'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70';
const JSON_PLACE =
  '[{"DisplayName":"Boat House","LocationAnnotation":"","LocationStreet":"12 Dock Street","LocationCity":"New York","LocationState":"NY","LocationPostalCode":"10004"}]';

describe('the point of a place', () => {
  it.each([
    ['GEO:40.7033;-74.0170'],
    ['GEO:+40.7033;-74.017'],
    ['GEO:40.7033\\;-74.017'],
    ['GEO:40.7033,-74.017'],
    ['GEO:40.7033\\, -74.017'],
    ['GEO: 40.7033 ; -74.0170 '],
    ['GEO:40.7033 -74.0170'],
    ['GEO:40,7033;-74,0170'],
    ['GEO:40.7033;−74.0170'],
    ['GEO;VALUE=FLOAT:40.7033;-74.017'],
    ['GEO:geo:40.7033,-74.017'],
    [`${APPLE};X-TITLE="Quay":geo:40.7033,-74.017`],
    [`${APPLE};X-TITLE=Quay, Pier 3:geo:40.7033,-74.017`],
    [`${APPLE};X-TITLE=Quay: Pier 3:geo:40.7033,-74.017`],
    ['X-APPLE-STRUCTURED-LOCATION;X-TITLE="Quay":geo:40.7033,-74.017,12;crs=wgs84;u=35'],
    ['x-apple-structured-location;value=uri:GEO:40.7033,-74.017'],
    ['STRUCTURED-LOCATION;VALUE=URI;FMTTYPE=text/plain:geo:40.7033,-74.017'],
    ['X-GEO:40.7033;-74.017'],
    ['X-WP-GEO:40.7033,-74.017'],
    ['X-COORDINATES:40.7033,-74.017'],
    ['X-MICROSOFT-LATITUDE:40.7033|X-MICROSOFT-LONGITUDE:-74.017'],
    ['GEO:0;0|X-GEO:40.7033;-74.017'],
    ['GEO:|X-GEO:40.7033;-74.017'],
    ['BEGIN:VLOCATION|UID:p1|GEO:40.7033;-74.017|END:VLOCATION'],
    ['BEGIN:VLOCATION|UID:p1|COORDINATES;VALUE=URI:geo:40.7033,-74.017|END:VLOCATION'],
  ])('is read wherever a program writes it: %s', (lines) => {
    expect(venue('LOCATION:The Quay', ...lines.split('|'))).toEqual(['The Quay', null, 40.7033, -74.017]);
  });

  it('is read from LOCATION, as a parameter or as the whole', () => {
    expect(venue('LOCATION;ALTREP="geo:40.7033,-74.017":The Quay')).toEqual(['The Quay', null, 40.7033, -74.017]);
    expect(venue('LOCATION;VALUE=URI:geo:40.7033,-74.017')).toEqual([null, null, 40.7033, -74.017]);
    expect(venue('LOCATION;ALTREP="https://quay.example/":The Quay')).toEqual(['The Quay', null, null, null]);
  });

  it.each([
    'GEO:somewhere',
    'GEO:40.7',
    'GEO:0;0',
    'GEO:40.7;',
    'GEO:1;2;3',
    'X-GEO:no',
    `${APPLE}:https://quay.example/`,
    'X-GEOGRAPHY:1;2',
  ])('is unknown where none is written: %s', (line) => {
    expect(venue('LOCATION:The Quay', line)).toEqual(['The Quay', null, null, null]);
  });

  it('is never exchanged nor turned', () => {
    const degrees = (most: number) => double({ min: -most, max: most, noNaN: true }).map((n) => Math.round(n * 1e6) / 1e6 + 1e-7);
    assert(
      property(degrees(89), degrees(179), (latitude, longitude) => {
        const [north, east] = [latitude.toFixed(7), longitude.toFixed(7)];
        for (const line of [`GEO:${north};${east}`, `${APPLE}:geo:${north},${east}`, `X-GEO:${north} ${east}`])
          expect(venue('LOCATION:The Quay', line).slice(2)).toEqual([Number(north), Number(east)]);
      }),
      { numRuns: 30 },
    );
  });
});

describe('the name of a place', () => {
  it.each([
    [[`${APPLE};X-TITLE="Boat House":geo:40.7,-74`], 'Boat House', null],
    [
      [`${APPLE};X-ADDRESS="12 Dock Street\\nNew York";X-TITLE="Boat House":geo:40.7,-74`],
      'Boat House',
      '12 Dock Street\nNew York',
    ],
    [[`${APPLE};X-TITLE="Boat House\\n12 Dock Street, New York":geo:40.7,-74`], 'Boat House', '12 Dock Street, New York'],
    [
      ['LOCATION:Quay Hall', `${APPLE};X-ADDRESS="12 Dock Street";X-TITLE="Boat House":geo:40.7,-74`],
      'Quay Hall',
      '12 Dock Street',
    ],
    [
      ['LOCATION:12 Dock Street\\nNew York', `${APPLE};X-TITLE="Boat House":geo:40.7,-74`],
      'Boat House',
      '12 Dock Street\nNew York',
    ],
    [['BEGIN:VLOCATION', 'UID:p1', 'NAME:Boat House', 'END:VLOCATION'], 'Boat House', null],
    [[`X-MICROSOFT-LOCATIONS:${JSON_PLACE}`], 'Boat House', '12 Dock Street, New York, NY, 10004'],
    [[`X-MICROSOFT-LOCATIONS:${JSON_PLACE.replaceAll(',', '\\,')}`], 'Boat House', '12 Dock Street, New York, NY, 10004'],
    [['X-MICROSOFT-LOCATIONDISPLAYNAME:Boat House', 'X-MICROSOFT-LOCATIONSTREET:12 Dock Street'], 'Boat House', '12 Dock Street'],
    [['LOCATION:Quay Hall', 'X-MICROSOFT-LOCATIONS:[{"DisplayName'], 'Quay Hall', null],
  ])('is taken from the property of a program where LOCATION lacks it: %j', (lines, name, address) => {
    expect(venue(...lines).slice(0, 2)).toEqual([name, address]);
  });

  it.each([
    '<b>Quay Hall</b><br>12 Dock St\\, New York',
    '<p>Quay Hall</p><p>12 Dock St\\, New York</p>',
    'Quay Hall - 12 Dock St\\, New York',
    'Quay Hall – 12 Dock St\\, New York',
  ])('is parted where a page or a dash parts it: %s', (location) => {
    const [name, address] = venue(`LOCATION:${location}`).map((text) => String(text).replace(/<[^<>]*>/g, ''));
    expect([name, address]).toEqual(['Quay Hall', '12 Dock St, New York']);
  });

  it('keeps a dash before a room and before a number alone', () => {
    expect(venue('LOCATION:Quay Hall - Room 5')[0]).toBe('Quay Hall - Room 5');
    expect(venue('LOCATION:Quay Hall - 54')[0]).toBe('Quay Hall - 54');
  });

  it('beside a link is where people meet, so the event is not online', () => {
    const both = one(START, 'LOCATION:https://meet.example/quay', `${APPLE};X-TITLE="Boat House":geo:40.7,-74`);
    expect(both).toMatchObject({ isOnline: false, url: 'https://meet.example/quay', venue: { name: 'Boat House' } });
  });

  it('is none where it is the link of a meeting', () => {
    const link = 'https://meet.example/quay';
    const lines = [`LOCATION:${link}`, `X-MICROSOFT-LOCATIONS:[{"DisplayName":"${link}"}]`];
    expect(one(START, ...lines)).toMatchObject({ isOnline: true, url: link, venue: { name: null } });
  });

  it('is not that of an alarm or of a person inside the event', () => {
    const alarm = ['BEGIN:VALARM', 'LOCATION:Kitchen', `${APPLE};X-TITLE="Kitchen":geo:1,2`, 'END:VALARM'];
    expect(venue('LOCATION:The Quay', ...alarm)).toEqual(['The Quay', null, null, null]);
  });
});
