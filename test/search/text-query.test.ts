import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDictionaryBuilder, openDictionary } from '../../src/search/text/dictionary.ts';
import { interpret } from '../../src/search/text/interpret.ts';
import { parseQuery } from '../../src/search/text/parse-query.ts';
import { words } from '../../src/search/text/words.ts';
import { codePoint } from '../support/records/code-point.ts';

describe('a query', () => {
  test.each<[string, string, string[], string[][]]>([
    ['is its words', 'The Jazz Night', ['the', 'jazz', 'night'], []],
    ['is in quotes a phrase', '"jazz night" live', ['live'], [['jazz', 'night']]],
    [
      'may have typographic quotes',
      '“jazz night” „live music“',
      [],
      [
        ['jazz', 'night'],
        ['live', 'music'],
      ],
    ],
    ['takes one word in quotes for a word', '"jazz" "o\'brien"', ['jazz', 'obrien'], []],
    ['takes an unbalanced quote for a separator', 'jazz "night live', ['jazz', 'night', 'live'], []],
    ['takes the last of three quotes for a separator', '"a b" "c d', ['c', 'd'], [['a', 'b']]],
    ['needs no blanks around quotes', 'jazz"night live"music', ['jazz', 'music'], [['night', 'live']]],
    ['has no operators', 'jazz* -night title:live (a|b) 50%', ['jazz', 'night', 'title', 'live', 'a', 'b', '50'], []],
    ['lists nothing twice', 'jazz JAZZ "a b" "A B"', ['jazz'], [['a', 'b']]],
    ['keeps a word beside the phrase that holds it', 'jazz "jazz night"', ['jazz'], [['jazz', 'night']]],
    ['wants ideographs next to each other', '東京 live', ['live'], [['東', '京']]],
  ])('%s', (_, q, expectedWords, phrases) => {
    expect(parseQuery(q)).toEqual({ words: expectedWords, phrases });
  });

  test.each(['', ' ', '*', '%_', '""', '" "', '-:()', '🎉', '"', '\u200b', "'"])('of separators only (%j) is absent', (q) => {
    expect(parseQuery(q)).toBeNull();
  });

  test('is a query whatever it holds, with the words of its text and no others', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.constantFrom('"', '“', ' ', 'a', 'é', '東', "'"), fc.string({ unit: codePoint })) }),
        (q) => {
          const query = parseQuery(q);
          const held = [...(query?.words ?? []), ...(query?.phrases ?? []).flat()];
          // A quote may stand between letters as nothing else does, so the text is asked with blanks in the place of quotes.
          expect(new Set(held)).toEqual(new Set(words(q.replace(/["“”„‟＂]/g, ' '))));
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe('reading a query', () => {
  const directory = ['madonna', 'live', 'at', 'the', 'garden', 'concerts', 'gardening', 'madness', '10001', 'jazz'];
  const builder = createDictionaryBuilder();
  const terms = Object.fromEntries(directory.map((form) => [form, builder.termIdsOf([form])[0]!]));
  const gone = builder.termIdsOf(['vanished'])[0]!;
  const counts = new Uint32Array(builder.termCount()).fill(1);
  counts[gone] = 0;
  const dictionary = openDictionary(builder.freeze(), counts);
  const plan = (q: string) => interpret(parseQuery(q)!, dictionary);

  test('takes a word of the directory, inflected or not, as it is', () => {
    expect(plan('The Concert')).toEqual({
      words: [
        { kind: 'term', term: terms.the },
        { kind: 'term', term: terms.concerts },
      ],
      phrases: [],
      interpretations: [],
    });
  });

  test('takes an unknown word for the beginning of one', () => {
    const { words: read, interpretations } = plan('mad');
    expect(read).toEqual([{ kind: 'any', terms: Uint32Array.of(terms.madonna!, terms.madness!) }]);
    expect(interpretations).toEqual([{ word: 'mad', readAs: 'mad*' }]);
  });

  test('then for a slip', () => {
    expect(plan('madona jzaz')).toEqual({
      words: [{ kind: 'term', term: terms.madonna }, { kind: 'none' }],
      phrases: [],
      interpretations: [{ word: 'madona', readAs: 'madonna' }],
    });
  });

  test.each([
    ['a short word', 'jazx'],
    ['a number', '10002'],
    ['a word of no event', 'vanished'],
    ['the beginning of a word of no event', 'vanish'],
    ['one slip from a word of no event', 'vanishd'],
    ['two slips', 'maddnoa'],
  ])('finds nothing for %s', (_, q) => {
    expect(plan(q)).toEqual({ words: [{ kind: 'none' }], phrases: [], interpretations: [] });
  });

  test('reads the places of a phrase in the same way', () => {
    const { phrases, interpretations } = plan('"live att the gard" "madona nowhere" madona');
    expect(phrases).toEqual([
      [
        { kind: 'term', term: terms.live },
        { kind: 'none' },
        { kind: 'term', term: terms.the },
        { kind: 'any', terms: Uint32Array.of(terms.garden!) },
      ],
      [{ kind: 'term', term: terms.madonna }, { kind: 'none' }],
    ]);
    expect(interpretations).toEqual([
      { word: 'madona', readAs: 'madonna' },
      { word: 'gard', readAs: 'gard*' },
    ]);
  });
});
