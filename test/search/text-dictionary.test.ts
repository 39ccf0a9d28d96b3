import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDictionaryBuilder, type DictionaryParts, openDictionary } from '../../src/search/text/dictionary.ts';
import { stem } from '../../src/search/text/stem.ts';

/** Tiny alphabets, so that neighbours, prefixes and shared stems are everywhere; one letter outside the BMP, one just below it. */
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 7 }),
  fc.string({ unit: fc.constantFrom('a', 'e', 's', 'd', 'ing', 'ed'), minLength: 1, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('a', '𐌰', '𐌱', 'ﬀ', 'é'), minLength: 1, maxLength: 5 }),
);
const vocabulary = fc.uniqueArray(word, { maxLength: 60 });
const frequencies = fc.array(fc.nat(3), { maxLength: 60 }).map((counts) => Uint32Array.from(counts));

describe('the vocabulary', () => {
  test('gives forms of one stem one term, numbered as they first appear, for ever', () => {
    const builder = createDictionaryBuilder();
    expect([...builder.termIdsOf(['jazz', 'concerts', 'jazz', 'concert'])]).toEqual([0, 1, 0, 1]);
    builder.freeze();
    expect([...builder.termIdsOf(['opera', 'concert'])]).toEqual([2, 1]);
    expect(builder.termCount()).toBe(3);
  });

  test('is the same frozen once, frozen after every few words, or taken up again from what was frozen', () => {
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 8 }), (batches) => {
        const once = createDictionaryBuilder();
        const often = createDictionaryBuilder();
        let resumed = createDictionaryBuilder();
        for (const batch of batches) {
          const terms = once.termIdsOf(batch);
          expect(often.termIdsOf(batch)).toEqual(terms);
          often.freeze();
          expect(resumed.termIdsOf(batch)).toEqual(terms);
          resumed = createDictionaryBuilder(resumed.freeze());
        }
        const parts = bytesOf(once.freeze());
        expect(bytesOf(often.freeze())).toEqual(parts);
        expect(bytesOf(resumed.freeze())).toEqual(parts);
      }),
    );
  });

  test('once frozen never changes, and is shared, not copied, with another thread', () => {
    const builder = createDictionaryBuilder();
    builder.termIdsOf(['madonna']);
    const parts = builder.freeze();
    const before = bytesOf(parts);
    builder.termIdsOf(['abba', 'zappa']);
    builder.freeze();
    expect(bytesOf(parts)).toEqual(before);
    for (const array of Object.values(structuredClone(parts))) expect(array.buffer).toBeInstanceOf(SharedArrayBuffer);
  });

  test('an empty one knows nothing', () => {
    const empty = openDictionary(createDictionaryBuilder().freeze(), new Uint32Array(0));
    expect(empty.termOf('jazz')).toBe(-1);
    expect(empty.termsWithPrefix('j')).toHaveLength(0);
    expect(empty.oneTypo('madonna')).toBeNull();
  });
});

describe('looking up', () => {
  test('finds a term by its stem, though this form was never seen', () => {
    const dictionary = dictionaryOf(['dances', 'parties']);
    expect(dictionary.termOf('dancing')).toBe(0);
    expect(dictionary.termOf('party')).toBe(1);
    expect(dictionary.termOf('part')).toBe(-1);
  });

  test('finds what a scan of the whole vocabulary finds, of terms that stand in events', () => {
    fc.assert(
      fc.property(vocabulary, frequencies, fc.array(word, { minLength: 1, maxLength: 6 }), (forms, counts, asked) => {
        const builder = createDictionaryBuilder();
        const terms = builder.termIdsOf(forms);
        const dictionary = openDictionary(builder.freeze(), counts);
        const seen = forms
          .map((form, index) => ({ form, term: terms[index]!, count: counts[terms[index]!] ?? 0 }))
          .filter(({ count }) => count > 0);
        for (const sought of asked) {
          expect(dictionary.termOf(sought)).toBe(seen.find(({ form }) => stem(form) === stem(sought))?.term ?? -1);
          const starting = new Set(seen.filter(({ form }) => form.startsWith(sought)).map(({ term }) => term));
          expect([...dictionary.termsWithPrefix(sought)]).toEqual([...starting].sort((a, b) => a - b));
          const [nearest] = seen
            .filter(({ form }) => editDistance(form, sought) === 1 && digitsOf(form) === digitsOf(sought))
            .sort((a, b) => b.count - a.count || (a.form < b.form ? -1 : 1));
          expect(dictionary.oneTypo(sought)).toEqual(nearest ? { form: nearest.form, term: nearest.term } : null);
        }
      }),
      { numRuns: 1_500 },
    );
  });

  test.each([
    ['a letter too few', 'madona'],
    ['a letter too many', 'madonnna'],
    ['a wrong letter', 'nadonna'],
    ['two neighbours swapped', 'madnona'],
    ['a letter too few at the start', 'adonna'],
    ['a letter too many at the end', 'madonnax'],
  ])('corrects %s', (_, typed) => {
    expect(dictionaryOf(['abba', 'madonna', 'zappa']).oneTypo(typed)?.form).toBe('madonna');
  });

  test('corrects one slip, not two, and never the word itself', () => {
    const dictionary = dictionaryOf(['madonna']);
    for (const typed of ['madon', 'nadona', 'amdonan', 'madonna']) expect(dictionary.oneTypo(typed)).toBeNull();
  });

  test('never takes one number for another', () => {
    const dictionary = dictionaryOf(['pride2026', 'route66']);
    for (const typed of ['pride2025', 'pride20261', 'pride2062', 'route6']) expect(dictionary.oneTypo(typed)).toBeNull();
    expect(dictionary.oneTypo('pryde2026')?.form).toBe('pride2026');
  });

  test('of several neighbours takes the one in most events, then the first of the alphabet', () => {
    const builder = createDictionaryBuilder();
    builder.termIdsOf(['martin', 'marvin', 'marlin']);
    const parts = builder.freeze();
    expect(openDictionary(parts, Uint32Array.of(1, 2, 1)).oneTypo('maryin')?.form).toBe('marvin');
    expect(openDictionary(parts, Uint32Array.of(1, 1, 1)).oneTypo('maryin')?.form).toBe('marlin');
    expect(openDictionary(parts, Uint32Array.of(1, 1, 0)).oneTypo('maryin')?.form).toBe('martin');
  });
});

const digitsOf = (text: string) => [...text].filter((each) => /\p{N}/u.test(each)).join('');

function dictionaryOf(forms: readonly string[]) {
  const builder = createDictionaryBuilder();
  builder.termIdsOf(forms);
  return openDictionary(builder.freeze(), new Uint32Array(builder.termCount()).fill(1));
}

function bytesOf(parts: DictionaryParts): Record<string, number[]> {
  return Object.fromEntries(Object.entries(parts).map(([name, array]) => [name, [...array]]));
}

/** Optimal string alignment by the textbook's table: insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(one: string, other: string): number {
  const a = [...one];
  const b = [...other];
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1;
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + changed);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
    }
  }
  return table[a.length]![b.length]!;
}
