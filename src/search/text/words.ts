/** A text as the list of its folded words, in order. */

import { fold } from './fold.ts';

/**
 * The folded words of a text. A word is a run of letters and numbers; an apostrophe inside one is dropped ("don't" → dont), after an s
 * with the s that follows it ("Thomas's" → thomas: without it the possessive would look like a word in -ss);
 * each character of a script written without spaces is a word of its own; all else separates. Linear time, never throws.
 */
export function words(text: string): string[] {
  const plain = toAscii(text);
  return plain === null ? wordRuns(text).flat() : asciiWords(plain);
}

/** The same words, grouped: those that stand together with nothing between them, as 東京 does, are one run; any other is alone. */
export function wordRuns(text: string): string[][] {
  const runs: string[][] = [];
  let end = -1;
  for (const match of fold(text).matchAll(WORD)) {
    const word = clipped(withoutApostrophes(match[0]));
    const last = runs.at(-1);
    if (last && match.index === end) last.push(word);
    else runs.push([word]);
    end = match.index + match[0].length;
  }
  return runs;
}

/** Folded, when the folding of each character stands alone and leaves ASCII; else null. */
function toAscii(text: string): string | null {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(EVERY_NOT_ASCII, plainCharacter);
  return NOT_ASCII.test(plain) ? null : plain.toLowerCase();
}

function plainCharacter(character: string): string {
  if (character >= FIRST_PICTURE && character <= LAST_PICTURE) return ' ';
  return PLAIN_CHARACTERS.get(character) ?? character;
}

/** `text` is ASCII in lower case. */
function asciiWords(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  let joined = false;
  for (let at = 0; at <= text.length; at += 1) {
    const kind = at < text.length ? ASCII_KINDS[text.charCodeAt(at)] : SEPARATOR;
    const isInWord = kind === LETTER || kind === DIGIT;
    if (isInWord && start < 0) start = at;
    if (isInWord || start < 0) continue;
    if (kind === APOSTROPHE && ASCII_KINDS[text.charCodeAt(at + 1)] === LETTER) {
      joined = true;
      continue;
    }
    const word = text.slice(start, at);
    found.push(clipped(joined ? withoutApostrophes(word) : word));
    start = -1;
    joined = false;
  }
  return found;
}

const withoutApostrophes = (word: string): string => word.replace(POSSESSIVE_AFTER_S, '').replace(APOSTROPHES, '');

/** Never ends within a surrogate pair. */
function clipped(word: string): string {
  if (word.length <= MAX_WORD_LENGTH) return word;
  return word.slice(0, MAX_WORD_LENGTH).replace(HALF_PAIR, '');
}

/** UTF-16 units. A longer word is known by its beginning, in texts and queries alike, so no listing can bloat the vocabulary. */
const MAX_WORD_LENGTH = 100;

const HALF_PAIR = /[\ud800-\udbff]$/;
const NOT_ASCII = /[^\0-\x7f]/;
const EVERY_NOT_ASCII = /[^\0-\x7f]/gu;
const PART_OF_WORD = /[\p{L}\p{N}\p{M}]/u;
/** The last is Hebrew, where an apostrophe is typed for it as often. */
const APOSTROPHES = /['‘’ʻʼ׳]/g;
const POSSESSIVE_AFTER_S = /(?<=s)['‘’ʻʼ]s$/;
/** Scripts whose texts have no spaces between words. */
const UNSPACED =
  '[[\\p{L}\\p{N}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}\\p{sc=Yi}]]';
/** Modifier letters that look like apostrophes are no letters here. */
const SPACED = `[[[\\p{L}\\p{N}]--${UNSPACED}]--[ʻʼ]]`;
const WORD = new RegExp(`${UNSPACED}\\p{M}*|${SPACED}[${SPACED}\\p{M}]*(?:['‘’ʻʼ׳](?=\\p{L})${SPACED}[${SPACED}\\p{M}]*)*`, 'gv');

const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 39 ? APOSTROPHE : SEPARATOR;
});

/** Unicode blocks of emoji and other pictures, no letter among them. */
const FIRST_PICTURE = '\u{1f300}';
const LAST_PICTURE = '\u{1faff}';

/** Accented Latin, accents, punctuation, signs, arrows, dingbats, variation selectors, full-width ASCII. */
const COMMON_BLOCKS = [
  [0x80, 0x36f],
  [0x1e00, 0x1eff],
  [0x2000, 0x27bf],
  [0xfe00, 0xfe0f],
  [0xff01, 0xff5e],
] as const;
/** The characters of those blocks, each with its folding, where that is ASCII; most texts have no others. */
const PLAIN_CHARACTERS: ReadonlyMap<string, string> = new Map(COMMON_BLOCKS.flatMap(([first, last]) => plainBlock(first, last)));

function plainBlock(first: number, last: number): [string, string][] {
  const block: [string, string][] = [];
  for (let code = first; code <= last; code += 1) {
    const character = String.fromCharCode(code);
    const folded = fold(character).replace(APOSTROPHES, "'");
    if (!NOT_ASCII.test(folded)) block.push([character, folded]);
    else if (!PART_OF_WORD.test(folded)) block.push([character, ' ']);
  }
  return block;
}
