import { assert, property, shuffledSubarray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ical } from '../../../src/providers/kinds/ical.ts';
import { ProviderError } from '../../../src/providers/provider-error.ts';
import { eventsIn, facts, fates } from '../../support/fakes/provider.ts';
import { calendar, event, ids, one, read, reasons, times } from './calendar.ts';

const START = 'DTSTART;TZID=America/New_York:20260704T193000';

describe('an event of a calendar', () => {
  it('says all that a listing can hold, and nothing that the calendar does not say', () => {
    const said = one(
      'UID:quay-7@quay.example',
      'SUMMARY:Quay Songs\\, Part II',
      START,
      'DTEND;TZID=America/New_York:20260704T220000',
      'DESCRIPTION:Songs by the water.\\nBring a <b>chair</b>\\; or two.',
      'LOCATION:The Quay\\, 12 Dock Street\\, New York\\, NY 10004',
      'GEO:40.7033;-74.0170',
      'CATEGORIES:Music,Open Air',
      'CATEGORIES:Singer\\, Songwriter',
      'STATUS:CONFIRMED',
      'URL:https://quay.example/songs',
      'ATTACH;FMTTYPE=application/pdf:https://quay.example/programme.pdf',
      'ATTACH;FMTTYPE=image/jpeg:https://quay.example/songs?size=2',
      'ORGANIZER;CN="Quay: Friends":mailto:friends@quay.example',
      'X-TICKETS-PRICE:$20',
    );
    expect(said).toEqual({
      externalId: 'quay-7@quay.example',
      seriesId: null,
      title: 'Quay Songs, Part II',
      category: null,
      categoryWords: ['Music', 'Open Air', 'Singer, Songwriter'],
      start: '2026-07-04T19:30:00',
      end: '2026-07-04T22:00:00',
      zone: 'America/New_York',
      isAllDay: false,
      description: 'Songs by the water.\nBring a <b>chair</b>; or two.',
      image: 'https://quay.example/songs?size=2',
      url: 'https://quay.example/songs',
      isFree: null,
      priceMin: null,
      priceMax: null,
      priceText: '$20',
      status: 'scheduled',
      performers: [],
      tags: [],
      sources: [],
      organizer: 'Quay: Friends',
      organizerUrl: null,
      isOnline: false,
      venue: expect.objectContaining({
        name: 'The Quay',
        address: '12 Dock Street, New York, NY 10004',
        latitude: 40.7033,
        longitude: -74.017,
      }),
    });
  });

  it.each([
    ['X-COST:$12\\, students $6', '$12, students $6'],
    ['X-TICKET-PRICE:8 €', '8 €'],
    ['X-SOME-CUSTOMFIELD;NAME="Admission";ID=1:$15', '$15'],
    ['X-SOME-CUSTOMFIELD;NAME="Room";ID=2:12', null],
    ['DESCRIPTION:Bring a lamp.\\nCost: $15 drop-in', '$15 drop-in'],
    ['DESCRIPTION:Eintritt: frei', 'frei'],
    ['DESCRIPTION:Tickets: https://tickets.example/12', null],
    ['DESCRIPTION:At what cost: an evening on rivers', null],
  ])('has a price in words where %j says it', (line, price) => {
    expect(one('DTSTART:20260704T193000Z', line).priceText).toBe(price);
  });

  it('says little where little is said', () => {
    const said = one('SUMMARY:Fog', 'DTSTART:20260704T193000Z', 'ORGANIZER:mailto:someone@quay.example', 'DESCRIPTION:');
    expect(said).toMatchObject({ end: null, zone: null, description: null, status: null, organizer: null, image: null });
    expect(said.venue).toMatchObject({ name: null, address: null, latitude: null });
  });

  it.each([
    ['DTSTART;VALUE=DATE:20260704', '', '2026-07-04', null, true],
    ['DTSTART;VALUE=DATE:20260704', 'DTEND;VALUE=DATE:20260705', '2026-07-04', '2026-07-04', true],
    ['DTSTART;VALUE=DATE:20260704', 'DTEND;VALUE=DATE:20260707', '2026-07-04', '2026-07-06', true],
    ['DTSTART;VALUE=DATE:20260704', 'DTEND;VALUE=DATE:20260704', '2026-07-04', '2026-07-04', true],
    ['DTSTART;VALUE=DATE:20260704', 'DTEND;VALUE=DATE:20260702', '2026-07-04', null, true],
    ['DTSTART:20260704', 'DURATION:P3D', '2026-07-04', '2026-07-06', true],
    [START, 'DTEND;TZID=America/New_York:20260705T020000', '2026-07-04T19:30:00', '2026-07-05T02:00:00', false],
    [START, 'DURATION:PT2H30M', '2026-07-04T19:30:00', '2026-07-04T22:00:00', false],
    [START, 'DURATION:P1W', '2026-07-04T19:30:00', '2026-07-11T19:30:00', false],
    [START, '', '2026-07-04T19:30:00', null, false],
    [START, 'DTEND;TZID=America/New_York:20260704T193000', '2026-07-04T19:30:00', null, false],
    [START, 'DTEND:20260705T023000Z', '2026-07-04T19:30:00', '2026-07-04T22:30:00', false],
    [START, 'DTEND;TZID=America/New_York:20260704T180000', '2026-07-04T19:30:00', '2026-07-04T18:00:00', false],
    [START, 'DTEND:tomorrow', '2026-07-04T19:30:00', null, false],
    [START, 'DURATION:-PT1H', '2026-07-04T19:30:00', null, false],
    ['DTSTART:20260704T000000', 'DTEND:20260706T000000', '2026-07-04', '2026-07-05', true],
    ['DTSTART:2026-07-04T19:30:00Z', '', '2026-07-04T19:30:00Z', null, false],
    ['DTSTART:20260704T193060', '', '2026-07-04T19:30:59', null, false],
  ])('takes place when it says: %s %s', (start, end, from, until, isAllDay) => {
    const lines = [start, end].filter((line) => line !== '');
    expect(one(...lines)).toMatchObject({ start: from, end: until, isAllDay });
  });

  it.each([
    ['The Quay', 'The Quay', null],
    ['The Quay\\, Brooklyn', 'The Quay, Brooklyn', null],
    ['The Quay @ 12 Dock Street\\, New York', 'The Quay', '12 Dock Street, New York'],
    ['The Quay\\n12 Dock Street\\nNew York', 'The Quay', '12 Dock Street\nNew York'],
    ['12 Dock Street\\, New York\\, NY 10004', '12 Dock Street', '12 Dock Street, New York, NY 10004'],
    ['Hall 3', 'Hall 3', null],
  ])('takes place where it says: %s', (location, name, address) => {
    expect(one(START, `LOCATION:${location}`).venue).toMatchObject({ name, address });
  });

  it('is online where its place is a link, or where it has none and a conference', () => {
    const linked = one(START, 'LOCATION:https://meet.example/quay');
    expect(linked).toMatchObject({ isOnline: true, url: 'https://meet.example/quay', venue: { name: null } });
    expect(one(START, 'CONFERENCE;VALUE=URI:https://meet.example/quay').isOnline).toBe(true);
    expect(one(START, 'LOCATION:The Quay', 'CONFERENCE;VALUE=URI:https://meet.example/quay').isOnline).toBe(false);
  });

  it.each([
    ['GEO:40.7033;-74.0170', 40.7033, -74.017],
    ['GEO:+40.7\\;-74', 40.7, -74],
    ['GEO:somewhere', null, null],
    ['GEO:40.7', null, null],
  ])('has the point that it says: %s', (geo, latitude, longitude) => {
    expect(one(START, 'LOCATION:The Quay', geo).venue).toMatchObject({ latitude, longitude });
  });

  it.each([
    ['STATUS:CANCELLED', 'cancelled'],
    ['STATUS:Canceled', 'cancelled'],
    ['STATUS:TENTATIVE', 'scheduled'],
    ['STATUS:NEEDS-ACTION', null],
  ])('stands as it says: %s', (status, said) => {
    expect(one(START, status).status).toBe(said);
  });

  it('is cancelled with all others in a calendar of cancellations', () => {
    expect(eventsIn(read(calendar('METHOD:CANCEL', [START])))[0]?.status).toBe('cancelled');
  });

  it('is left out when it is private, or outside the window', () => {
    const page = read(
      calendar(
        ['UID:a', START, 'CLASS:PRIVATE'],
        ['UID:b', 'DTSTART:20200704T193000Z'],
        ['UID:c', 'DTSTART:20280704T193000Z'],
        ['UID:d', 'DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260617'],
        ['UID:e', 'DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260616'],
      ),
    );
    expect(fates(page)).toEqual(['dropped', 'dropped', 'dropped', 'listed', 'dropped']);
  });

  it('is known by what it is, where and when, if it has no UID', () => {
    const lines = ['BEGIN:VEVENT', 'SUMMARY:Quay Songs', START, 'END:VEVENT'];
    const [first, second] = [calendar(...lines), calendar(...event('UID:other', START), ...lines)].map(
      (text) => ids(read(text))[0],
    );
    expect(first).toMatch(/^no-uid-[0-9a-f]{16}$/);
    expect(second).toBe(first);
  });

  it('keeps its id, whatever stands before it in the file', () => {
    const events = [
      event('UID:a', START, 'RRULE:FREQ=WEEKLY;COUNT=4', 'SEQUENCE:2'),
      event('UID:a', 'DTSTART:20260705T000000Z', 'RECURRENCE-ID;TZID=America/New_York:20260711T193000'),
      event('UID:a', 'DTSTART:20260601T000000Z', 'SUMMARY:Older', 'SEQUENCE:1'),
      event('UID:b', START, 'LAST-MODIFIED:20260101T000000Z'),
      event('UID:b', START, 'LAST-MODIFIED:20260201T000000Z', 'SUMMARY:Newer'),
      event('UID:c', START, 'SUMMARY:One'),
      event('UID:c', START, 'SUMMARY:Another'),
      event('UID:c', 'DTSTART:20260801', 'SUMMARY:A third'),
      event('UID:', 'DTSTART:20260801', 'SUMMARY:Nameless'),
    ];
    const known = (lines: readonly string[][]) =>
      eventsIn(read(calendar(...lines.flat())))
        .map((each) => JSON.stringify(each))
        .sort();
    const inOrder = known(events);
    expect(inOrder).toHaveLength(9);
    assert(
      property(shuffledSubarray(events, { minLength: events.length }), (shuffled) => {
        expect(known(shuffled)).toEqual(inOrder);
      }),
      { numRuns: 40 },
    );
    expect(ids(read(calendar(...events.flat()))).slice(4, 8)).toEqual([
      'b',
      'c@20260704T193000 Another',
      'c@20260704T193000 One',
      'c@20260801',
    ]);
  });
});

