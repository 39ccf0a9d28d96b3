/** A title as words with signs between them, and its segments: the words between two strong signs. */

export interface TitleWord {
  text: string;
  /** Without accents, in lower case. */
  key: string;
  start: number;
  end: number;
}

export interface TitleWords {
  text: string;
  words: readonly TitleWord[];
  /** What stands before each word, and behind the last one. */
  gaps: readonly string[];
}

/** Words `from` to `to` (exclusive). */
export interface TitleRange {
  from: number;
  to: number;
}

export function titleWords(text: string): TitleWords {
  const words: TitleWord[] = [];
  let end = 0;
  for (const word of text.match(WORD) ?? []) {
    const start = text.indexOf(word, end);
    end = start + word.length;
    words.push({ text: word, key: wordKey(word), start, end });
  }
  const gaps = words.map(({ start }, index) => text.slice(words[index - 1]?.end ?? 0, start));
  return { text, words, gaps: [...gaps, text.slice(words.at(-1)?.end ?? 0)] };
}

/** Letters that Unicode does not take apart are written plainly, as people do who lack them: `odwolany`, `peruttu`. */
export function wordKey(word: string): string {
  if (/^[\x20-\x7e]*$/.test(word)) return word.toLowerCase();
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[łøæœßðþıđ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

export function segmentsOf({ words, gaps, text }: TitleWords): TitleRange[] {
  const segments: TitleRange[] = [];
  let from = 0;
  for (let index = 1; index <= words.length; index++) {
    if (index < words.length && !isStrong(gaps[index] ?? '', text, words[index]?.start ?? 0)) continue;
    segments.push({ from, to: index });
    from = index;
  }
  return segments;
}

/** All letters are capitals. */
export const isShouted = (text: string): boolean => /\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);

/** Whether a sign sets apart what is on both sides. A sign within a word or a number does not: `AC/DC`, `8:30`, `Sold-Out`. */
function isStrong(gap: string, text: string, end: number): boolean {
  if (/^[-'’./&@·+*!,=#_]$/.test(gap)) return false;
  if (/^[:–]$/.test(gap)) return !(/\d/.test(text[end - 2] ?? '') && /\d/.test(text[end] ?? ''));
  return STRONG.test(gap);
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  đ: 'd',
};
/** Brackets, bars, runs of signs, dashes with a blank, emoji. */
const STRONG =
  /[:;|~•·∙⋅◦●▪■★☆*=<>«»‹›[\](){}【】「」『』…_\\^¦‖!¡/]|\.{2}|\+{2}|\s[-‒−]|[-‒−]\s|-{2}|[–—―]|\p{Extended_Pictographic}/u;
