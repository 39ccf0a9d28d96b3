/** The sentences of a page: without code, tables, headings and the targets of links. */

import { read } from './source-tree.ts';

/** As a reader counts them: a colon or a semicolon ends a sentence too, and what stands in backticks is one word. */
export function sentencesOf(text: string): string[] {
  return proseOf(text)
    .split(/\n\s*\n|(?<=[.!?:;])\**\s+/)
    .map((sentence) => sentence.trim().replace(/\s+/g, ' '))
    .filter((sentence) => wordsIn(sentence) >= 3);
}

/** Sentences of more than `MAX_WORDS`, as `page: sentence`. */
export const longSentences = (page: string): string[] =>
  sentencesOf(read(page))
    .filter((sentence) => wordsIn(sentence) > MAX_WORDS)
    .map((sentence) => `${page}: ${sentence}`);

/** Words of `AVOIDED` on a page, as `page: word`. Tables count, code does not. */
export const avoidedWords = (page: string): string[] => avoidedIn(read(page)).map((word) => `${page}: ${word}`);

export const avoidedIn = (text: string): string[] => [...withoutCode(text).matchAll(AVOIDED)].map(([word]) => word);

export const wordsIn = (sentence: string): number => sentence.split(/\s+/).filter(Boolean).length;

const withoutCode = (text: string): string =>
  text
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/(?<=\n\n)(?: {4}.*\n)+/g, '')
    .replace(/``.*?``|`[^`]*`/g, 'x')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<!--[\s\S]*?-->/g, '');

const proseOf = (text: string): string =>
  withoutCode(text)
    .replace(/^\|.*$/gm, '')
    .replace(/^#.*$/gm, '')
    .replace(/^\s*(?:[-*]|\d+[.)]) /gm, '\n\n');

export const MAX_WORDS = 25;
/** Metaphors and old words first, then spellings that are not American. */
const AVOIDED = new RegExp(
  `\\b(?:${[
    'mend(?:s|ed|ing)?',
    'obey(?:s|ed|ing)?',
    'wish(?:es|ed)?',
    'anew',
    'lineages?',
    'heirs?',
    'vanish(?:es|ed|ing)?',
    'rosters?',
    'deeds?',
    'strangers?',
    'letters? (?:is|are|was|were) sent',
    'sends? (?:a|the) letters?',
    'metres?',
    'colours?',
    'neighbours?',
    'programmes?',
    'labelled',
    'recognise[sd]?',
  ].join('|')})\\b`,
  'gi',
);
