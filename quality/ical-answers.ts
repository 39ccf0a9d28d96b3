/**
 * What others say that recorded calendars give: the tests beside each set, by file, for a span of time. Moments are days of whole-day
 * events, else instants.
 */

export interface KnownAnswer {
  /** Under `conformance/ical` or `events`. */
  file: string;
  from: string;
  until: string;
  starts: readonly string[];
}

const recurring = (name: string, from: string, until: string, starts: readonly string[]): KnownAnswer => ({
  file: `conformance/ical/python-recurring-ical-events/${name}.ics`,
  from,
  until,
  starts,
});
const nodeIcal = (name: string, from: string, until: string, starts: readonly string[]): KnownAnswer => ({
  file: `conformance/ical/node-ical-fixtures/${name}.ics`,
  from,
  until,
  starts,
});
const calagator = (name: string, starts: readonly string[]): KnownAnswer => ({
  file: `events/calagator-samples/${name}.ics`,
  from: '2000-01-01',
  until: '2021-01-01',
  starts,
});

export const KNOWN_ANSWERS: readonly KnownAnswer[] = [
  // Revisions, exceptions and changes of one series.
  recurring('issue_253_additional_recurrence_id', '2024-01-01', '2025-01-01', ['2024-07-01', '2024-07-15']),
  recurring('issue_253_edge_case_1', '2024-01-01', '2025-01-01', ['2024-07-01', '2024-07-15']),
  recurring('issue_148_ignored_exdate', '2024-01-01', '2025-01-01', ['2024-07-01', '2024-07-29']),
  recurring('issue_148_exdate_and_rdate_updated', '2024-07-01', '2024-07-31', ['2024-07-01', '2024-07-15', '2024-07-30']),
  recurring('issue_148_exdate_and_rdate_unedited', '2024-07-01', '2024-07-31', ['2024-07-01', '2024-07-17', '2024-07-29']),
  recurring('issue_148_edge_case_1', '2024-01-01', '2025-01-01', ['2024-07-01', '2024-07-29']),
  recurring('issue_148_edge_case_2', '2024-07-01', '2024-08-01', ['2024-07-01', '2024-07-02', '2024-07-29']),
  recurring('issue_62_moved_event', '2021-12-01', '2022-01-01', ['2021-12-17T20:30:00Z']),
  recurring('issue_62_moved_event_2', '2023-08-01', '2023-09-01', [
    '2023-08-08T04:00:00Z',
    '2023-08-10',
    '2023-08-14T04:00:00Z',
    '2023-08-16',
    '2023-08-22T04:00:00Z',
    '2023-08-24',
  ]),
  recurring('issue_75_range_parameter', '2024-09-11T13:00:00Z', '2024-09-26T00:00:00Z', [
    '2024-09-11T12:00:00Z',
    '2024-09-13T09:00:00Z',
    '2024-09-14T06:00:00Z',
    '2024-09-15T17:00:00Z',
    '2024-09-17T09:00:00Z',
    '2024-09-19T09:00:00Z',
    '2024-09-22T14:22:00Z',
    '2024-09-24T14:22:00Z',
  ]),
  recurring('issue_18_cancel_status', '2020-01-01', '2021-01-01', [
    '2020-01-28T21:00:00Z',
    '2020-01-29T21:00:00Z',
    '2020-01-30T21:00:00Z',
  ]),
  // UNTIL and COUNT as programs write them.
  recurring('issue_20_exdate_ignored', '2019-01-01', '2021-01-01', [
    '2019-10-29T15:15:00Z',
    '2019-11-12T15:15:00Z',
    '2019-12-10T15:15:00Z',
    '2020-01-07T15:15:00Z',
    '2020-01-14T15:15:00Z',
    '2020-01-21T15:15:00Z',
    '2020-01-28T15:15:00Z',
  ]),
  recurring('issue_117_until_before_dtstart', '1990-01-01', '2040-01-01', []),
  recurring('issue_128_only_first_event', '2023-01-01', '2026-01-01', [
    '2023-10-02',
    '2023-10-30',
    '2023-11-27',
    '2023-12-25',
    '2024-01-22',
    '2024-02-19',
    '2024-03-18',
  ]),
  // RDATE, and periods in it.
  recurring('rdate_hackerpublicradio', '2013-01-01', '2015-01-01', [
    '2013-08-03T19:00:00Z',
    '2013-08-31T19:00:00Z',
    '2013-10-05T19:00:00Z',
    '2013-11-02T19:00:00Z',
    '2013-11-30T19:00:00Z',
    '2014-01-04T19:00:00Z',
    '2014-02-01T19:00:00Z',
    '2014-03-01T19:00:00Z',
    '2014-04-05T19:00:00Z',
    '2014-05-03T19:00:00Z',
    '2014-05-31T19:00:00Z',
    '2014-07-05T19:00:00Z',
  ]),
  recurring('rdate', '2015-07-05', '2015-07-06', []),
  recurring('rdate', '2025-07-05', '2025-07-06', []),
  recurring('issue_113_period_in_rdate', '2023-12-13', '2023-12-14', ['2023-12-13T20:00:00Z']),
  // Zones.
  recurring('issue_86_x_wr_timezone_without_time_zone_in_dt', '2021-09-01', '2021-10-01', ['2021-09-16T19:00:00Z']),
  recurring('x_wr_timezone_simple_events_issue_59', '2021-12-01', '2022-01-01', ['2021-12-22T17:00:00Z', '2021-12-23T02:00:00Z']),
  recurring('issue_48_dst', '2020-12-11T14:00:00Z', '2020-12-11T21:00:00Z', [
    '2020-12-11T14:15:00Z',
    '2020-12-11T16:15:00Z',
    '2020-12-11T18:30:00Z',
    '2020-12-11T20:15:00Z',
  ]),
  nodeIcal('bad_ms_tz', '2020-08-01', '2020-08-26', ['2020-08-25T14:35:00Z']),
  nodeIcal('exchange-custom-tz', '2019-01-01', '2020-01-01', ['2019-04-30T02:00:00Z']),
  nodeIcal('multi-era-vtimezone', '1980-01-01', '2030-01-01', ['1985-10-15T18:00:00Z', '2025-06-10T18:00:00Z']),
  nodeIcal('meetup-timed-tz', '2011-01-01', '2012-01-01', ['2011-11-10T02:00:00Z']),
  nodeIcal('yearly-party', '2022-01-01', '2023-01-01', ['2022-07-14T12:00:00Z', '2022-07-15T12:00:00Z']),
  nodeIcal('mixed-timezone-handling', '2002-01-01', '2003-01-01', [
    '2002-10-28',
    '2002-10-28',
    '2002-10-28T01:20:30Z',
    '2002-10-28T06:20:30Z',
    '2002-10-28T09:20:30Z',
  ]),
  // SEQUENCE, whatever stands first.
  nodeIcal('duplicate-uid-sequence', '2024-01-01', '2025-01-01', ['2024-01-15T10:00:00Z', '2024-01-20T14:00:00Z']),
  nodeIcal('duplicate-rrule-sequence', '2024-01-01', '2024-01-02', ['2024-01-01T10:00:00Z']),
  nodeIcal('recurrence-sequence', '2024-01-02', '2024-01-05', [
    '2024-01-02T14:00:00Z',
    '2024-01-03T15:00:00Z',
    '2024-01-04T09:00:00Z',
    '2024-01-04T10:00:00Z',
    '2024-01-04T15:00:00Z',
  ]),
  nodeIcal('google-calendar-kiev-tz', '2016-08-26', '2016-08-27', ['2016-08-26T11:00:00Z']),
  nodeIcal('google-recurrence-order', '2026-02-10', '2026-02-13', [
    '2026-02-10T17:00:00Z',
    '2026-02-11T17:30:00Z',
    '2026-02-12T17:00:00Z',
  ]),
  // The samples of a city's calendar.
  calagator('ical_apple_v3', ['2010-04-08T07:00:00Z']),
  calagator('ical_basic', ['2007-01-17']),
  calagator('ical_basic_with_duration', ['2010-04-08T04:00:00Z']),
  calagator('ical_gmt', ['2020-05-07T08:00:00Z']),
  calagator('ical_z', ['2010-07-01T08:00:00Z']),
  calagator('ical_multiple_calendars', ['2010-04-08T07:00:00Z', '2010-04-08T07:00:00Z', '2010-04-08T07:00:00Z']),
];
