import { describe, expect, it } from 'vitest';
import { WINDOWS_ZONES } from '../../../src/providers/kinds/ical/zone-words.ts';
import { createCityTime } from '../../../src/values/city-time.ts';
import { eventsIn } from '../../support/fakes/provider.ts';
import { calendar, one, read, reasons, times } from './calendar.ts';

const EASTERN_RULES = [
  'BEGIN:STANDARD',
  'DTSTART:16011104T020000',
  'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11',
  'TZOFFSETFROM:-0400',
  'TZOFFSETTO:-0500',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010311T020000',
  'RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3',
  'TZOFFSETFROM:-0500',
  'TZOFFSETTO:-0400',
  'END:DAYLIGHT',
];
const zone = (tzid: string, ...lines: string[]) => ['BEGIN:VTIMEZONE', `TZID:${tzid}`, ...lines, 'END:VTIMEZONE'];
const inZone = (tzid: string, ...times: string[]) =>
  read(calendar(...times.map((time, at) => [`UID:${at}`, `DTSTART;TZID=${tzid}:${time}`])));

describe('the zone of a time', () => {
  it.each([
    ['America/Chicago', 'America/Chicago'],
    ['"America/Chicago"', 'America/Chicago'],
    ['US/Central', 'US/Central'],
    ['Central Standard Time', 'America/Chicago'],
    ['central standard time', 'America/Chicago'],
    ['Central Time (US & Canada)', 'America/Chicago'],
    ['(UTC-06:00) Central Time (US and Canada)', 'America/Chicago'],
    ['"(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', 'Europe/Berlin'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['tzone://Microsoft/Utc', 'Etc/UTC'],
    ['/freeassociation.sourceforge.net/Europe/Berlin', 'Europe/Berlin'],
    ['/softwarestudio.org/Olson_20011030_5/America/Argentina/Salta', 'America/Argentina/Salta'],
    ['America/New York', 'America/New_York'],
  ])('is known by many names: %s', (tzid, name) => {
    expect(eventsIn(inZone(tzid, '20260704T193000'))).toMatchObject([{ start: '2026-07-04T19:30:00', zone: name }]);
  });

  it.each([
    'Nowhere/Special',
    '',
    'Amsterdam, Berlin, Madrid',
    '+15:00',
    'tzone://Microsoft/Custom',
    'Customized Time Zone 1',
    'x'.repeat(500),
  ])('is not guessed where nothing is known of its name: %s', (tzid) => {
    const page = inZone(tzid, '20260704T193000');
    expect(eventsIn(page)).toEqual([]);
    expect(reasons(page)[0]).toMatch(/^DTSTART: the time zone ".*" is not known$/);
    const declared = read(calendar('X-WR-TIMEZONE:America/Denver', [`DTSTART;TZID=${tzid}:20260704T193000`]));
    expect(eventsIn(declared)[0]?.zone).toBe('America/Denver');
  });

  it('is that of the calendar where none is written, else the city’s', () => {
    expect(one('DTSTART:20260704T193000')).toMatchObject({ start: '2026-07-04T19:30:00', zone: null });
    const [declared] = eventsIn(read(calendar('X-WR-TIMEZONE;VALUE=TEXT:America/Denver', ['DTSTART:20260704T193000'])));
    expect(declared).toMatchObject({ start: '2026-07-04T19:30:00', zone: 'America/Denver' });
    const [odd] = eventsIn(read(calendar('X-WR-TIMEZONE:Nowhere', ['DTSTART:20260704T193000'])));
    expect(odd).toMatchObject({ start: '2026-07-04T19:30:00', zone: null });
  });

  it('is described by the calendar itself, before or after the event', () => {
    const lines = zone('Quay Time', ...EASTERN_RULES);
    const event = ['DTSTART;TZID="Quay Time":20260704T193000', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;INTERVAL=6;COUNT=2'];
    const found = [
      '2026-07-04T19:30:00-04:00 → 2026-07-04T20:30:00-04:00',
      '2027-01-04T19:30:00-05:00 → 2027-01-04T20:30:00-05:00',
    ];
    expect(times(read(calendar(...lines, event)))).toEqual(found);
    expect(times(read(calendar(event, ...lines)))).toEqual(found);
  });

  it('agrees with the zone of the world where the calendar describes the same', () => {
    const time = createCityTime('America/New_York');
    // The days around both changes of the clock, hour by hour and between.
    const walls = ['20261031', '20261101', '20261102', '20270313', '20270314', '20270315'].flatMap((day) =>
      Array.from({ length: 24 }, (_, hour) => `${day}T${String(hour).padStart(2, '0')}3000`),
    );
    const page = read(
      calendar(...zone('Quay', ...EASTERN_RULES), ...walls.map((wall, at) => [`UID:${at}`, `DTSTART;TZID=Quay:${wall}`])),
    );
    const resolved = eventsIn(page).map(({ start }) => Temporal.Instant.from(start ?? '').epochMilliseconds);
    const iso = (wall: string) => wall.replace(/^(....)(..)(..T..)(..)(..)$/, '$1-$2-$3:$4:$5');
    expect(resolved).toEqual(walls.map((wall) => time.resolve(iso(wall))));
  });

  it.each([
    ['has no rules', []],
    ['has no offset', ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETTO:+0100', 'END:STANDARD']],
    [
      'has an offset of a day',
      ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+2500', 'END:STANDARD'],
    ],
    ['changes every second', EASTERN_RULES.map((line) => line.replace(/FREQ=YEARLY.*/, 'FREQ=SECONDLY'))],
  ])('is not known where the calendar’s description %s', (_, rules) => {
    const page = read(calendar(...zone('Quay', ...rules), ['DTSTART;TZID=Quay:20260704T193000']));
    expect(reasons(page)).toEqual(['DTSTART: the time zone "Quay" is not known']);
  });

  it('has its later rules instead of older ones that do not end', () => {
    const old = EASTERN_RULES.map((line) => line.replace('BYDAY=1SU;BYMONTH=11', 'BYDAY=-1SU;BYMONTH=10'));
    const young = EASTERN_RULES.map((line) => line.replace('DTSTART:1601', 'DTSTART:2007'));
    const page = read(calendar(...zone('Quay', ...old, ...young), ['DTSTART;TZID=Quay:20261028T193000']));
    expect(times(page)).toEqual(['2026-10-28T19:30:00-04:00']);
  });

  it('leaves a time as it is written, whether the clock skips it or shows it twice', () => {
    const [skipped, twice] = ['DTSTART;TZID=America/New_York:20270314T023000', 'DTSTART;TZID=America/New_York:20261101T013000'];
    expect(one(skipped, 'DURATION:PT1H')).toMatchObject({ start: '2027-03-14T02:30:00', end: '2027-03-14T04:30:00' });
    expect(one(twice, 'DURATION:PT30M')).toMatchObject({ start: '2026-11-01T01:30:00', end: '2026-11-01T01:00:00-05:00' });
  });
});

describe('the table of Windows zones', () => {
  it('has names and words once each, and zones that the runtime knows', () => {
    expect(WINDOWS_ZONES.length).toBeGreaterThan(130);
    for (const column of [0, 2] as const)
      expect(new Set(WINDOWS_ZONES.map((row) => row[column])).size).toBe(WINDOWS_ZONES.length);
    for (const [, name] of WINDOWS_ZONES) expect(() => createCityTime(name)).not.toThrow();
  });
});
