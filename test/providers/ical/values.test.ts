import { describe, expect, it } from 'vitest';
import { calendar, one, read, times } from './calendar.ts';

const ZONE = 'TZID=America/New_York';
const START = `DTSTART;${ZONE}:20260704T193000`;

describe('VALUE', () => {
  it.each([
    ['DTSTART;VALUE=DATE:20260704T193000', '', '2026-07-04', null, true],
    ['DTSTART;VALUE=DATE:20260704T193000Z', 'DTEND;VALUE=DATE:20260706T000000Z', '2026-07-04', '2026-07-05', true],
    [`DTSTART;value=date;${ZONE}:20260704T000000`, '', '2026-07-04', null, true],
    ['DTSTART;VALUE="DATE":2026-07-04T19:30:00', '', '2026-07-04', null, true],
    ['DTSTART;VALUE=DATE-TIME:20260704', '', '2026-07-04', null, true],
    [`DTSTART;${ZONE};VALUE=DATE-TIME:20260704T193000`, '', '2026-07-04T19:30:00', null, false],
    [START, 'DTEND;VALUE=DURATION:PT2H', '2026-07-04T19:30:00', '2026-07-04T21:30:00', false],
    [START, 'DURATION;VALUE=DURATION:PT2H', '2026-07-04T19:30:00', '2026-07-04T21:30:00', false],
    [START, 'DURATION:P0DT2H0M0S', '2026-07-04T19:30:00', '2026-07-04T21:30:00', false],
    ['DTSTART:20260704T193000-0400', 'DTEND:20260704T213000-04:00', '2026-07-04T23:30:00Z', '2026-07-05T01:30:00Z', false],
    [START, `DTEND;${ZONE}:20260704T240000`, '2026-07-04T19:30:00', '2026-07-05T00:00:00', false],
  ])('of a time counts: %s %s', (start, end, from, until, isAllDay) => {
    expect(one(...[start, end].filter((line) => line !== ''))).toMatchObject({ start: from, end: until, isAllDay });
  });

  it.each([
    ['EXDATE;VALUE=DATE:20260705', ['2026-07-04', '2026-07-06']],
    ['EXDATE;VALUE=DATE:20260705T000000,20260706T120000', ['2026-07-04']],
    ['EXDATE;VALUE=DATE-TIME:20260705T193000', ['2026-07-04', '2026-07-06']],
    ['RDATE;VALUE=DATE:20260709', ['2026-07-04', '2026-07-05', '2026-07-06', '2026-07-09']],
    ['RDATE;VALUE=DATE-TIME:20260709T193000', ['2026-07-04', '2026-07-05', '2026-07-06', '2026-07-09']],
    ['RDATE;VALUE=PERIOD:20260709T233000Z/PT1H', ['2026-07-04', '2026-07-05', '2026-07-06', '2026-07-09']],
  ])('of a list of dates counts beside a series with an hour: %s', (line, days) => {
    const found = times(read(calendar([START, 'RRULE:FREQ=DAILY;COUNT=3', line])));
    expect(found.map((text) => text.slice(0, 19))).toEqual(days.map((day) => `${day}T19:30:00`));
  });

  it.each([
    ['EXDATE:20260705T000000', 2],
    ['EXDATE;VALUE=DATE-TIME:20260705T120000', 2],
    ['EXDATE;VALUE=DATE:20260705T193000Z', 2],
    ['RDATE;VALUE=DATE:20260709', 4],
    ['RDATE;VALUE=PERIOD:20260709T000000/P1D', 4],
  ])('of a list of dates counts beside whole days: %s', (line, count) => {
    expect(times(read(calendar(['DTSTART;VALUE=DATE:20260704', 'RRULE:FREQ=DAILY;COUNT=3', line])))).toHaveLength(count);
  });

  it.each([
    ['URL;VALUE=URI:https://quay.example/a?b=1;c=2', 'https://quay.example/a?b=1;c=2'],
    ['URL;VALUE=TEXT:https://quay.example/a?b=1\\;c=2', 'https://quay.example/a?b=1;c=2'],
    ['URL;VALUE=BINARY;ENCODING=BASE64:aHR0cHM6Ly9x', null],
  ])('of a link counts: %s', (line, url) => {
    expect(one(START, line).url).toBe(url);
  });

  it.each([
    ['IMAGE;VALUE=URI;DISPLAY=BADGE,THUMBNAIL;FMTTYPE=image/png:https://quay.example/a', 'https://quay.example/a'],
    ['IMAGE;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=image/png:iVBORw0KGgo=', null],
    ['ATTACH;VALUE=URI:https://quay.example/a.png', 'https://quay.example/a.png'],
    ['ATTACH;VALUE=TEXT;FMTTYPE=image/png:https://quay.example/a\\,b', 'https://quay.example/a,b'],
    ['ATTACH;FMTTYPE=image/png;VALUE=BINARY;ENCODING=BASE64:iVBORw0KGgo=', null],
    ['ATTACH;VALUE=URI:CID:part3.quay.example', null],
  ])('of a picture counts: %s', (line, image) => {
    expect(one(START, line).image).toBe(image);
  });

  it('of a text may be any: it is text all the same', () => {
    const said = one(
      START.replace('193000', '193000'),
      'SUMMARY;VALUE=TEXT;LANGUAGE=en:Quay\\, Songs',
      'DESCRIPTION;VALUE=X-HTML:a\\nb',
    );
    expect(said).toMatchObject({ title: 'Quay, Songs', description: 'a\nb' });
  });
});
