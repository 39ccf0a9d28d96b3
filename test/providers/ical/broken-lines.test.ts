import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventsIn } from '../../support/fakes/provider.ts';
import { calendar, one, read } from './calendar.ts';

const START = 'DTSTART;TZID=America/New_York:20260704T193000';
const AFTER = ['LOCATION:Quay Hall', 'DTEND;TZID=America/New_York:20260704T210000'];

function said(...lines: string[]) {
  const { title, description, venue, start, end } = one(START, ...lines, ...AFTER);
  expect([venue.name, start, end]).toEqual(['Quay Hall', '2026-07-04T19:30:00', '2026-07-04T21:00:00']);
  return { title, description };
}

describe('a text that has its line breaks in it', () => {
  it.each([
    [['DESCRIPTION:Songs by the water.', 'Bring a friend.'], 'Songs by the water.\nBring a friend.'],
    [['DESCRIPTION:Songs.', 'Bring: a lantern', 'Doors: 7pm'], 'Songs.\nBring: a lantern\nDoors: 7pm'],
    [
      ['DESCRIPTION:Songs.', 'Bring:a lantern', '19:30 doors', 'https://quay.example/a'],
      'Songs.\nBring:a lantern\n19:30 doors\nhttps://quay.example/a',
    ],
    [
      ['DESCRIPTION:Songs.', 'Location: the barn', 'Url: none', 'Status: open'],
      'Songs.\nLocation: the barn\nUrl: none\nStatus: open',
    ],
    [
      ['DESCRIPTION:Songs.', 'WHERE:the barn', 'NOTE: no dogs', 'CONTACT: Bob'],
      'Songs.\nWHERE:the barn\nNOTE: no dogs\nCONTACT: Bob',
    ],
    [
      ['DESCRIPTION:Songs.', 'X-ray: bring one', 'Begin: at noon', 'BEGIN: now', 'END: 10pm', 'End of it'],
      'Songs.\nX-ray: bring one\nBegin: at noon\nBEGIN: now\nEND: 10pm\nEnd of it',
    ],
    [['DESCRIPTION:Songs.', '', '', 'A paragraph.'], 'Songs.\n\nA paragraph.'],
    [
      ['DESCRIPTION:', 'Songs.', '- one', '* two', '<br>', '=====', '"x"', 'a;b=c:d'],
      'Songs.\n- one\n* two\n<br>\n=====\n"x"\na;b=c:d',
    ],
    [['DESCRIPTION:Songs.', 'Second', '  and folded', '\tagain'], 'Songs.\nSecond and foldedagain'],
    [['DESCRIPTION:Songs.', 'P.S. bring', 'color:red;', 'A:hover { b:c }'], 'Songs.\nP.S. bring\ncolor:red;\nA:hover { b:c }'],
    [['X-ALT-DESC;FMTTYPE=text/html:<p>Songs</p>', '<p>Bring: a chair</p>'], '<p>Songs</p>\n<p>Bring: a chair</p>'],
  ])('is read with them, and the properties behind it: %j', (lines, description) => {
    expect(said(...lines).description).toBe(description);
  });

  it('ends with its event, in whatever case that is written', () => {
    const text = calendar([START, 'DESCRIPTION:Songs', 'Bring: a lantern']).replace('END:VEVENT', 'End:VEvent');
    expect(eventsIn(read(text))[0]?.description).toBe('Songs\nBring: a lantern');
  });

  it('may be a title or a place', () => {
    expect(said('SUMMARY:Quay', 'Songs: part two').title).toBe('Quay\nSongs: part two');
    expect(one(START, 'LOCATION:Quay Hall', '12 Dock Street', 'New York', 'STATUS:CANCELLED')).toMatchObject({
      status: 'cancelled',
      venue: { name: 'Quay Hall', address: '12 Dock Street\nNew York' },
    });
  });

  it('is read in a file that writes its names in small letters', () => {
    const text = calendar([START, 'DESCRIPTION:Songs.', 'Bring: a lantern', 'http://quay.example', 'LOCATION:Quay Hall']);
    const small = text.replace(/^(?:BEGIN|END|DTSTART|DESCRIPTION|LOCATION|UID|SUMMARY|VERSION)(?=[;:])/gm, (name) =>
      name.toLowerCase(),
    );
    expect(eventsIn(read(small))[0]).toMatchObject({
      description: 'Songs.\nBring: a lantern\nhttp://quay.example',
      venue: { name: 'Quay Hall' },
    });
  });
});

