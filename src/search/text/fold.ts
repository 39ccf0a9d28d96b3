/** One spelling for all the ways a word can be written: case, accents, widths and invisible characters folded away. */

/**
 * Folds a word, or a whole text (separators stay separators). NFC and NFD give the same; folding twice changes nothing.
 * Full case folding (Unicode §3.13) by way of upper case, so ß = ss, ς = σ and İ = ı = i. Never throws; time is linear in the length.
 */
export function fold(word: string): string {
  if (!NOT_ASCII.test(word)) return word.toLowerCase();
  // Accents go before normalizing: sorting a long pile of marks into canonical order costs the square of its height.
  const bare = word.replace(SIGNS, ' ').replace(DROPPED, '').replace(PILED_MARKS, '$1');
  const decomposed = bare.normalize('NFKD').replace(DROPPED, '');
  const cased = decomposed.toLowerCase().toUpperCase().toLowerCase();
  // Upper-casing has made new letters with marks of their own (ŉ, ΐ).
  return cased
    .normalize('NFKD')
    .replace(DROPPED, '')
    .replace(UNDECOMPOSED, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

const NOT_ASCII = /[^\0-\x7f]/;
/** Signs and emoji that would read as letters, and stick to the word before (Marvel™ is no "marveltm"). */
const SIGNS = /[™℠ℹ㊗㊙\u{1f200}-\u{1f2ff}]/gu;
/**
 * What carries no identity: invisible characters (joiners, direction marks, variation selectors, soft hyphens), the Arabic
 * stretcher, and accents. Vowel signs of Indic and South-East Asian scripts and the Japanese voicing marks are no accents:
 * they are half the word, and stay.
 */
const DROPPED =
  /[\p{Default_Ignorable_Code_Point}\u0640[[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]]--[\u3099\u309a]]]/gv;
/** No writing system stacks more marks on one letter; a longer pile is a prank. */
const PILED_MARKS = /(\p{M}{8})\p{M}+/gu;

/** Letters of Latin script that are letters of their own to Unicode and accented ones to everybody else. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ŋ: 'n',
  ƒ: 'f',
  ƀ: 'b',
  ɨ: 'i',
  ᵻ: 'i',
  ʉ: 'u',
  ɉ: 'j',
  ƶ: 'z',
  ǥ: 'g',
  ı: 'i',
  ȷ: 'j',
  ς: 'σ',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');
