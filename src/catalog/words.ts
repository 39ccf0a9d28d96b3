/** The words that events and venues are found by in the desk. */

/** Runs of letters and digits, in lower case. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Of a title and of its slug, which has them without accents; with a space between two. */
export const indexedWords = (title: string, slug: string): string =>
  [...new Set([...wordsOf(title), ...slug.split('-')])].join(' ');
