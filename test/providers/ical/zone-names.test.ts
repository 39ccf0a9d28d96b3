import { assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EUROPEAN_ZONES } from '../../../src/providers/kinds/ical/zone-words.ts';
import { eventsIn } from '../../support/fakes/provider.ts';
import { calendar, read } from './calendar.ts';

/** The instant of 20:00 on a summer's day and on a winter's day, as the time zone is called. */
function told(tzid: string, zone = 'America/New_York', ...lines: string[]): string[] {
  const window = { from: Date.parse('2026-06-01'), until: Date.parse('2027-06-01') };
  const name = /[",:;]/.test(tzid) ? `"${tzid.replaceAll('"', '')}"` : tzid;
  const days = ['20260620', '20261212'].map((day) => [`UID:${day}`, `DTSTART;TZID=${name}:${day}T200000`]);
  return eventsIn(read(calendar(...lines, ...days), { zone, window })).map(({ start, zone: said }) => {
    if (said === null) return new Date(start ?? '').toISOString().slice(0, 16);
    return Temporal.PlainDateTime.from(start ?? '')
      .toZonedDateTime(said)
      .toInstant()
      .toString()
      .slice(0, 16);
  });
}
const EASTERN = ['2026-06-21T00:00', '2026-12-13T01:00'];
const CENTRAL = ['2026-06-21T01:00', '2026-12-13T02:00'];
const PACIFIC = ['2026-06-21T03:00', '2026-12-13T04:00'];
const BERLIN = ['2026-06-20T18:00', '2026-12-12T19:00'];
const UTC = ['2026-06-20T20:00', '2026-12-12T20:00'];

describe('the name of a time zone', () => {
  it.each([
    ['/America/New_York', EASTERN],
    ['America-New_York', EASTERN],
    ['America/New York', EASTERN],
    ['america/new_york', EASTERN],
    ['AMERICA/NEW_YORK', EASTERN],
    [' America/New_York ', EASTERN],
    ['America:New_York', EASTERN],
    ['America/New_York (EDT)', EASTERN],
    ['US-Eastern', EASTERN],
    ['US Eastern', EASTERN],
    ['US/Eastern', EASTERN],
    ['EST5EDT', EASTERN],
    ['Eastern Time', EASTERN],
    ['Eastern Time (US)', EASTERN],
    ['Eastern Time (US & Canada)', EASTERN],
    ['Eastern Time (US and Canada)', EASTERN],
    ['Eastern Time (US &amp; Canada)', EASTERN],
    ['Eastern Standard Time', EASTERN],
    ['Eastern Standard Time 2', EASTERN],
    ['Eastern Standard Time (EST)', EASTERN],
    ['Eastern Daylight Time', EASTERN],
    ['US Eastern Time', EASTERN],
    ['Eastern', EASTERN],
    ['EDT', EASTERN],
    ['ET', EASTERN],
    ['EST', EASTERN],
    ['New York', EASTERN],
    ['(UTC-05:00) Eastern Time (US & Canada)', EASTERN],
    ['(UTC-05:00) Eastern Time (US & Canada) 1', EASTERN],
    ['(GMT-05.00) Eastern Time (US & Canada)', EASTERN],
    ['(GMT-04:00) Eastern Time - New York', EASTERN],
    ['(GMT-0500) Words that nobody knows', EASTERN],
    ['GMT -0500 (Standard) / GMT -0400 (Daylight)', EASTERN],
    ['/mozilla.org/20050126_1/America/New_York', EASTERN],
    ['/freeassociation.sourceforge.net/Tzfile/America/New_York', EASTERN],
    ['mozilla.org/20050126_1/America/New_York', EASTERN],
    ['Central Daylight Time', CENTRAL],
    ['America-Chicago', CENTRAL],
    ['Pacific Time', PACIFIC],
    ['PST', PACIFIC],
    ['PST8PDT', PACIFIC],
    ['tzone://Microsoft/Pacific Standard Time', PACIFIC],
    ['/mozilla.org/20050126_1/Europe/Berlin', BERLIN],
    ['/Europe/Vienna', BERLIN],
    ['Europe Vienna', BERLIN],
    ['Europe.Berlin', BERLIN],
    ['W. Europe Standard Time 1', BERLIN],
    ['W. Europe Daylight Time', BERLIN],
    ['Central European Summer Time', BERLIN],
    ['Mitteleuropäische Zeit', BERLIN],
    ['Mitteleuropäische Sommerzeit', BERLIN],
    ['MESZ', BERLIN],
    ['CEST', BERLIN],
    ['CET', BERLIN],
    ['(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', BERLIN],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien', BERLIN],
    ['(GMT+01.00) Amsterdam / Berlin / Bern', BERLIN],
    ['heure normale d’Europe centrale', BERLIN],
    ["heure d'été d'Europe centrale", BERLIN],
    ['Europe/Kyiv', ['2026-06-20T17:00', '2026-12-12T18:00']],
    ['Europe/Kiev', ['2026-06-20T17:00', '2026-12-12T18:00']],
    ['Asia/Calcutta', ['2026-06-20T14:30', '2026-12-12T14:30']],
    ['America-Argentina-Salta', ['2026-06-20T23:00', '2026-12-12T23:00']],
    ['America-Port-au-Prince', EASTERN],
    ['Z', UTC],
    ['UTC', UTC],
    ['Etc/UTC', UTC],
    ['Etc-UTC', UTC],
    ['GMT', UTC],
    ['tzone://Microsoft/Utc', UTC],
    ['Coordinated Universal Time', UTC],
    ['Etc/GMT-2', ['2026-06-20T18:00', '2026-12-12T18:00']],
    ['GMT+0200', ['2026-06-20T18:00', '2026-12-12T18:00']],
    ['GMT+02:00', ['2026-06-20T18:00', '2026-12-12T18:00']],
    ['UTC+2', ['2026-06-20T18:00', '2026-12-12T18:00']],
    ['UTC−3', ['2026-06-20T23:00', '2026-12-12T23:00']],
    ['+05:30', ['2026-06-20T14:30', '2026-12-12T14:30']],
    ['(GMT+09:00) Words that nobody knows', ['2026-06-20T11:00', '2026-12-12T11:00']],
  ])('is understood as programs write it: %s', (tzid, instants) => {
    expect(told(tzid)).toEqual(instants);
  });

  it('is that of the city where the city is called so, else what IANA says', () => {
    expect(told('EST', 'America/Panama')).toEqual(['2026-06-21T01:00', '2026-12-13T01:00']);
    expect(told('MST', 'America/Phoenix')).toEqual(['2026-06-21T03:00', '2026-12-13T03:00']);
    expect(told('MST', 'America/Denver')).toEqual(['2026-06-21T02:00', '2026-12-13T03:00']);
    expect(told('EST', 'Europe/Berlin')).toEqual(['2026-06-21T01:00', '2026-12-13T01:00']);
    expect(told('(GMT+01:00) Wer weiß', 'Europe/Zurich')).toEqual(BERLIN);
    expect(told('(GMT-06:00) Who knows', 'Europe/Zurich', 'X-WR-TIMEZONE:Central Time')).toEqual(CENTRAL);
  });

  it('is first what the calendar describes, in any case and with or without quotes', () => {
    const described = (tzid: string) => [
      ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0300'],
      ...['TZOFFSETTO:+0300', 'END:STANDARD', 'END:VTIMEZONE'],
    ];
    for (const tzid of ['tzone://Microsoft/Custom', '"Quay Time"', 'quay time', 'EST', 'Eastern', 'GMT+0200', 'US-Eastern'])
      expect(told(tzid.replaceAll('"', '').toUpperCase(), 'Europe/Berlin', ...described(tzid))).toEqual([
        '2026-06-20T17:00',
        '2026-12-12T17:00',
      ]);
    const rules = ['BEGIN:VTIMEZONE', 'TZID:Quay', 'X-LIC-LOCATION:America/Chicago', 'END:VTIMEZONE'];
    expect(told('Quay', 'Europe/Berlin', ...rules)).toEqual(CENTRAL);
  });

  it('is every IANA name, as it is and as programs misspell it', () => {
    const misspelt = constantFrom<(name: string) => string>(
      (name) => name,
      (name) => name.toLowerCase(),
      (name) => name.replace('/', '-'),
      (name) => name.replaceAll('_', ' '),
      (name) => `/${name}`,
      (name) => `/registry.example/20260101_1/${name}`,
    );
    const zones = Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'));
    assert(
      property(constantFrom(...zones), misspelt, (name, spell) => {
        expect(told(spell(name))).toEqual(told(name));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the table of European zones', () => {
  it('has the names of CLDR', () => {
    const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
    for (const [timeZone, locale, ...names] of EUROPEAN_ZONES) {
      const name = (timeZoneName: 'long' | 'longGeneric', at: number) =>
        new Intl.DateTimeFormat(locale, { timeZone, timeZoneName }).formatToParts(at).find(({ type }) => type === 'timeZoneName')
          ?.value;
      expect(names).toEqual([name('longGeneric', summer), name('long', winter), name('long', summer)]);
    }
  });
});
