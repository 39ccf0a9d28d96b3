import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/providers/fields/clean-text.ts';
import { createDateReader } from '../../src/providers/fields/dates.ts';
import { pointOf, readPoint } from '../../src/providers/fields/points.ts';
import { compileRule, compileTest } from '../../src/providers/mapping/rules.ts';

const RECORD = {
  id: 7,
  name: '  CANCELED: Jazz ',
  place: { name: 'Hall: Room 2', 'a.b': 'dotted' },
  artists: [{ name: 'A' }, { name: 'B' }, {}],
  tags: 'jazz, late;free',
  empty: ' ',
  nothing: null,
};
const value = (rule: unknown) => compileRule(rule, 'rule')(RECORD);
const holds = (condition: unknown) => compileTest(condition, 'when')(RECORD);

describe('a rule', () => {
  it.each<[unknown, unknown]>([
    ['id', 7],
    ['place.name', 'Hall: Room 2'],
    ['artists.*.name', ['A', 'B']],
    ['artists.1.name', 'B'],
    [{ path: 'empty', default: 'x' }, 'x'],
    ['nothing', undefined],
    ['constructor', undefined],
    ['__proto__.x', undefined],
    [{ path: ['nothing', 'empty', 'id'] }, 7],
    [{ const: false }, false],
    [{ join: ['id', 'place.name'], with: '/' }, '7/Hall: Room 2'],
    [{ join: ['id', 'empty'] }, undefined],
    [{ path: 'name', dropPrefix: ['canceled:'] }, 'Jazz'],
    [{ path: 'place.name', before: ':' }, 'Hall'],
    [{ path: 'place.name', after: ':' }, 'Room 2'],
    [{ path: 'tags', split: [',', ';'] }, ['jazz', 'late', 'free']],
    [{ concat: ['tags', 'empty', 'artists.*.name', { const: ['A', 'late'] }] }, ['jazz, late;free', 'A', 'B', 'A', 'late']],
    [{ concat: ['empty', 'nothing'] }, undefined],
    [{ concat: [{ path: 'tags', split: [',', ';'] }], table: { late: 'night' } }, [undefined, 'night', undefined]],
    [{ path: 'empty', default: null }, undefined],
    [{ path: 'id', table: { 7: 'seven' } }, 'seven'],
    [{ path: 'id', table: { 8: 'eight' }, default: 'other' }, 'other'],
    [{ path: 'id', table: {} }, undefined],
    [{ cases: [{ when: { path: 'id', equals: 7 }, use: { const: 'case' } }], path: 'id', table: { 7: 'table' } }, 'case'],
    [{ cases: [{ when: { path: 'id', equals: 8 }, use: { const: 'case' } }], path: 'id', table: { 7: 'table' } }, 'table'],
  ])('%j gives %j', (rule, expected) => {
    expect(value(rule)).toEqual(expected);
  });

  it('reads a CSV column whose name has dots', () => {
    expect(compileRule('a.b', 'rule')({ 'a.b': 'dotted' })).toBe('dotted');
  });

  it.each<[unknown, string]>([
    [
      { paht: 'id' },
      'rule.paht: wanted one of path, const, join, with, concat, cases, text, dropPrefix, before, after, split, table, default',
    ],
    ['', 'rule: wanted a path, got an empty one'],
    [undefined, 'rule: wanted a rule, got nothing'],
    [{}, 'rule: wanted path, const, join, concat or cases'],
    [{ path: 'id', table: [] }, 'rule.table: wanted an object'],
    [{ path: 'id', text: 'markdown' }, 'rule.text: wanted html'],
    [
      { cases: [{ when: { path: 'id' }, use: 'id' }] },
      'rule.cases[0].when: wanted one of equals, in, contains, startsWith, exists',
    ],
    [{ cases: 'id' }, 'rule.cases: wanted a list'],
    [{ path: 'id', before: [] }, 'rule.before: wanted text or a list of texts'],
  ])('%j is refused', (rule, sentence) => {
    try {
      compileRule(rule, 'rule');
      expect.unreachable();
    } catch (error) {
      expect(`${(error as { field: string }).field}: ${(error as Error).message}`).toBe(sentence);
    }
  });
});

describe('a condition', () => {
  it.each<[unknown, boolean]>([
    [{ path: 'name', startsWith: 'canceled' }, true],
    [{ path: 'name', contains: ['blues', 'JAZZ'] }, true],
    [{ path: 'id', equals: '7' }, true],
    [{ path: 'id', in: [1, 2] }, false],
    [{ path: 'empty', exists: false }, true],
    [{ not: { path: 'id', exists: true } }, false],
    [
      {
        all: [
          { path: 'id', equals: 7 },
          { path: 'name', contains: 'blues' },
        ],
      },
      false,
    ],
    [
      {
        any: [
          { path: 'id', equals: 7 },
          { path: 'name', contains: 'blues' },
        ],
      },
      true,
    ],
  ])('%j is %j', (condition, expected) => {
    expect(holds(condition)).toBe(expected);
  });
});