describe('a line that is no property', () => {
  it('is no text where it is a property without its colon', () => {
    expect(said('DESCRIPTION:Songs', 'ORGANIZER="mailto:someone@quay.example"').description).toBe('Songs');
  });

  it('costs nothing behind a property that is no text', () => {
    expect(one(START, 'what is this', 'URL:https://quay.example/', 'and this', 'STATUS:CANCELLED', 'PRICE:10')).toMatchObject({
      start: '2026-07-04T19:30:00',
      url: 'https://quay.example/',
      status: 'cancelled',
    });
  });

  it.each([
    ...['PRICE:10', 'ALLDAY;X=1:0', 'EVENT-KIND:a', 'X-COST:$5', 'x-cost:$5', 'Url:https://quay.example/'],
    ...['COLOR:red', 'CREATED:20260101T000000Z', 'LOCATION: Quay Hall'],
  ])('is one, where a program writes properties of its own: %s', (line) => {
    expect(one(START, 'SUMMARY:Quay Songs', line, 'URL:https://quay.example/').title).toBe('Quay Songs');
  });

  it.each(['ALLDAY;X=1:0', 'EVENT-KIND:a', 'X-COST:$5', 'COLOR:red', 'CREATED:20260101T000000Z', 'LOCATION: Quay Hall'])(
    'is one behind a long text, too: %s',
    (line) => {
      expect(one(START, 'DESCRIPTION:Songs', line, 'URL:https://quay.example/').description).toBe('Songs');
    },
  );

  it('is a property where its name alone stands on the first line of a fold', () => {
    const folded = calendar([START, 'DESCRIPTION', ' :Songs', 'LOCATION', ' ;X=1', ' :Quay Hall']);
    expect(eventsIn(read(folded))[0]).toMatchObject({ description: 'Songs', venue: { name: 'Quay Hall' } });
  });

  it('goes on the line before it where that is as long as a folded one', () => {
    const words = 'Songs by the water, with singers of three cities and of the seaside and shor';
    const [first, second] = [`DESCRIPTION:${words}`.slice(0, 75), `DESCRIPTION:${words}`.slice(75)];
    expect(said(first, `${second}e: all are welcome.`).description).toBe(`${words}e: all are welcome.`);
    const link = `URL:https://quay.example/${'a'.repeat(60)}`;
    expect(one(START, link.slice(0, 75), link.slice(75)).url).toBe(link.slice(4));
  });
});

describe('quoted-printable of old programs', () => {
  it.each([
    ['DESCRIPTION;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9=0D=0ABring=20a lamp', 'Café\nBring a lamp'],
    ['DESCRIPTION;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 =|and more: =|things', 'Café and more: things'],
    ['DESCRIPTION;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9', 'Café'],
    ['DESCRIPTION:Songs=0D=0A=|Bring a lamp', 'Songs\nBring a lamp'],
    ['DESCRIPTION:a=b and 1=20', 'a=b and 1=20'],
  ])('is decoded: %s', (lines, description) => {
    expect(said(...lines.split('|')).description).toBe(description);
  });
});

describe('a broken calendar', () => {
  it('loses no word and no property, wherever the line breaks are', () => {
    const pieces = constantFrom(
      'Bring: a lantern',
      'going abroad',
      '',
      'Url: none',
      '12:30',
      '<p>',
      '- x;y=z',
      'Where: here',
      'http://a.example/?b=c:d',
    );
    assert(
      property(array(pieces, { maxLength: 12 }), constantFrom('\r\n', '\n', '\r'), (lines, end) => {
        const text = calendar([START, 'DESCRIPTION:Songs', ...lines, ...AFTER]).replaceAll('\r\n', end);
        const [event] = eventsIn(read(text));
        expect(event).toMatchObject({ end: '2026-07-04T21:00:00', venue: { name: 'Quay Hall' } });
        const words = (said: string) => said.split(/\s+/).filter(Boolean);
        expect(words(event?.description ?? '')).toEqual(words(['Songs', ...lines].join(' ')));
      }),
      { numRuns: 100 },
    );
  });

  it('of a million lines is read at once', () => {
    const lines = 'at 7: bring\r\n'.repeat(1_000_000);
    const begun = process.threadCpuUsage();
    expect(one(START, `DESCRIPTION:Songs\r\n${lines}LOCATION:Quay Hall`).venue.name).toBe('Quay Hall');
    const { user, system } = process.threadCpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});
