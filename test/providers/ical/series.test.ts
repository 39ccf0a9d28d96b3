import { describe, expect, it } from 'vitest';
import { eventsIn, fates } from '../../support/fakes/provider.ts';
import { calendar, ids, one, read, reasons, times } from './calendar.ts';

const ZONE = 'TZID=America/New_York';
const START = `DTSTART;${ZONE}:20260701T190000`;
const END = `DTEND;${ZONE}:20260701T210000`;
const starts = (...lines: string[]) => times(read(calendar([START, ...lines])));
const WEEKS = ['2026-07-01T19:00:00', '2026-07-08T19:00:00', '2026-07-15T19:00:00', '2026-07-22T19:00:00'] as const;

describe('a series', () => {
  it('is listed time by time, each with an id of its own that names the series', () => {
    const page = read(calendar(['UID:jam@quay', START, END, 'RRULE:FREQ=WEEKLY;COUNT=2', 'SUMMARY:Jam']));
    expect(eventsIn(page)).toMatchObject([
      { externalId: 'jam@quay@20260701T190000', seriesId: 'jam@quay', start: WEEKS[0], end: '2026-07-01T21:00:00', title: 'Jam' },
      { externalId: 'jam@quay@20260708T190000', seriesId: 'jam@quay', start: WEEKS[1], end: '2026-07-08T21:00:00', title: 'Jam' },
    ]);
    const utc = ['UID:u', 'DTSTART:20260701T230000Z', 'RRULE:FREQ=WEEKLY;COUNT=1'];
    const days = ['UID:d', 'DTSTART;VALUE=DATE:20260701', 'RRULE:FREQ=WEEKLY;COUNT=1'];
    expect(ids(read(calendar(utc, days)))).toEqual(['d@20260701', 'u@20260701T230000Z']);
  });

  it('is listed inside the window only, with what began before it and still goes on', () => {
    const page = read(calendar(['DTSTART;VALUE=DATE:20200101', 'DURATION:P10D', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=10']));
    expect(times(page)).toHaveLength(14);
    expect(times(page)[0]).toBe('2026-06-10 → 2026-06-19');
    expect(times(page).at(-1)).toBe('2027-07-10 → 2027-07-19');
  });

  it.each([
    ['EXDATE in the zone of the series', [`EXDATE;${ZONE}:20260708T190000`]],
    ['EXDATE in UTC', ['EXDATE:20260708T230000Z']],
    ['EXDATE in another zone', ['EXDATE;TZID=Europe/Paris:20260709T010000']],
    ['EXDATE without a zone', ['EXDATE:20260708T190000']],
    ['EXDATE of the whole day', ['EXDATE;VALUE=DATE:20260708']],
    ['EXDATE in a list', [`EXDATE;${ZONE}:20260101T190000,20260708T190000,`]],
  ])('leaves out what is excepted: %s', (_, lines) => {
    expect(starts('RRULE:FREQ=WEEKLY;COUNT=4', ...lines)).toEqual([WEEKS[0], WEEKS[2], WEEKS[3]]);
  });

  it('leaves out what a rule of exceptions gives, as old calendars have it', () => {
    expect(starts('RRULE:FREQ=WEEKLY;COUNT=4', 'EXRULE:FREQ=WEEKLY;INTERVAL=2')).toEqual([WEEKS[1], WEEKS[3]]);
  });

  it.each([
    ['midnight UTC', 'EXDATE:20260708T000000Z'],
    ['midnight of the city, in UTC', 'EXDATE:20260708T040000Z'],
    ['midnight elsewhere', 'EXDATE;TZID=Europe/Paris:20260708T000000'],
  ])('leaves out a whole day that is excepted at %s', (_, except) => {
    const page = read(calendar(['DTSTART;VALUE=DATE:20260701', 'RRULE:FREQ=WEEKLY;COUNT=3', except]));
    expect(times(page)).toEqual(['2026-07-01', '2026-07-15']);
  });

  it.each([
    ['in UTC', '20260715T230000Z', 3],
    ['in UTC, a second early', '20260715T225959Z', 2],
    ['as a date', '20260715', 3],
    ['in local time', '20260715T190000', 3],
    ['in local time, early', '20260715T185959', 2],
  ])('ends with its UNTIL %s', (_, until, count) => {
    expect(starts(`RRULE:FREQ=WEEKLY;UNTIL=${until}`)).toEqual(WEEKS.slice(0, count));
  });

  it.each([
    ['as a date', '20260715'],
    ['at midnight UTC of the day', '20260715T000000Z'],
    ['at midnight of the city, in UTC', '20260715T040000Z'],
  ])('of whole days ends with its UNTIL %s', (_, until) => {
    const page = read(calendar(['DTSTART;VALUE=DATE:20260701', `RRULE:FREQ=WEEKLY;UNTIL=${until}`]));
    expect(times(page)).toEqual(['2026-07-01', '2026-07-08', '2026-07-15']);
  });

  it('is over before it begins when its UNTIL says so', () => {
    expect(fates(read(calendar([START, 'RRULE:FREQ=WEEKLY;UNTIL=20260601T000000Z'])))).toEqual(['dropped']);
  });

  it('takes in dates and periods of its RDATE, each once', () => {
    const found = starts(
      END,
      'RRULE:FREQ=WEEKLY;COUNT=1',
      `RDATE;${ZONE}:20260701T190000,20260703T120000`,
      'RDATE;VALUE=PERIOD:20260704T160000Z/PT45M,20260705T160000Z/20260705T183000Z',
      'RDATE;VALUE=DATE:',
    );
    expect(found).toEqual([
      '2026-07-01T19:00:00 → 2026-07-01T21:00:00',
      '2026-07-03T12:00:00 → 2026-07-03T14:00:00',
      '2026-07-04T12:00:00 → 2026-07-04T12:45:00',
      '2026-07-05T12:00:00 → 2026-07-05T14:30:00',
    ]);
  });

  it('may have several rules', () => {
    expect(starts('RRULE:FREQ=WEEKLY;COUNT=2', 'RRULE:FREQ=DAILY;COUNT=2')).toEqual([WEEKS[0], '2026-07-02T19:00:00', WEEKS[1]]);
  });

  it('lasts as long on every day, also when the clocks change, if it has an end', () => {
    const overnight = (...end: string[]) =>
      times(read(calendar([`DTSTART;${ZONE}:20261024T220000`, ...end, 'RRULE:FREQ=WEEKLY;COUNT=2'])));
    // On November 1 the hour from 1 to 2 comes twice.
    expect(overnight(`DTEND;${ZONE}:20261025T040000`)[1]).toBe('2026-10-31T22:00:00 → 2026-11-01T03:00:00');
    expect(overnight('DURATION:PT6H')[1]).toBe('2026-10-31T22:00:00 → 2026-11-01T03:00:00');
    expect(overnight('DURATION:P1D')[1]).toBe('2026-10-31T22:00:00 → 2026-11-01T22:00:00');
    expect(overnight('DURATION:PT4H30M')[1]).toBe('2026-10-31T22:00:00 → 2026-11-01T01:30:00-05:00');
    expect(overnight('DURATION:PT3H30M')[1]).toBe('2026-10-31T22:00:00 → 2026-11-01T01:30:00');
  });

  it('lists the first of too many times, and says that there are more', () => {
    const page = read(calendar([START, 'RRULE:FREQ=HOURLY'], ['UID:other', START]));
    expect(eventsIn(page)).toHaveLength(751);
    expect(reasons(page)).toEqual(['RRULE: the rule gives more than 750 times; the first 750 are listed']);
    expect(ids(page)).toContain('other');
  });
});

describe('a change of a series', () => {
  const SERIES = ['UID:jam', START, END, 'RRULE:FREQ=WEEKLY;COUNT=4', 'SUMMARY:Jam', 'SEQUENCE:1'] as const;
  const changed = (...lines: string[]) => read(calendar(SERIES, ['UID:jam', ...lines]));
  const OF_JULY_8 = `RECURRENCE-ID;${ZONE}:20260708T190000`;

  it('moves one time of it, whose id stays', () => {
    const page = changed(OF_JULY_8, `DTSTART;${ZONE}:20260709T203000`, 'SUMMARY:Late Jam');
    expect(times(page)).toEqual([
      '2026-07-01T19:00:00 → 2026-07-01T21:00:00',
      '2026-07-09T20:30:00',
      '2026-07-15T19:00:00 → 2026-07-15T21:00:00',
      '2026-07-22T19:00:00 → 2026-07-22T21:00:00',
    ]);
    const moved = eventsIn(page).find(({ title }) => title === 'Late Jam');
    expect(moved).toMatchObject({ externalId: 'jam@20260708T190000', seriesId: 'jam' });
  });

  it.each([
    ['in UTC', 'RECURRENCE-ID:20260708T230000Z'],
    ['in another zone', 'RECURRENCE-ID;TZID=Europe/Paris:20260709T010000'],
    ['without a zone', 'RECURRENCE-ID:20260708T190000'],
    ['as a day', 'RECURRENCE-ID;VALUE=DATE:20260708'],
  ])('names the time %s', (_, id) => {
    const page = changed(id, START.replace('0701', '0709'), 'SUMMARY:Late Jam');
    expect(ids(page)).toEqual(['jam@20260701T190000', 'jam@20260708T190000', 'jam@20260715T190000', 'jam@20260722T190000']);
    expect(times(page)).toContain('2026-07-09T19:00:00');
  });

  it('cancels one time of it', () => {
    const page = changed(OF_JULY_8, START.replace('0701', '0708'), 'STATUS:CANCELLED');
    expect(eventsIn(page).map(({ externalId, status }) => [externalId, status])).toContainEqual([
      'jam@20260708T190000',
      'cancelled',
    ]);
    expect(eventsIn(page)).toHaveLength(4);
  });

  it('may move a time into the window, and out of it', () => {
    const old = ['UID:old', `DTSTART;${ZONE}:20250101T190000`, 'RRULE:FREQ=WEEKLY;COUNT=2'];
    const into = ['UID:old', `RECURRENCE-ID;${ZONE}:20250108T190000`, START];
    expect(ids(read(calendar(old, into)))).toEqual(['old@20250108T190000']);
    expect(times(changed(OF_JULY_8, 'DTSTART:20300101T000000Z'))).toHaveLength(3);
  });

  it('holds from its time on where it says so, also after other changes', () => {
    const page = read(
      calendar(
        SERIES,
        [
          'UID:jam',
          `RECURRENCE-ID;RANGE=THISANDFUTURE;${ZONE}:20260708T190000`,
          `DTSTART;${ZONE}:20260709T200000`,
          'DURATION:PT1H',
          'SUMMARY:Thursday Jam',
        ],
        ['UID:jam', `RECURRENCE-ID;${ZONE}:20260715T190000`, `DTSTART;${ZONE}:20260717T180000`, 'SUMMARY:Friday Jam'],
      ),
    );
    expect(
      eventsIn(page)
        .map(({ externalId, start, title }) => `${externalId} ${start} ${title}`)
        .sort(),
    ).toEqual([
      'jam@20260701T190000 2026-07-01T19:00:00 Jam',
      'jam@20260708T190000 2026-07-09T20:00:00 Thursday Jam',
      'jam@20260715T190000 2026-07-17T18:00:00 Friday Jam',
      'jam@20260722T190000 2026-07-23T20:00:00 Thursday Jam',
    ]);
  });

  it('counts by its latest account, and not where the newer series has taken it back', () => {
    const first = [OF_JULY_8, START.replace('0701', '0709')];
    const second = [OF_JULY_8, START.replace('0701', '0710')];
    const both = read(calendar(SERIES, ['UID:jam', ...second, 'SEQUENCE:3'], ['UID:jam', ...first, 'SEQUENCE:2']));
    expect(times(both)).toContain('2026-07-10T19:00:00');
    expect(times(both)).toHaveLength(4);
    const takenBack = read(calendar([...SERIES, `EXDATE;${ZONE}:20260708T190000`], ['UID:jam', ...first, 'SEQUENCE:0']));
    expect(times(takenBack)).toHaveLength(3);
    const ofAnother = read(
      calendar(SERIES, ['UID:jam', START.replace('0701', '0911'), `RECURRENCE-ID;${ZONE}:20260910T190000`, 'SEQUENCE:0']),
    );
    expect(times(ofAnother)).toHaveLength(4);
    const added = read(
      calendar(SERIES, ['UID:jam', START.replace('0701', '0911'), `RECURRENCE-ID;${ZONE}:20260910T190000`, 'SEQUENCE:1']),
    );
    expect(times(added)).toHaveLength(5);
  });

  it('is listed alone where its series is not in the file, or cannot be followed', () => {
    const change = ['UID:jam', OF_JULY_8, START.replace('0701', '0709')];
    for (const series of [[], [['UID:jam', START, 'RRULE:FREQ=NEVER']], [['UID:jam', START, 'RRULE:FREQ=SECONDLY']]])
      expect(ids(read(calendar(...series, change)))).toEqual(['jam@20260708T190000']);
  });
});

describe('one UID of several events', () => {
  it('is one event where SEQUENCE tells which counts', () => {
    const page = read(calendar([START, 'SEQUENCE:1', 'SUMMARY:Old'], [START.replace('T19', 'T20'), 'SEQUENCE:2', 'SUMMARY:New']));
    expect(eventsIn(page)).toMatchObject([{ externalId: 'quay-1', title: 'New', start: '2026-07-01T20:00:00' }]);
    expect(fates(page)).toEqual(['dropped', 'listed']);
  });

  it('is one event of one start that was written again', () => {
    const page = read(
      calendar([START, 'LAST-MODIFIED:20260102T000000Z', 'SUMMARY:New'], [START, 'LAST-MODIFIED:20260101T000000Z']),
    );
    expect(eventsIn(page)).toMatchObject([{ externalId: 'quay-1', title: 'New' }]);
  });

  it('is several events where the program gave it to all of them', () => {
    const page = read(calendar([START], [START.replace('0701', '0702')], [START.replace('0701', '0703'), 'SUMMARY:Other']));
    expect(ids(page)).toEqual(['quay-1@20260701T190000', 'quay-1@20260702T190000', 'quay-1@20260703T190000']);
    expect(eventsIn(page).every(({ seriesId }) => seriesId === 'quay-1')).toBe(true);
  });
});

describe('the ids of a calendar', () => {
  it('are given once, even where series of one UID meet', () => {
    const page = read(
      calendar([START, 'RRULE:FREQ=WEEKLY;COUNT=3'], [START.replace('0701', '0708'), 'RRULE:FREQ=WEEKLY;COUNT=3']),
    );
    expect(ids(page)).toEqual(WEEKS.map((start) => `quay-1@${start.replace(/[-:]/g, '')}`));
  });
});

describe('the bytes of an event', () => {
  it('are counted once, however often it takes place', () => {
    const { listings } = read(calendar([START, 'RRULE:FREQ=DAILY;COUNT=3']));
    expect(listings.map(({ bytes }) => bytes > 0)).toEqual([true, false, false]);
    expect(one(START).externalId).toBe('quay-1');
  });
});
