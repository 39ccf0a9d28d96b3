/** Slips of the pen: the quick search finds what a slow one finds that compares every name letter by letter. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSimilarNames, slipsBetween } from '../../src/addresses/street-index.ts';

/** The table of all beginnings of both words (optimal string alignment). */
function slowSlips(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const cell = (i: number, j: number) => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = cell(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const row = table[i] ?? [];
      row[j] = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, changed, isSwapped ? cell(i - 2, j - 2) + 1 : Infinity);
    }
  }
  return cell(a.length, b.length);
}

function slowSimilar(names: readonly string[][], wanted: readonly string[]): string[] {
  const [plain = '', kind] = wanted;
  if (plain.length < 4) return [];
  const rated = names
    .filter((name) => name[1] === kind)
    .map((name) => ({ key: name.join(''), slips: slowSlips(name[0] ?? '', plain) }));
  const least = Math.min(plain.length >= 9 ? 2 : 1, ...rated.map(({ slips }) => slips));
  return rated.filter(({ slips }) => slips === least).map(({ key }) => key);
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 12 });
const name = fc.tuple(
  fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 3, maxLength: 12 }),
  fc.constantFrom('ln', 'rd'),
);

it('counts the slips between two words', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 3 }), (a, b, most) => {
      const [slips, slow] = [slipsBetween(a, b, most), slowSlips(a, b)];
      if (slow <= most) expect(slips).toBe(slow);
      else expect(slips).toBeGreaterThan(most);
    }),
    { numRuns: 2000 },
  );
});

it('finds the names with the fewest slips', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 40 }), name, (names, wanted) => {
      const unique = [...new Map(names.map((each) => [each.join(''), [...each]])).values()];
      const found = createSimilarNames(unique.map((words) => ({ words })))(wanted);
      expect(found.toSorted()).toEqual(slowSimilar(unique, wanted).toSorted());
    }),
    { numRuns: 1000 },
  );
});
