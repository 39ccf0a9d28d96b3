/** A text as the list of its folded words, in order. */

import { foldWord } from './fold.ts';

/**
 * The folded words of a text. A word is a run of letters and numbers; an apostrophe inside one is dropped ("don't" → dont);
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
  for (const match of foldWord(text).matchAll(WORD)) {
    const word = match[0].replace(APOSTROPHES, '').slice(0, MAX_WORD_LENGTH);
    const last = runs.at(-1);
    if (last && match.index === end) last.push(word);
    else runs.push([word]);
    end = match.index + match[0].length;
  }
  return runs;
}

/** Folded, when the folding of each character stands alone and leaves ASCII, as in nearly all texts; else null. */
function toAscii(text: string): string | null {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const plain = text.replace(EVERY_NOT_ASCII, plainCharacter);
  return NOT_ASCII.test(plain) ? null : plain.toLowerCase();
}

function plainCharacter(character: string): string {
  return PLAIN_CHARACTERS.get(character) ?? character;
}

/** `text` is ASCII in lower case. */
function asciiWords(text: string): string[] {
  const found: string[] = [];
  let start = -1;
  let joined = false;
  for (let at = 0; at <= text.length; at += 1) {
    const kind = at < text.length ? ASCII_KINDS[text.charCodeAt(at)] : SEPARATOR;
    if (kind === LETTER || kind === DIGIT) {
      if (start < 0) start = at;
      continue;
    }
    if (start < 0) continue;
    if (kind === APOSTROPHE && ASCII_KINDS[text.charCodeAt(at + 1)] === LETTER) {
      joined = true;
      continue;
    }
    const word = text.slice(start, Math.min(at, joined ? at : start + MAX_WORD_LENGTH));
    found.push(joined ? word.replaceAll("'", '').slice(0, MAX_WORD_LENGTH) : word);
    start = -1;
    joined = false;
  }
  return found;
}

/** UTF-16 units. A longer word is known by its beginning, in texts and queries alike, so no listing can bloat the vocabulary. */
const MAX_WORD_LENGTH = 100;

const NOT_ASCII = /[^\0-\x7f]/;
const EVERY_NOT_ASCII = /[^\0-\x7f]/g;
const APOSTROPHES = /['‘’ʻʼ]/g;
/** Scripts whose texts have no spaces between words. */
const UNSPACED =
  '[[\\p{L}\\p{N}]&&[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\p{sc=Tibetan}\\p{sc=Yi}]]';
/** Modifier letters that look like apostrophes are no letters here. */
const SPACED = `[[[\\p{L}\\p{N}]--${UNSPACED}]--[ʻʼ]]`;
const WORD = new RegExp(`${UNSPACED}\\p{M}*|${SPACED}[${SPACED}\\p{M}]*(?:['‘’ʻʼ](?=\\p{L})${SPACED}[${SPACED}\\p{M}]*)*`, 'gv');

const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
const APOSTROPHE = 3;
const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LETTER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code === 39 ? APOSTROPHE : SEPARATOR;
});

/** Latin letters with accents and general punctuation, each with its folding, as far as that is ASCII. */
const PLAIN_CHARACTERS: ReadonlyMap<string, string> = new Map(
  [...codes(0x80, 0x24f), ...codes(0x1e00, 0x1eff), ...codes(0x2000, 0x206f)].flatMap((code): [string, string][] => {
    const character = String.fromCharCode(code);
    const folded = foldWord(character).replace(APOSTROPHES, "'");
    if (!NOT_ASCII.test(folded)) return [[character, folded]];
    return /[\p{L}\p{N}\p{M}]/u.test(folded) ? [] : [[character, ' ']];
  }),
);

function codes(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
