import { expect, test } from 'vitest';
import { repairUnits } from '../../src/search/ask/repair.ts';
import type { Unit, UnitReader } from '../../src/search/ask/units.ts';
import { EMPTY_SET, listSet, type RankSet } from '../../src/search/structures/rank-set.ts';

const EVENT = listSet(Uint32Array.of(0));
const unitOf = (word: string, any: RankSet, at = 0): Unit => {
  return { at, length: 1, words: [word], spellings: [], fields: [], category: EMPTY_SET, any };
};
/** Every word may be any of eight others, as letters of short words often are. */
const reader: UnitReader = {
  dictionary: {
    termOf: () => -1,
    termsWithPrefix: () => new Uint32Array(0),
    oneTypo: () => null,
    typos: (word, limit) => Array.from({ length: limit }, (_, term) => ({ form: `${word}${term}`, term })),
  },
  exact: (words) => unitOf(words.join(' '), EMPTY_SET),
  replaced: (word) => unitOf(word, EVENT),
  orCategory: (unit) => unit,
};

test('many words with slips and one that nothing repairs are not read in every way', () => {
  const words = Array.from({ length: 400 }, (_, at) => unitOf(`word${at}`, EVENT, at));
  // Millions of readings begin well and end at the last word.
  expect(repairUnits([...words, unitOf('x1', EMPTY_SET, 400)], reader, EVENT, 1, () => 0)).toBe(null);
  const slips = [400, 401].map((at) => unitOf(`slip${at}`, EMPTY_SET, at));
  expect(repairUnits([...words, ...slips], reader, EVENT, 1, () => 0)?.readAs).toEqual(
    new Map([
      [400, 'slip4000'],
      [401, 'slip4010'],
    ]),
  );
});
