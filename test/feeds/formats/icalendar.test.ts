import ICAL from 'ical.js';
import { describe, expect, it, vi } from 'vitest';
import { EVENT_FORMS, type ListFacts, MAX_CALENDAR_EVENTS, type ServedEvent, writeForm } from '../../../src/feeds/index.ts';
import { eventRecord, LIST } from './made-records.ts';

const write = (records: readonly ServedEvent[], list: ListFacts = LIST) => writeForm(EVENT_FORMS.ics, list, records).toString();
const parse = (text: string) => new ICAL.Component(ICAL.parse(text));
const statusOf = (record: ServedEvent) =>
  parse(write([record]))
    .getFirstSubcomponent('vevent')
    ?.getFirstPropertyValue('status');

describe('a calendar', () => {
  it('has every line of one event as RFC 5545 writes it', () => {
    const event = eventRecord({ title: 'Jazz, blues; and \\ more', description: 'First.\nSecond.', revision: 4 });
    const text = write([event]).replaceAll('\r\n ', '').split('\r\n');
    const begin = text.indexOf('BEGIN:VEVENT');
    expect(text.slice(begin, text.indexOf('END:VEVENT') + 1)).toEqual([
      'BEGIN:VEVENT',
      'UID:019a0000-0000-7000-8000-000000000001',
      'DTSTAMP:20261101T093000Z',
      'LAST-MODIFIED:20261101T093000Z',
      'SEQUENCE:4',
      'DTSTART:20261122T020000Z',
      'DTEND:20261122T043000Z',
      'STATUS:CONFIRMED',
      'TRANSP:TRANSPARENT',
      'SUMMARY:Jazz\\, blues\\; and \\\\ more',
      'DESCRIPTION:First.\\nSecond.\\n\\nhttps://events.example/events/noon-concert',
      'LOCATION:Harbor Hall\\, 8 Quay St',
      'GEO:41.881832;-87.623177',
      'CATEGORIES:concert',
      'URL:https://events.example/events/noon-concert',
      'IMAGE;VALUE=URI;DISPLAY=BADGE:https://cdn.example/a%20b.jpg',
      'END:VEVENT',
    ]);
  });

  it('tells programs its name, its address and how often to ask', () => {
    const calendar = parse(write([]));
    const told = (name: string) => String(calendar.getFirstPropertyValue(name));
    expect(told('version')).toBe('2.0');
    expect(told('name')).toBe('Events in Port Alder');
    expect(told('x-wr-calname')).toBe('Events in Port Alder');
    expect(told('x-wr-timezone')).toBe('America/Chicago');
    expect(told('source')).toBe(LIST.selfUrl);
    expect(told('refresh-interval')).toBe('PT60M');
    expect(told('x-published-ttl')).toBe('PT60M');
    expect(told('last-modified')).toBe('2026-11-01T09:30:00Z');
  });

  it('holds 2,000 events at most, and its description says so', () => {
    const events = Array.from({ length: MAX_CALENDAR_EVENTS + 5 }, (_, n) => eventRecord({ id: `event-${n}` }));
    const calendar = parse(write(events, { ...LIST, maxRecords: MAX_CALENDAR_EVENTS }));
    expect(calendar.getAllSubcomponents('vevent')).toHaveLength(2_000);
    expect(calendar.getFirstPropertyValue('description')).toBe('Upcoming events. At most 2,000 events; 5,312 match.');
    // Of a type that the reader does not know: as it stands.
    expect(calendar.getFirstPropertyValue('x-wr-caldesc')).toBe('Upcoming events. At most 2\\,000 events\\; 5\\,312 match.');
  });

  it.each([
    ['scheduled', 'CONFIRMED'],
    ['rescheduled', 'CONFIRMED'],
    ['sold_out', 'CONFIRMED'],
    ['postponed', 'TENTATIVE'],
    ['cancelled', 'CANCELLED'],
  ] as const)('shows %s as %s', (status, expected) => {
    expect(statusOf(eventRecord({ status }))).toBe(expected);
  });

  it.each([
    ['a known hour', 'time', '2026-11-21T20:00:00-06:00', null, 'DTSTART:20261122T020000Z', null],
    [
      'an end that is the start',
      'time',
      '2026-11-21T20:00:00-06:00',
      '2026-11-21T20:00:00-06:00',
      'DTSTART:20261122T020000Z',
      null,
    ],
    ['a day whose hour is unknown', 'date', '2026-11-21T00:00:00-06:00', null, 'DTSTART;VALUE=DATE:20261121', null],
    [
      'one whole day',
      'all_day',
      '2026-11-21T00:00:00-06:00',
      '2026-11-22T00:00:00-06:00',
      'DTSTART;VALUE=DATE:20261121',
      'DTEND;VALUE=DATE:20261122',
    ],
    [
      'whole days over the change of clocks and of the year',
      'all_day',
      '2026-10-30T00:00:00-05:00',
      '2027-01-01T00:00:00-06:00',
      'DTSTART;VALUE=DATE:20261030',
      'DTEND;VALUE=DATE:20270101',
    ],
    [
      'days that end at an hour',
      'date',
      '2026-11-21T00:00:00-06:00',
      '2026-11-23T17:00:00-06:00',
      'DTSTART;VALUE=DATE:20261121',
      'DTEND;VALUE=DATE:20261124',
    ],
  ] as const)('writes the time of %s', (_case, startPrecision, startDatetime, endDatetime, start, end) => {
    const text = write([eventRecord({ startPrecision, startDatetime, endDatetime })]).split('\r\n');
    expect(text.filter((line) => line.startsWith('DTSTART'))).toEqual([start]);
    expect(text.filter((line) => line.startsWith('DTEND'))).toEqual(end === null ? [] : [end]);
  });

  it('is the same text whenever it is written', () => {
    const events = [eventRecord(), eventRecord({ id: 'other', status: 'cancelled' })];
    const written = write(events);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 400 * 86_400_000 });
    try {
      expect(write(events)).toBe(written);
    } finally {
      vi.useRealTimers();
    }
  });

  it('folds every line at 75 octets between characters', () => {
    for (const letter of ['a', 'ä', '時', '🎷', 'a🎷', ' ', '\u0301e']) {
      for (const length of [1, 24, 25, 36, 37, 67, 68, 69, 74, 75, 76, 300]) {
        const title = letter.repeat(length);
        const text = write([eventRecord({ title })]);
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(line).not.toContain('\ufffd');
          expect(line.isWellFormed()).toBe(true);
        }
        expect(parse(text).getFirstSubcomponent('vevent')?.getFirstPropertyValue('summary')).toBe(title);
      }
    }
  });
});
