import { beforeAll, describe, expect, it } from 'vitest';
import {
  compareAnswers,
  compareTitles,
  holds,
  ICAL_DATA,
  type ReadCalendar,
  readCalendars,
  readRuleCases,
} from '../../../quality/ical.ts';

/** Of a processor; ten times what the slowest takes on an idle machine. */
const MAX_MILLISECONDS = 2_000;
const SETS = {
  'ical4j-samples/valid': 81,
  'ical4j-samples/invalid': 22,
  'ical4j-samples/hcalendar': 2,
  icalendar: 159,
  'libical-test-data': 84,
  'node-ical-fixtures': 51,
  'python-recurring-ical-events': 95,
} as const;

describe.skipIf(ICAL_DATA.missing)('the recurrence cases of libical', () => {
  it('hold, all 146 of them', () => {
    const cases = readRuleCases();
    expect(cases).toHaveLength(146);
    expect(cases.filter((each) => !holds(each))).toEqual([]);
  });
});

describe.skipIf(ICAL_DATA.missing)('the calendars that other programs are tested with', () => {
  let files: ReadCalendar[] = [];
  beforeAll(() => {
    files = readCalendars();
  });
  const of = (set: string) => files.filter(({ file }) => file.startsWith(`${set}/`));

  it('are all seen', () => {
    expect(Object.fromEntries(Object.keys(SETS).map((set) => [set, of(set).length]))).toEqual(SETS);
    expect(files).toHaveLength(Object.values(SETS).reduce((sum, count) => sum + count, 0));
  });

  it('are read when they are valid, but for one that was damaged', () => {
    const refused = of('ical4j-samples/valid').filter(({ refusal }) => refusal !== null);
    // Somebody replaced bytes of its Japanese text by question marks: 17 of 584 characters are lost.
    expect(refused.map(({ file, refusal }) => [file, refusal])).toEqual([['ical4j-samples/valid/1106817412.ics', 'garbled']]);
  });

  it('are refused for one reason otherwise: there is no calendar in them, or their bytes are no text', () => {
    const refused = files.filter(({ refusal, file }) => refusal !== null && !file.includes('/valid/'));
    expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set(['not_of_the_kind', 'garbled']));
    expect(refused).toHaveLength(64);
    const garbled = refused.filter(({ refusal }) => refusal === 'garbled').map(({ file }) => file);
    expect(garbled.filter((file) => !/fuzz|malloc|poc-|Index_Error/.test(file))).toEqual([]);
  });

  it('give a reason for every record that they do not give', () => {
    const wanting = files.filter(({ reasons }) => reasons.length > 0);
    expect(wanting.length).toBeGreaterThan(100);
    expect(wanting.flatMap(({ reasons }) => reasons).filter((reason) => reason.length < 10)).toEqual([]);
  });

  it('cost little time, fuzz or not', () => {
    expect(files.filter(({ milliseconds }) => milliseconds > MAX_MILLISECONDS)).toEqual([]);
  });
});

describe.skipIf(ICAL_DATA.missing)('what the tests of other programs say of their calendars', () => {
  it('is what is read from them', () => {
    const answers = compareAnswers();
    expect(answers.length).toBeGreaterThan(35);
    expect(answers.map(({ file, given }) => ({ file, starts: given }))).toEqual(
      answers.map(({ file, expected }) => ({ file, starts: expected })),
    );
  });
});

describe.skipIf(ICAL_DATA.missing)('recorded calendars of cities', () => {
  it.each([
    ['chicago-city-scrapers/files/chi_low_income_housing_trust_fund.ics', 30],
    ['calagator-samples/ical_eventful_many.ics', 15],
    ['calagator-samples/ical_upcoming_many.ics', 20],
    ['calagator-samples/ical_multiple_calendars.ics', 3],
  ])('give every event with its title: %s', (file, count) => {
    const { ours, written } = compareTitles(file);
    expect(ours).toEqual(written);
    expect(ours).toHaveLength(count);
  });
});
