import { describe, expect, it } from 'vitest';
import type { NormalEvent } from '../../src/facts/index.ts';
import { normal } from './listing.ts';

const times = (said: Parameters<typeof normal>[0]) => {
  const event = normal(said) as NormalEvent;
  const iso = (instant: number | null) => instant && new Date(instant).toISOString().replace('.000Z', 'Z');
  return [iso(event.startsAt), iso(event.endsAt), event.localStart, event.precision, ...event.repairs];
};

describe('the start of an event', () => {
  it.each<[string, object, string, string]>([
    ['a wall clock', { start: '2026-06-20T20:00:00' }, '2026-06-21T00:00:00Z', '2026-06-20T20:00'],
    ['a clock with an offset', { start: '2026-06-20T20:00:00-07:00' }, '2026-06-21T03:00:00Z', '2026-06-20T23:00'],
    ['an offset without a colon', { start: '2026-06-20T20:00:00-0400' }, '2026-06-21T00:00:00Z', '2026-06-20T20:00'],
    ['UTC', { start: '2026-06-21T00:00:00Z' }, '2026-06-21T00:00:00Z', '2026-06-20T20:00'],
    ['a zone', { start: '2026-06-20T20:00', zone: 'Europe/Paris' }, '2026-06-20T18:00:00Z', '2026-06-20T14:00'],
    ['an offset before a zone', { start: '2026-06-20T20:00Z', zone: 'Europe/Paris' }, '2026-06-20T20:00:00Z', '2026-06-20T16:00'],
    ['an hour that happens twice', { start: '2026-11-01T01:30:00' }, '2026-11-01T05:30:00Z', '2026-11-01T01:30'],
  ])('is read from %s', (_, said, instant, local) => {
    expect(times(said)).toEqual([instant, null, local, 'time']);
  });

  it('that does not exist takes the offset before the gap', () => {
    expect(times({ start: '2027-03-14T02:30:00' })).toEqual([
      '2027-03-14T07:30:00Z',
      null,
      '2027-03-14T03:30',
      'time',
      'time_adjusted',
    ]);
  });

  it.each([
    ['2027-03-14T02:15', '2027-03-14T02:45', '2027-03-14T07:15:00Z', '2027-03-14T07:45:00Z'],
    ['2027-03-14T01:30', '2027-03-14T02:30', '2027-03-14T06:30:00Z', '2027-03-14T07:30:00Z'],
    ['2027-03-14T02:30', '2027-03-14T03:15', '2027-03-14T07:30:00Z', '2027-03-14T08:15:00Z'],
    ['2027-03-14T02:30', '2027-03-14T04:30', '2027-03-14T07:30:00Z', '2027-03-14T08:30:00Z'],
  ])('in the gap from %s to %s ends after it starts', (start, end, from, until) => {
    expect(times({ start, end }).slice(0, 2)).toEqual([from, until]);
  });

  it('in a zone or offset that does not exist is the city’s', () => {
    expect(times({ start: '2026-06-20T20:00', zone: 'Mars/Olympus' })[4]).toBe('zone_ignored');
    expect(times({ start: '2026-06-20T20:00+23:00' })).toEqual([
      '2026-06-21T00:00:00Z',
      null,
      '2026-06-20T20:00',
      'time',
      'offset_ignored',
    ]);
  });

  it('is a day where no hour is given, and never midnight', () => {
    expect(times({ start: '2026-06-20' })).toEqual(['2026-06-20T04:00:00Z', null, '2026-06-20T00:00', 'date']);
    expect(times({ start: '2026-06-20T00:00:00' }).slice(2)).toEqual(['2026-06-20T00:00', 'date', 'midnight_unknown']);
    expect(times({ start: '2026-06-20T00:00:00', title: 'Midnight Screening' })[3]).toBe('time');
    expect(times({ start: '2026-06-20T00:00:00', end: '2026-06-20T05:00:00' })[3]).toBe('time');
  });

  it('is a day where the provider is known to print an hour it does not know', () => {
    expect(times({ start: '2026-06-20T19:30:00', sources: ['TodayTix'] }).slice(2)).toEqual([
      '2026-06-20T00:00',
      'date',
      'placeholder_time',
    ]);
    expect(times({ start: '2026-06-20T20:00:00', sources: ['TodayTix'] })[3]).toBe('time');
  });

  it.each<[string | null, string]>([
    [null, 'start: no_start'],
    [' ', 'start: no_start'],
    ['1900-01-01', 'start: no_start'],
    ['1970-01-01T00:00:00Z', 'start: no_start'],
    ['nullT19:30:00', 'start: bad_start'],
    ['2026-02-30', 'start: bad_start'],
    ['2019-9-13T10-10-00-00', 'start: bad_start'],
    ['2026-06-20T25:00', 'start: bad_start'],
    ['1970-06-01', 'start: too_long_ago'],
    ['2024-06-01T20:00', 'start: too_long_ago'],
    ['9999-12-31T23:59:59', 'start: too_far_ahead'],
    ['2040-06-01', 'start: too_far_ahead'],
  ])('%j is refused: %s', (start, refusal) => {
    expect(normal({ start })).toBe(refusal);
  });
});