describe('a date', () => {
  it.each<[string, string, string | null]>([
    ['iso', '2026-06-20T20:00:00', '2026-06-20T20:00:00'],
    ['iso', '2026-07-11T11:00:00.000', '2026-07-11T11:00:00.000'],
    ['iso', '2026-06-20 20:00', '2026-06-20T20:00:00'],
    ['iso', '2015-10-31T19:30:00-0400', '2015-10-31T19:30:00-04:00'],
    ['iso', '2026-06-20T20:00:00z', '2026-06-20T20:00:00Z'],
    ['iso', '2026-02-30T20:00:00', null],
    ['iso', 'nullT19:30:00', null],
    ['iso', ' 2026-06-20 ', '2026-06-20'],
    ['iso', '2026-02-30', null],
    ['MM/DD/YYYY', '03/13/2022', '2022-03-13'],
    ['MM/DD/YYYY', '02/29/2022', null],
    ['iso', '2019-9-13T10-10-00-00', null],
    ['iso', '2026-06-20T24:00:00', '2026-06-21T00:00:00'],
    ['iso', '2026-06-20T20:00[America/New_York]', '2026-06-20T20:00:00-04:00'],
    ['MM/DD/YYYY hh:mm:ss A', '03/13/2022 08:00:00 AM', '2022-03-13T08:00:00'],
    ['MM/DD/YYYY hh:mm:ss A', '03/13/2022 12:00:00 AM', '2022-03-13T00:00:00'],
    ['MM/DD/YYYY hh:mm:ss A', '03/13/2022 12:30:00 pm', '2022-03-13T12:30:00'],
    ['MM/DD/YYYY hh:mm:ss A', '13/03/2022 08:00:00 AM', null],
    ['D.M.YYYY H:mm', '3.4.2026 9:05', '2026-04-03T09:05:00'],
    ['YYYY-MM-DD HH:mm Z', '2026-04-03 09:05 +0200', '2026-04-03T09:05:00+02:00'],
    ['epoch', '1781985600', '2026-06-20T20:00:00.000Z'],
    ['epoch-ms', '1781985600000', '2026-06-20T20:00:00.000Z'],
    ['epoch', 'soon', null],
  ])('%s reads %j as %j', (format, text, iso) => {
    expect(createDateReader(format)!(text)).toBe(iso);
  });

  it('forgets an offset that is known to lie', () => {
    expect(createDateReader('iso', { ignoreOffset: true })!('2026-06-14T13:00:00+00:00')).toBe('2026-06-14T13:00:00');
  });

  it('has no pattern without year, month and day, nor with an hour without minutes', () => {
    for (const format of ['YYYY-MM', 'HH:mm', 'YYYY-MM-DD HH', 'YYYY-YYYY-MM-DD HH:mm', ''])
      expect(createDateReader(format)).toBeNull();
  });

  it('never throws nor hangs, whatever the text', () => {
    const readers = ['iso', 'MM/DD/YYYY hh:mm:ss A', 'epoch'].map((format) => createDateReader(format)!);
    fc.assert(fc.property(fc.string(), (text) => readers.every((read) => read(text) === null || typeof read(text) === 'string')));
    for (const read of readers) read(`${'0 '.repeat(50_000)}x`);
  });
});

describe('a point', () => {
  it.each<[unknown, 'wkt' | 'lat,lon' | 'lon,lat', [number, number] | null]>([
    ['POINT (-73.95 40.05)', 'wkt', [40.05, -73.95]],
    ['point(-73.95 40.05)', 'wkt', [40.05, -73.95]],
    ['POLYGON ((0 0))', 'wkt', null],
    ['40.80, -73.94', 'lat,lon', [40.8, -73.94]],
    ['40.80;-73.94', 'lat,lon', [40.8, -73.94]],
    [[-73.94, 40.8], 'lon,lat', [40.8, -73.94]],
    ['0, 0', 'lat,lon', null],
    ['91, 0', 'lat,lon', null],
    ['1e9, 0', 'lat,lon', null],
    ['here', 'lat,lon', null],
    [[], 'lon,lat', null],
  ])('%j as %s is %j', (text, format, expected) => {
    const point = readPoint(text, format);
    expect(point && [point.latitude, point.longitude]).toEqual(expected);
  });

  it('is none of NaN, text without digits, or nothing', () => {
    for (const bad of [Number.NaN, '', 'x', null, undefined, Number.POSITIVE_INFINITY]) expect(pointOf(bad, 1)).toBeNull();
  });
});

describe('plain text', () => {
  it.each([
    ['P&#233;tanque &amp; wine', 'Pétanque & wine'],
    ['Zumba Gold&#174;', 'Zumba Gold®'],
    ['&lt;p&gt;Do you want&hellip;&lt;/p&gt;', 'Do you want…'],
    ['a &amp;amp; b', 'a & b'],
    ['one<br>two<p>three</p>', 'one\ntwothree'],
    ['<img onerror="x()" src=y>Jazz', 'Jazz'],
    ['I <3 jazz & 5 > 4', 'I <3 jazz & 5 > 4'],
    ['&constructor; &unknown; &#0; &#xD800;', '&constructor; &unknown;'],
  ])('of %j is %j', (html, text) => {
    expect(plainText(html)).toBe(text);
  });

  it('does not hang on hostile markup', () => {
    for (const hostile of [
      '<'.repeat(50_000),
      '<a '.repeat(20_000),
      '&#'.repeat(50_000),
      '<!--'.repeat(20_000),
      ' \n'.repeat(50_000),
    ])
      expect(typeof plainText(hostile)).toBe('string');
  });
});
