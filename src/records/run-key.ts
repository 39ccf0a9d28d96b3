/** Runs: the nights of one show, the branches of one programme. */

/**
 * Events with the same key show the same thing, where they share a venue or a provider. What names the night or the place makes no
 * difference: `Trivia Night (6/16)`, `TRIVIA NIGHT #12` and `Trivia Night at the Kestrel` have one key. A title without a letter is
 * its own key.
 */
export function runKey(title: string): string {
  const words = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .trim()
    .split(/\s+/u);
  const place = words.findIndex((word, index) => index >= MIN_WORDS && PLACE_WORDS.includes(word));
  const letters = (place < 0 ? words : words.slice(0, place))
    .join(' ')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  return (letters || words.join(' ') || title.trim()).slice(0, MAX_CHARS).trim();
}

/** What follows one of these is a place. */
const PLACE_WORDS: readonly string[] = ['@', 'at'];
/** Before the place; a shorter title says nothing without it, as in `Live at the Apollo`. */
const MIN_WORDS = 2;
/** An index holds the keys. */
const MAX_CHARS = 200;