describe('the end of an event', () => {
  it.each<[string, object, unknown[]]>([
    ['is kept', { end: '2026-06-20T23:00:00' }, ['2026-06-21T03:00:00Z']],
    [
      'before the start is the next morning',
      { start: '2026-06-20T22:00', end: '2026-06-20T04:00' },
      ['2026-06-21T08:00:00Z', 'end_next_day'],
    ],
    ['before the start by more than a night is unknown', { end: '2026-06-20T09:00' }, [null, 'end_dropped']],
    ['days before the start is unknown', { end: '2026-06-10T21:00' }, [null, 'end_dropped']],
    ['at the start is unknown', { end: '2026-06-20T20:00:00' }, [null, 'end_dropped']],
    ['that is the day of the start alone is unknown', { end: '2026-06-20' }, [null]],
    ['that is a later day is the end of that day', { end: '2026-06-22' }, ['2026-06-23T04:00:00Z']],
    ['that cannot be read is unknown', { end: 'late' }, [null]],
    ['of a day without hours is the end of the last one', { start: '2026-06-20', end: '2026-06-22' }, ['2026-06-23T04:00:00Z']],
    ['on a day without hours is unknown', { start: '2026-06-20', end: '2026-06-20T22:00' }, [null]],
    [
      'over the change of clocks is an hour later',
      { start: '2026-10-31T23:00', end: '2026-10-31T03:00' },
      ['2026-11-01T08:00:00Z', 'end_next_day'],
    ],
  ])('%s', (_, said, [end, ...repairs]) => {
    const [, endsAt, , , ...found] = times(said);
    expect([endsAt, ...found]).toEqual([end, ...repairs]);
  });

  it('of whole days is the midnight after the last one', () => {
    const day = { start: '2026-06-20', isAllDay: true };
    expect(times(day)).toEqual(['2026-06-20T04:00:00Z', '2026-06-21T04:00:00Z', '2026-06-20T00:00', 'all_day']);
    expect(times({ ...day, end: '2026-06-22' })[1]).toBe('2026-06-23T04:00:00Z');
    expect(times({ start: '2026-06-20T00:00', end: '2026-06-20T23:59:59' }).slice(1)).toEqual([
      '2026-06-21T04:00:00Z',
      '2026-06-20T00:00',
      'all_day',
      'midnight_all_day',
    ]);
    expect(times({ ...day, start: '2026-11-01' }).slice(0, 2)).toEqual(['2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z']);
  });

  it('fifty years after the start is refused', () => {
    expect(normal({ end: '2076-06-20T20:00' })).toBe('end: too_long');
    expect(normal({ end: '9999-12-31' })).toBe('end: too_long');
  });
});
