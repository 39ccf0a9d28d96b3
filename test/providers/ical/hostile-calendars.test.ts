import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { eventsIn } from '../../support/fakes/provider.ts';
import { calendar, event, ids, read, reasons } from './calendar.ts';

const START = 'DTSTART;TZID=America/New_York:20260704T193000';
const times = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index));

describe('a calendar that means harm', () => {
  it('may have a line of 20 MB, folded or not, that nobody reads', () => {
    const letters = 'QUJD'.repeat(5_000_000);
    const attached = [START, 'SUMMARY:Quay Songs', `ATTACH;ENCODING=BASE64;VALUE=BINARY:${letters}`];
    expect(eventsIn(read(calendar(attached)))[0]?.title).toBe('Quay Songs');
    const folded = [START, `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJDQUJD\r\n '.repeat(500_000)}`];
    expect(eventsIn(read(calendar(folded)))).toHaveLength(1);
    expect(eventsIn(read(calendar([START, `DESCRIPTION:${letters}`])))[0]?.description).toHaveLength(
      64 * 1024 - 'DESCRIPTION:'.length,
    );
    expect(() => read(`BEGIN:VCALENDAR${letters}`)).toThrow(ProviderError);
  });

  it('is refused with more events than anybody reads', () => {
    const events = 'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(20_001);
    expect(() => read(calendar(events))).toThrow('the calendar has more than 20000 events');
    expect(read(calendar(events.slice('BEGIN:VEVENT\r\nEND:VEVENT\r\n'.length))).listings.length).toBe(20_000);
  });

  it('is refused when its series take place more often than a city has events', () => {
    const daily = times(140, (at) => event(`UID:${at}`, START, 'RRULE:FREQ=DAILY').join('\r\n'));
    expect(() => read(calendar(...daily))).toThrow('the calendar gives more than 50000 times of events');
  });

  it.each([
    ['calendars', `${'BEGIN:VCALENDAR\r\n'.repeat(100_000)}${event(START).join('\r\n')}`],
    ['components', event(START, ...times(100_000, () => 'BEGIN:VALARM')).join('\r\n')],
    ['ends', `BEGIN:VCALENDAR\r\n${'END:VEVENT\r\nEND:VALARM\r\n'.repeat(50_000)}${event(START).join('\r\n')}`],
  ])('may have %s without end', (_, text) => {
    expect(ids(read(text))).toEqual(['quay-1']);
  });

  it('may except 100 000 dates, and costs only its own event', () => {
    const line = `EXDATE:${'20260101T100000Z,'.repeat(100_000)}`;
    const lines = times(100_000, () => 'EXDATE:20260101T100000Z');
    const lists = times(8, () => `EXDATE:${'20260101T100000Z,'.repeat(3_000)}`);
    const page = read(
      calendar(
        ['UID:a', START, 'RRULE:FREQ=DAILY', line],
        ['UID:b', START, 'RRULE:FREQ=DAILY', ...lines],
        ['UID:c', START, 'RRULE:FREQ=DAILY', ...lists],
        ['UID:d', START],
      ),
    );
    expect(ids(page)).toEqual(['d']);
    expect(reasons(page)).toEqual([
      'EXDATE: the property is too long',
      'null: the event has more than 5000 properties',
      'EXDATE: more than 10000 dates',
    ]);
  });

  it('may have rules that never come to an end or to a start, and costs only their events', () => {
    const rules = [
      'FREQ=SECONDLY',
      'FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=YEARLY;INTERVAL=1000000;BYWEEKNO=53',
      'FREQ=DAILY;COUNT=9999999999;BYDAY=MO',
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${times(24, String)};BYMINUTE=${times(60, String)};BYSECOND=${times(60, String)}`,
    ];
    const page = read(calendar(...rules.map((rule, at) => [`UID:${at}`, START, `RRULE:${rule}`]), ['UID:fine', START]));
    expect(ids(page)).toContain('fine');
    expect(eventsIn(page).length).toBeLessThan(100);
    expect(reasons(page)).toEqual([
      'RRULE: the rule takes more than 10000 periods to follow',
      'RRULE: the rule takes more than 10000 periods to follow',
      'RRULE: the rule gives more than 100000 moments in one period',
    ]);
    const many = times(11, () => 'RRULE:FREQ=DAILY');
    expect(reasons(read(calendar([START, ...many])))).toEqual(['RRULE: more than 10 rules']);
  });

  it('may begin, end or be repeated at the ends of time', () => {
    const page = read(
      calendar(
        ['UID:a', 'DTSTART:00010101T000000Z', 'RRULE:FREQ=DAILY'],
        ['UID:b', 'DTSTART;TZID=Asia/Tokyo:90001231T235959', 'DURATION:P9999W', 'RRULE:FREQ=DAILY'],
        ['UID:c', START, 'DURATION:P9999W99999D'],
        ['UID:d', START, 'RRULE:FREQ=YEARLY;INTERVAL=1000000'],
        ['UID:e', START, 'RRULE:FREQ=DAILY;INTERVAL=1000000;COUNT=9999999999'],
        [
          'UID:f',
          'DTSTART;TZID=Asia/Tokyo:20260704T193000',
          'DTEND:99991231T235959Z',
          'RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z',
        ],
        ['UID:g', 'DTSTART;VALUE=DATE:00010101', 'DTEND;VALUE=DATE:90001231'],
        ['UID:h', START, 'RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:00010101T000000Z,90001231T235959Z', 'EXDATE:00010101T000000Z'],
        ['UID:i', 'DTSTART:00000101T000000Z'],
        ['UID:j', 'DTSTART:99991231T235959Z'],
      ),
    );
    expect(reasons(page)).toEqual([
      'DTSTART: wanted a date or a date-time, got "00000101T000000Z"',
      'DTSTART: wanted a date or a date-time, got "99991231T235959Z"',
    ]);
    expect(new Set(ids(page).map((id) => id?.[0]))).toEqual(new Set(['a', 'c', 'd', 'e', 'f', 'g', 'h']));
    expect(eventsIn(page).find(({ externalId }) => externalId?.startsWith('f'))?.end).toBeNull();
  });

  it('may be any text: it is read, or refused with a reason', () => {
    const words = [
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'END:VEVENT', 'END:VCALENDAR', 'BEGIN:VTIMEZONE', 'BEGIN:STANDARD', 'TZID:Quay'],
      ...[
        'UID:a',
        'DTSTART',
        'DTEND',
        'RDATE',
        'EXDATE',
        'RECURRENCE-ID',
        'DURATION:P1D',
        'RRULE:FREQ=DAILY',
        'RRULE:FREQ=YEARLY',
      ],
      ...[';TZID=Quay', ';TZID=Asia/Tokyo', ';VALUE=DATE', ';VALUE=PERIOD', ';RANGE=THISANDFUTURE', ';BYDAY=-1SU', ';COUNT=9'],
      ...[
        ':20260704',
        ':20260704T193000',
        ':20260711T000000Z',
        ':00010101T000000Z',
        ':90001231T235959',
        '/PT1H',
        ',',
        '\r\n',
        '\r\n',
        '\n ',
      ],
      ...['TZOFFSETFROM:-0500', 'TZOFFSETTO:+0100', 'SEQUENCE:2', 'GEO:1;2', 'LOCATION:', '\u2028', '"', '\u00e9', '=', ':'],
    ];
    assert(
      property(array(constantFrom(...words), { maxLength: 60 }), (pieces) => {
        const page = read(calendar(['UID:a', START, 'RRULE:FREQ=WEEKLY'], pieces.join('')));
        expect(page.listings.every((each) => each.ok !== false || each.reason.length > 0)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('may have names, parameters and texts of any shape', () => {
    const page = read(
      calendar(
        ['UID:a', START, `SUMMARY;X="${'","'.repeat(10_000)}":Quay`],
        ['UID:b', `${START.replace(':', ';__proto__=x;constructor=y:')}`],
        ['UID:c', START, `CATEGORIES:${'a,'.repeat(30_000)}`, `LOCATION:${'\\,'.repeat(30_000)}1`],
        ['UID:__proto__', START],
        ['UID:e', START, `${'X'.repeat(60_000)}:1`, ':', ';', '=', '\u0000', 'BEGIN', 'END', 'BEGIN:', 'END:'],
        [`UID:${'f'.repeat(70_000)}`, START],
      ),
    );
    expect(reasons(page)).toEqual([]);
    expect(ids(page)).toHaveLength(6);
    expect(ids(page).every((id) => (id?.length ?? 0) <= 2_000)).toBe(true);
    expect(({} as { x?: string }).x).toBeUndefined();
  });

  it('may ask for a thousand zones of its own', () => {
    const zone = (at: number) =>
      `BEGIN:VTIMEZONE\r\nTZID:Z${at}\r\nBEGIN:STANDARD\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\nRRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11\r\nEND:STANDARD\r\nEND:VTIMEZONE`;
    const page = read(
      calendar(
        ...times(300, zone),
        ...times(300, (at) => event(`UID:${at}`, `DTSTART;TZID=Z${at}:20260704T193000`).join('\r\n')),
      ),
    );
    expect(eventsIn(page)).toHaveLength(300);
  });
});
