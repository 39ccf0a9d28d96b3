/** Slips of the pen in long words, against a slow and obvious twin. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLongSlip } from '../../src/facts/identity/place-alignment.ts';

/** Few letters, so that many words are near each other. */
const word = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 7, maxLength: 11 }).map((letters) => `k${letters.join('')}`);

it('finds two words with at most two slips, and no others', () => {
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(isLongSlip(a, b)).toBe(edits(a, b) <= 2);
    }),
    { numRuns: 2000 },
  );
});

it('finds a word again after two slips', () => {
  const at = fc.nat({ max: 20 });
  fc.assert(
    fc.property(word, at, at, (whole, first, second) => {
      const slipped = leaveOut(exchange(whole, 1 + (first % (whole.length - 2))), 1 + (second % (whole.length - 1)));
      expect(slipped.length < 8 || isLongSlip(whole, slipped)).toBe(true);
    }),
  );
});

const exchange = (text: string, at: number): string =>
  text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
const leaveOut = (text: string, at: number): string => text.slice(0, at) + text.slice(at + 1);

/** The whole table of optimal string alignment: letters changed, added, left out, or exchanged with a neighbor. */
function edits(a: string, b: string): number {
  const table: number[][] = [];
  const cell = (i: number, j: number): number => (i < 0 || j < 0 ? Number.POSITIVE_INFINITY : (table[i]?.[j] ?? 0));
  for (let i = 0; i <= a.length; i += 1) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row.push(
        i + j === 0
          ? 0
          : Math.min(
              cell(i - 1, j - 1) + change,
              cell(i - 1, j) + 1,
              cell(i, j - 1) + 1,
              isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
            ),
      );
    }
  }
  return cell(a.length, b.length);
}
