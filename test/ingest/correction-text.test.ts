import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatHours, readCorrectionText } from '../../src/ingest/index.ts';
import { codePoint } from '../support/records/code-point.ts';

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];

it.each([
  ['event', 'price', 'free', { isFree: true }],
  ['event', 'price', 'unknown', { isFree: false }],
  ['event', 'price', '12', { isFree: false, priceMin: 12, priceMax: 12 }],
  ['event', 'price', '12.50 – 20', { isFree: false, priceMin: 12.5, priceMax: 20 }],
  ['event', 'price', 'twelve', 'twelve'],
  ['event', 'priceMin', '12.50', 12.5],
  ['event', 'priceMax', 'none', null],
  ['event', 'priceMax', '$12', '$12'],
  ['event', 'isFree', 'No', false],
  ['event', 'isFree', 'true', true],
  ['event', 'endDatetime', 'none', null],
  ['venue', 'isVerified', 'yes', true],
  ['venue', 'transitNearby', 'Line 4, Line 5', ['Line 4', 'Line 5']],
  ['venue', 'openingHours', '', null],
  ['venue', 'latitude', '40.5', 40.5],
  ['event', 'performers', ' Ann , Bo,, ', ['Ann', 'Bo']],
  ['event', 'tags', 'none', []],
  ['event', 'links', 'none', []],
  ['event', 'links', ' dice https://dice.example/e/1,2 ', [{ provider: 'dice', url: 'https://dice.example/e/1,2' }]],
  [
    'event',
    'links',
    'dice https://dice.example/1, box office https://hall.example/\n\nhttps://www.hall.example/x',
    [
      { provider: 'dice', url: 'https://dice.example/1' },
      { provider: 'box office', url: 'https://hall.example/' },
      { provider: 'hall.example', url: 'https://www.hall.example/x' },
    ],
  ],
  ['event', 'links', 'tickets at the door', [{ provider: 'tickets at the', url: 'door' }]],
  ['event', 'description', 'none', null],
  ['event', 'description', ' two\n lines', ' two\n lines'],
  ['event', 'title', ' None ', 'None'],
  ['venue', 'name', 'none', 'none'],
  ['venue', 'coordinates', '40.7, -74', { latitude: 40.7, longitude: -74 }],
  ['venue', 'coordinates', 'here', 'here'],
  ['venue', 'verified', 'Yes', true],
  ['venue', 'verified', 'perhaps', 'perhaps'],
  ['venue', 'hours', '', null],
  ['venue', 'hours', '{"timezone":"UTC"}', { timezone: 'UTC' }],
  ['venue', 'hours', '{', '{'],
  [
    'venue',
    'hours',
    'Mon–Wed, Friday 9:00 - 17:00\n\nsat-mon 20:00-02:00\n2026-12-24 to 2026-12-26 closed: Christmas\n2026-12-31 18:00-05:00',
    {
      timezone: 'America/New_York',
      weekly: [
        { days: ['mon', 'tue', 'wed', 'fri'], opens: '09:00', closes: '17:00' },
        { days: ['mon', 'sat', 'sun'], opens: '20:00', closes: '02:00' },
      ],
      exceptions: [
        { from: '2026-12-24', to: '2026-12-26', closed: true, opens: null, closes: null, reason: 'Christmas' },
        { from: '2026-12-31', to: '2026-12-31', closed: false, opens: '18:00', closes: '05:00', reason: null },
      ],
    },
  ],
  [
    'venue',
    'hours',
    'zone UTC\ndaily 0:00-00:00',
    { timezone: 'UTC', weekly: [{ days: WEEK, opens: '00:00', closes: '00:00' }], exceptions: [] },
  ],
  ['venue', 'hours', 'Mon 9:00-17:00\nMonday to Friday', 'Monday to Friday'],
  ['venue', 'hours', 'mo 9:00-17:00', 'mo 9:00-17:00'],
  ['venue', 'hours', 'Mon-Tue-Wed 9:00-17:00', 'Mon-Tue-Wed 9:00-17:00'],
  ['venue', 'toString', 'x', 'x'],
] as const)('what is typed for %s %s, %j, is read as it is meant', (entity, field, typed, value) => {
  expect(readCorrectionText(entity, field, typed, 'America/New_York')).toEqual(value);
});

it('opening hours are read as they were printed', () => {
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
  const day = fc
    .date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const reason = fc.option(
    fc.string({ minLength: 1, unit: codePoint }).filter((text) => text === text.trim() && !/[\n\r\u2028\u2029]/.test(text)),
  );
  const hours = fc.record({
    timezone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Berlin'),
    weekly: fc.array(fc.record({ days: fc.subarray(WEEK, { minLength: 1 }), opens: time, closes: time })),
    exceptions: fc.array(
      fc.oneof(
        fc.record({ from: day, to: day, closed: fc.constant(true), opens: fc.constant(null), closes: fc.constant(null), reason }),
        fc.record({ from: day, to: day, closed: fc.constant(false), opens: time, closes: time, reason }),
      ),
    ),
  });
  fc.assert(
    fc.property(hours, fc.constantFrom('UTC', 'America/New_York'), (value, zone) => {
      fc.pre(value.weekly.length + value.exceptions.length > 0);
      expect(readCorrectionText('venue', 'hours', formatHours(value, zone), zone)).toEqual(value);
    }),
  );
});

const two = (number: number): string => String(number).padStart(2, '0');
