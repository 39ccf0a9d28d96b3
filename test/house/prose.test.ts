import { describe, expect, it } from 'vitest';
import { avoidedIn, avoidedWords, longSentences, MAX_WORDS, sentencesOf, wordsIn } from './prose.ts';
import { files, read, tableRows } from './source-tree.ts';

/** `**What …**` too. Questions may begin so. */
const LATE_SUBJECT = /^\W*(?:What|Who|Whoever|Whatever|Which|Those|That which)\b/;
const pages = files.filter((file) => /^(?:[A-Z]+|docs\/.*)\.md$/.test(file));

describe('the prose of the documents', () => {
  it('is seen at all', () => {
    expect(pages.length).toBeGreaterThan(25);
    expect(pages.flatMap((page) => sentencesOf(read(page))).length).toBeGreaterThan(1000);
  });

  it('is read by a checker that finds long sentences and words to avoid', () => {
    const long = `${'word '.repeat(MAX_WORDS)}end.`;
    expect(sentencesOf(`# A heading\n\n${long}\n\n| a | table |\n`).map(wordsIn)).toEqual([MAX_WORDS + 1]);
    expect(sentencesOf(`Three short words.\n\n- ${long}`).map(wordsIn)).toEqual([3, MAX_WORDS + 1]);
    expect(avoidedIn('Mended by hand; the colour of a `wish`, 5 metres | obeyed |')).toEqual([
      'Mended',
      'colour',
      'metres',
      'obeyed',
    ]);
    expect(
      ['**What is left** is cut.', 'Those who ask, wait.', 'It is what it is.'].filter((each) => LATE_SUBJECT.test(each)),
    ).toHaveLength(2);
    expect(avoidedIn('The color of our neighbor, and a letter of the alphabet.')).toEqual([]);
  });

  it.each(pages)(`says one thing at a time: %s has no sentence of more than ${MAX_WORDS} words`, (page) => {
    expect(longSentences(page)).toEqual([]);
  });

  it.each(pages)('is plain modern English: %s has no word to avoid', (page) => {
    expect(avoidedWords(page)).toEqual([]);
  });

  it.each(pages)('puts the subject first: no sentence of %s begins with "What …", "Who …" or the like', (page) => {
    expect(sentencesOf(read(page)).filter((sentence) => LATE_SUBJECT.test(sentence) && !sentence.endsWith('?'))).toEqual([]);
  });
});

describe('the glossary', () => {
  const rows = tableRows('docs/glossary.md', 'term');

  it('is sorted, and has each term once', () => {
    const terms = rows.map(([term = '']) => term);
    expect(terms.length).toBeGreaterThan(30);
    expect(terms).toEqual([...new Set(terms)].sort());
  });

  it('explains each term in one sentence', () => {
    const wrong = rows.filter(
      ([, meaning = '']) => !/^[A-Z][^.!?]*(?:`[^`]+`[^.!?]*)*\.$/.test(meaning) || wordsIn(meaning) > MAX_WORDS,
    );
    expect(wrong).toEqual([]);
  });

  it('names a file or folder that exists for each term', () => {
    const exists = (place: string) => files.some((file) => file === place || file.startsWith(`${place}/`));
    const wrong = rows.filter(([, , place = '']) => !exists(/^`([^`]+)`$/.exec(place)?.[1] ?? ''));
    expect(wrong).toEqual([]);
  });
});

describe('the index of the documents', () => {
  it('links every page, and README links the index', () => {
    const index = read('docs/README.md');
    const linked = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
    expect(linked.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
    expect(read('README.md')).toContain('](docs/README.md)');
  });
});
