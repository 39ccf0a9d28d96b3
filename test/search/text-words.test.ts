import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fold } from '../../src/search/text/fold.ts';
import { wordRuns, words } from '../../src/search/text/words.ts';
import { codePoint } from '../support/records/code-point.ts';

/** Strings of the characters that make folding hard, next to anything Unicode has. */
const awkward = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...'abIİıßẞσςΣéÉłØœŉﬁǰΐ0 9½⑴™Ⓜ') },
    {
      weight: 2,
      arbitrary: fc.constantFrom("'", '’', 'ʼ', '＇', '`', '-', '.', ' ', '"', '\u200d', '\u200f', '\ufe0f', '\u00ad', '\u0307'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('東', 'ガ', 'ﾞ', 'ｶ', 'ต', 'ิ', 'हि', '한', '\u1112\u1161', '👨‍👩‍👧', '🎉', '𝐂', 'ﷺ', '\ud800'),
    },
    { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 2 }) },
  ),
  maxLength: 30,
});

describe('folding', () => {
  test.each([
    ['case', 'JAZZ', 'jazz'],
    ['accents', 'Beyoncé', 'beyonce'],
    ['umlauts', 'Motörhead', 'motorhead'],
    ['letters that do not decompose', 'Łódź Øresund Đorđe Þór Æon Œuvre', 'lodz oresund dorde thor aeon oeuvre'],
    ['sharp s', 'Straße', 'strasse'],
    ['capital sharp s', 'STRAẞE', 'strasse'],
    ['final sigma', 'ΟΔΟΣ', 'οδοσ'],
    ['Turkish dotted capital I', 'İstanbul', 'istanbul'],
    ['Turkish dotless i', 'ıspanak', 'ispanak'],
    ['full-width letters', 'Ｊａｚｚ', 'jazz'],
    ['mathematical letters', '𝐂𝐨𝐧𝐜𝐞𝐫𝐭', 'concert'],
    ['ligatures', 'ﬁlm', 'film'],
    ['half-width katakana', 'ｶﾞｶﾞ', 'ガガ'],
    ['direction marks', '\u200fjazz\u202e', 'jazz'],
    ['zero-width characters', 'con\u200bcert\ufeff', 'concert'],
    ['soft hyphens', 'phil\u00adharmonic', 'philharmonic'],
    ['Arabic points and stretchers', 'مَـــوسيقى', 'موسيقى'],
    ['Cyrillic accents', 'Ёлка', 'елка'],
  ])('undoes %s', (_, written, folded) => {
    expect(fold(written)).toBe(folded);
  });

  test.each([
    ['Hindi vowels', 'की', 'के'],
    ['Thai vowels', 'กิน', 'กัน'],
    ['Japanese voicing', 'ガ', 'カ'],
  ])('keeps %s apart', (_, one, other) => {
    expect(fold(one)).not.toBe(fold(other));
  });

  test('gives the same for composed and decomposed text, and does nothing the second time', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        const folded = fold(text);
        expect([text.normalize('NFC'), text.normalize('NFD'), folded].map(fold)).toEqual([folded, folded, folded]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('gives the same for upper and lower case', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        // A Greek iota below the letter is an accent; upper case writes it out as a letter.
        fc.pre(!text.normalize('NFD').includes('\u0345'));
        expect(fold(text.toUpperCase())).toBe(fold(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['accents in and out of order', 'a', '\u0301\u0316'],
    ['signs that are no accents', 'न', '\u093c\u094d'],
  ])('takes no longer over a pile of %s', (_, letter, marks) => {
    const folded = fold(letter + marks.repeat(200_000));
    expect(folded.length).toBeLessThan(20);
  });
});

describe('words', () => {
  test.each<[string, string, string[]]>([
    [
      'apostrophes inside words are dropped',
      "don't O’Brien rock'n'roll women's Hawaiʻi",
      ['dont', 'obrien', 'rocknroll', 'womens', 'hawaii'],
    ],
    [
      'a possessive after an s goes with its own s',
      "Thomas's James’s Chris's boss's sʼs",
      ['thomas', 'james', 'chris', 'boss', 's'],
    ],
    ['a Hebrew geresh is an apostrophe', "ג׳ז ג'ז", ['גז', 'גז']],
    ['apostrophes outside words separate', "'quoted' rock 'n' roll dogs' '90s", ['quoted', 'rock', 'n', 'roll', 'dogs', '90s']],
    ['an apostrophe before a digit separates', "5'10 90's", ['5', '10', '90s']],
    ['full-width apostrophes are apostrophes', 'O＇Brien', ['obrien']],
    ['operators separate', 'a*b%c:d(e)f-g&h+i@j.k_l/m', [...'abcdefghijklm']],
    ['numbers are words', 'blink-182 2026', ['blink', '182', '2026']],
    ['emoji are no words', '👨‍👩‍👧 family☀️fun 🎉🇺🇸ℹ️㊗️🈂️', ['family', 'fun']],
    ['signs are no letters', 'Marvel™ Café℠', ['marvel', 'cafe']],
    ['ideographs are words of their own', '東京ドーム 2026年', ['東', '京', 'ド', 'ー', 'ム', '2026', '年']],
    ['Thai characters keep their vowel signs', 'กินดี', ['กิ', 'น', 'ดี']],
    ['Korean has spaces', '서울 재즈', ['서울', '재즈']],
    ['signs that fold to several words are several', '½ ⑴', ['1', '2', '1']],
    ['separators only are no words', ' -*%"()… ', []],
    ['nothing is no words', '', []],
  ])('%s', (_, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('the quick way for common characters finds the same as the slow one', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        expect(words(text)).toEqual(wordRuns(text).flat());
      }),
      { numRuns: 5_000 },
    );
    const everything = Array.from({ length: 0x3000 }, (_, code) => `a${String.fromCharCode(code)}b`);
    expect(everything.map(words)).toEqual(everything.map((text) => wordRuns(text).flat()));
  });

  test('are folded, whole and well-formed, and are their own words', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        const found = words(text);
        expect(found.filter((word) => word === '' || !word.isWellFormed())).toEqual([]);
        expect(found.map(words)).toEqual(found.map((word) => [word]));
      }),
      { numRuns: 2_000 },
    );
  });

  test('characters without spaces between them are one run', () => {
    expect(wordRuns('live 東京、大阪 at')).toEqual([['live'], ['東', '京'], ['大', '阪'], ['at']]);
  });

  test('a word without end is known by its beginning, cut between characters', () => {
    expect(words('a'.repeat(20_000))).toEqual(['a'.repeat(100)]);
    expect(words(`a${'𐌰'.repeat(20_000)}`)).toEqual([`a${'𐌰'.repeat(49)}`]);
    expect(words(`a${"'a".repeat(20_000)}`)).toEqual(['a'.repeat(100)]);
  });
});
