/** Sentences with choices in them: `{this|that}` takes one, `{name}` takes what the context calls so. */

import type { SeededRandom } from '../values/random.ts';

export type Vocabulary = Readonly<Record<string, string | readonly string[]>>;

/** Lines of a text block, trimmed, without the blank ones. */
export const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Fills a pattern; the innermost braces first, so choices may hold names. Throws `RangeError` for a name nobody knows. */
export function fill(pattern: string, words: Vocabulary, random: SeededRandom): string {
  let text = pattern;
  while (INNERMOST.test(text)) text = text.replace(INNERMOST, (_, inner: string) => choose(inner, words, random));
  return text;
}

function choose(inner: string, words: Vocabulary, random: SeededRandom): string {
  if (inner.includes('|')) return random.pick(inner.split('|'));
  const word = words[inner];
  if (word === undefined) throw new RangeError(`"${inner}" is no word of this text`);
  return typeof word === 'string' ? word : random.pick(word);
}

const INNERMOST = /\{([^{}]*)\}/;
