import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeCsvCell } from '../../src/values/csv-cell.ts';

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\0=1', '  =1', '＝1', '＠x', "'=1"])(
  'a spreadsheet takes %j for a text',
  (text) => {
    const cell = writeCsvCell(text);
    expect(parse(`${cell}\r\n`)[0]?.[0]).toBe(`'${text}`);
  },
);

it('any text comes back from its cell as it was, but for the guard', () => {
  const text = fc.string({ unit: fc.constantFrom(...'=+-@"\',; \t\r\nabcÄ\u{1F3B7}') });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
      const [cells] = parse(`${texts.map(writeCsvCell).join(',')},end\r\n`) as string[][];
      expect(cells?.slice(0, -1).map((cell, at) => (cell === texts[at] ? cell : cell.slice(1)))).toEqual(texts);
      expect(cells?.some((cell) => /^\s*[=+\-@\t\r]/.test(cell))).toBe(false);
    }),
  );
});

it('who takes the guard away needs not know the text', () => {
  const text = fc.string({ unit: fc.constantFrom(..."=-' \tab") });
  fc.assert(
    fc.property(text, (before) => {
      const [[cell = ''] = []] = parse(`${writeCsvCell(before)},end\r\n`) as string[][];
      expect(/^'+\s*[=\-\t]/.test(cell) ? cell.slice(1) : cell).toBe(before);
    }),
  );
});