describe('a calendar as it is written', () => {
  const text = calendar([START, 'LOCATION:Café Zoë', `DESCRIPTION:${'long '.repeat(40)}end`]);

  it.each([
    ['LF', text.replaceAll('\r\n', '\n')],
    ['CR', text.replaceAll('\r\n', '\r')],
    ['a byte order mark', `\ufeff${text}`],
    ['names in small letters', text.replace(/^[A-Z-]+(?=[;:])/gm, (name) => name.toLowerCase())],
    ['blank lines', text.replaceAll('\r\n', '\r\n\r\n')],
    ['no calendar around the event', text.replace(/^(?:BEGIN|END):VCALENDAR\r\n/gm, '')],
    ['a component that nobody knows around the event', text.replace(/(BEGIN|END):VCALENDAR/g, '$&\r\n$1:X-SHELF')],
    ['an alarm inside the event', text.replace('END:VEVENT', 'BEGIN:VALARM\r\nDTSTART:19990101\r\nEND:VALARM\r\nEND:VEVENT')],
  ])('is read with %s', (_, written) => {
    expect(eventsIn(read(written))[0]).toMatchObject({ start: '2026-07-04T19:30:00', venue: { name: 'Café Zoë' } });
  });

  it('is unfolded before it is decoded, as some fold inside a character', () => {
    const folded = [...Buffer.from(text)].flatMap((byte) => (byte >= 0x80 && byte < 0xc0 ? [0x0d, 0x0a, 0x20, byte] : [byte]));
    expect(eventsIn(read(Uint8Array.from(folded)))[0]?.venue.name).toBe('Café Zoë');
    expect(eventsIn(read(text.replaceAll('long ', 'lo\r\n\tng ')))[0]?.description).toContain('long long');
  });

  it('is read as Latin-1 where it is that, whatever the server says, and not where a letter is damaged', () => {
    expect(eventsIn(read(Buffer.from(text, 'latin1')))[0]?.venue.name).toBe('Café Zoë');
    const damaged = Buffer.from(text);
    damaged[damaged.indexOf(0xc3)] = 0x80;
    expect(eventsIn(read(damaged))[0]?.venue.name).toBe('Caf\ufffd\ufffd Zoë');
  });

  it('may hold several calendars, each with zones of its own', () => {
    const zoned = (zone: string, uid: string) => calendar(`X-WR-TIMEZONE:${zone}`, [`UID:${uid}`, 'DTSTART:20260704T193000']);
    const page = read(zoned('America/Chicago', 'a') + zoned('America/Denver', 'b'));
    expect(eventsIn(page).map(({ zone }) => zone)).toEqual(['America/Chicago', 'America/Denver']);
  });

  it('is refused as a whole when it is none', () => {
    for (const page of ['', '<html>Please log in</html>', 'BEGIN:VCARD\r\nEND:VCARD', 'VEVENT'])
      expect(() => read(page)).toThrow(ProviderError);
  });

  it('gives all events but the broken ones, and says why', () => {
    const good = Array.from({ length: 50 }, (_, at) => [`UID:good-${at}`, START]);
    const page = read(
      calendar(
        ...good,
        ['UID:no-start'],
        ['UID:odd-start', 'DTSTART:next Friday'],
        ['UID:odd-day', 'DTSTART:20260230T100000Z'],
        ['UID:odd-rule', START, 'RRULE:FREQ=SOMETIMES'],
        ['UID:odd-exception', START, 'RRULE:FREQ=DAILY', 'EXDATE:whenever'],
        ['UID:odd-line', 'DTSTART;TZID="America/New_York:20260704T193000'],
      ),
    );
    expect(eventsIn(page)).toHaveLength(50);
    expect(page.listings.filter((each) => each.ok === false)).toEqual([
      expect.objectContaining({ index: 51, externalId: 'no-start', field: 'DTSTART', reason: 'the event has no start' }),
      expect.objectContaining({ externalId: 'odd-start', reason: 'wanted a date or a date-time, got "next Friday"' }),
      expect.objectContaining({ externalId: 'odd-day', reason: 'wanted a date or a date-time, got "20260230T100000Z"' }),
      expect.objectContaining({ externalId: 'odd-rule', field: 'RRULE' }),
      expect.objectContaining({ externalId: 'odd-exception', field: 'EXDATE' }),
      expect.objectContaining({ externalId: 'odd-line', reason: 'the property cannot be read' }),
    ]);
  });

  it('is believed as far as it goes when it is cut off', () => {
    const page = read(calendar(['UID:a', START], ['UID:b', START]).slice(0, -40));
    expect(ids(page)).toEqual(['a']);
    expect(reasons(page)).toEqual([
      'null: the event has no END: the file is cut off',
      'null: a calendar has no END: the file is cut off',
    ]);
    expect(times(page)).toEqual(['2026-07-04T19:30:00']);
  });
});

describe('the address of a calendar', () => {
  it.each([
    ['https://quay.example/all.ics', 'https://quay.example/all.ics'],
    ['webcal://quay.example/all.ics', 'https://quay.example/all.ics'],
    ['file:///calendars/all.ics', 'file:///calendars/all.ics'],
  ])('may be %s', (location, url) => {
    expect(ical.request(facts({ location })).url).toBe(url);
  });

  it('may be no other', () => {
    expect(() => ical.request(facts({ location: 'gopher://quay.example/' }))).toThrow(ProviderError);
  });
});
