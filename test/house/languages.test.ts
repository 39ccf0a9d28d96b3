import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { CAPACITY_TIERS, CATEGORIES, EVENT_STATUSES, VENUE_TYPES } from '../../src/records/index.ts';
import { LANGUAGE_CODES } from '../../src/web/server/languages.ts';
import { files, read } from './source-tree.ts';

const FOLDER = 'src/web/languages/';
const codes = files
  .filter((file) => file.startsWith(FOLDER) && file.endsWith('.json'))
  .map((file) => file.slice(FOLDER.length, -5));
const catalogueOf = (code: string) => JSON.parse(read(`${FOLDER}${code}.json`)) as Record<string, string>;
const english = catalogueOf('en');

/** Names of what a message takes, with its kind: `count plural`. Throws for a message that is not ICU. */
function argumentsOf(message: string): string[] {
  const walk = (elements: readonly Element[]): string[] =>
    elements.flatMap(({ type, value, options = {} }) => {
      const kind = KINDS[type];
      if (kind === undefined) return [];
      return [`${value} ${kind}`, ...Object.values(options).flatMap((option) => walk(option.value))];
    });
  return [...new Set(walk(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst() as Element[]))].sort();
}
interface Element {
  type: number;
  value: string;
  options?: Record<string, { value: Element[] }>;
}

/** Of the parser's types; the others are text. */
const KINDS: Readonly<Record<number, string>> = { 1: 'text', 2: 'number', 3: 'date', 4: 'time', 5: 'select', 6: 'plural' };

/** The forms that a message has for a number, and those that its language needs. */
const pluralForms = (message: string) =>
  [...message.matchAll(/\{\w+, plural,((?:[^{}]|\{[^{}]*\})*)\}/g)].map(([, forms = '']) => forms);

describe('the languages of the pages', () => {
  it('are at least four, English among them', () => {
    expect(codes).toEqual(expect.arrayContaining(['de', 'en', 'es', 'fr']));
    expect(Object.keys(english).length).toBeGreaterThan(80);
  });

  it('are found by their files: adding a language is one file, and no code names any but English', () => {
    const named = files
      .filter((file) => /^src\/web\/.*\.tsx?$/.test(file))
      .filter((file) => codes.some((code) => code !== 'en' && new RegExp(`['"]${code}['"]`).test(read(file))));
    expect(named).toEqual([]);
    expect(LANGUAGE_CODES).toEqual(codes.toSorted());
  });

  it('have a word for every category, type of venue, size and status', () => {
    const wanted = Object.entries({
      category: CATEGORIES,
      venueType: VENUE_TYPES,
      capacity: CAPACITY_TIERS,
      status: EVENT_STATUSES,
    });
    for (const [kind, values] of wanted) for (const value of values) expect(english).toHaveProperty([`${kind}.${value}`]);
  });

  describe.each(codes)('%s', (code) => {
    const catalogue = catalogueOf(code);

    it('has every message and no other, in the order of English', () => {
      expect(Object.keys(catalogue)).toEqual(Object.keys(english));
    });

    it('takes the same values in each', () => {
      const different = Object.entries(catalogue).filter(
        ([key, message]) => argumentsOf(message).join() !== argumentsOf(english[key] ?? '').join(),
      );
      expect(different).toEqual([]);
    });

    it('has both forms of every number, and no message that is empty', () => {
      for (const [key, message] of Object.entries(catalogue)) {
        expect(message.trim(), key).toBe(message);
        expect(message, key).not.toBe('');
        for (const forms of pluralForms(message)) expect(forms, key).toMatch(/\bone \{.*\bother \{/);
      }
    });

    it('says its locale and its own name', () => {
      expect(new Intl.Locale(catalogue['language.locale'] ?? '').language).toBe(code);
      expect(catalogue['language.name']?.toLowerCase()).toBe(
        new Intl.DisplayNames(code, { type: 'language' }).of(code)?.toLowerCase(),
      );
    });
  });

  it('have no message that no page uses', () => {
    const sources = files
      .filter((file) => file.startsWith('src/') && /\.tsx?$/.test(file))
      .map(read)
      .join('\n');
    // A template such as `search.kind.${kind}` uses all that begin so.
    const isUsed = (key: string) =>
      sources.includes(`'${key}'`) ||
      [...key.matchAll(/\./g)].some(({ index }) => sources.includes(`\`${key.slice(0, index + 1)}\${`));
    const isWord = (key: string) => DIRECTORY_WORDS.some((kind) => key.startsWith(`${kind}.`));
    expect(Object.keys(english).filter((key) => !isWord(key) && !isUsed(key))).toEqual([]);
  });
});

/** All of them are there, though a directory may have few. */
const DIRECTORY_WORDS = ['category', 'venueType', 'capacity', 'status'];
