/** A text as words with their signs: what an address is looked for in. */

import { foldWord, ordinalOf, spell } from './spelling.ts';

export interface AddressToken {
  /** As it is compared: a word in one spelling, digits, or `#2` for an ordinal. */
  word: string;
  /** Small letters without marks, else as it was written. */
  folded: string;
  /** As it stands in the text. */
  written: string;
  kind: 'word' | 'number' | 'ordinal';
  /** Of a number: what follows its digits, such as `b` of `15b`, `-37` of `35-37`, `1/2`. */
  tail: string;
  /** Counts the parts between commas, line ends and other signs. */
  segment: number;
  /** The sign before its segment: `,`, `(`, `\n` and so on; '' for the first. */
  sign: string;
  /** A hyphen stands between it and the word before. */
  isJoined: boolean;
  /** Inside of brackets. */
  inBrackets: boolean;
  /** Its first letter is large. */
  isCapital: boolean;
  /** All of its letters are large. */
  isUpper: boolean;
}

/** Reads at most `MAX_CHARS` characters. */
export function readTokens(text: string): AddressToken[] {
  const plain = plainText(text.slice(0, MAX_CHARS));
  const tokens: AddressToken[] = [];
  let [segment, sign, depth] = [0, '', 0];
  for (const match of plain.matchAll(TOKEN)) {
    const [, digits, tail = '', word, other] = match;
    if (other === undefined) {
      const found = digits === undefined ? [wordToken(word ?? '', plain, match.index)] : numberTokens(digits, tail);
      for (const token of found) tokens.push({ ...token, segment, sign, inBrackets: depth > 0 });
      continue;
    }
    depth = Math.max(0, depth + (BRACKETS.get(other) ?? 0));
    segment++;
    sign = other.trim() || '\n';
  }
  return tokens;
}

type BareToken = Omit<AddressToken, 'segment' | 'sign' | 'inBrackets'>;

type WordForm = Pick<AddressToken, 'word' | 'folded' | 'isCapital' | 'isUpper'>;

function wordToken(written: string, plain: string, index: number): BareToken {
  const hasDot = plain.charCodeAt(index + written.length) === FULL_STOP;
  const { word, folded, isCapital, isUpper } = formOf(written, hasDot);
  const isJoined = index > 0 && HYPHENS.has(plain.charAt(index - 1));
  return { word, folded, written, kind: 'word', tail: '', isJoined, isCapital, isUpper };
}

/** Remembered for a while: streets, kinds and towns come again and again. */
function formOf(written: string, hasDot: boolean): WordForm {
  const forms = hasDot ? DOTTED_FORMS : FORMS;
  const held = forms.get(written);
  if (held !== undefined) return held;
  const folded = foldWord(written.replace(APOSTROPHES, ''));
  const first = written.charAt(0);
  const isCapital = first !== first.toLowerCase();
  const form = { folded, word: spell(folded, hasDot), isCapital, isUpper: isCapital && written === written.toUpperCase() };
  if (forms.size >= MAX_FORMS) forms.clear();
  if (written.length <= MAX_FORM_CHARS) forms.set(written, form);
  return form;
}

const FORMS = new Map<string, WordForm>();
const DOTTED_FORMS = new Map<string, WordForm>();
/** About 1 MB. */
const MAX_FORMS = 5000;
const MAX_FORM_CHARS = 40;

function numberTokens(digits: string, tail: string): BareToken[] {
  const ending = foldWord(tail);
  const base = { written: digits + tail, tail: '', isJoined: false, isCapital: false, isUpper: false };
  const ordinal = tail === '' ? null : ordinalOf(digits, ending);
  if (ordinal !== null) return [{ ...base, word: ordinal, folded: digits + ending, kind: 'ordinal' }];
  if (tail === '' || HOUSE_TAIL.test(ending)) {
    return [{ ...base, word: digits, folded: digits + ending, kind: 'number', tail: ending.replace(RANGE_SIGN, '-').trim() }];
  }
  return [
    { ...base, written: digits, word: digits, folded: digits, kind: 'number' },
    { ...base, written: tail, word: spell(ending, false), folded: ending, kind: 'word' },
  ];
}

function plainText(text: string): string {
  let plain = text;
  if (plain.includes('<')) plain = plain.replace(LINE_BREAK, '\n').replace(TAG, ' ');
  if (plain.includes('&')) plain = plain.replace(ENTITY, (entity) => ENTITIES[entity.toLowerCase()] ?? ' ');
  if (!ASCII.test(plain)) plain = plain.normalize('NFC');
  plain = plain.replace(BLANKS, ' ');
  return plain.includes('/') ? plain.replace(CALLE, 'calle ') : plain;
}

const BRACKETS: ReadonlyMap<string, number> = new Map([
  ['(', 1],
  ['[', 1],
  [')', -1],
  [']', -1],
]);
const HYPHENS: ReadonlySet<string> = new Set('-–');
const MAX_CHARS = 500;
const FULL_STOP = '.'.charCodeAt(0);
const LINE_BREAK = /<\/?(?:br|p|div|li)\s*\/?>/gi;
const TAG = /<[^<>]*>/g;
const ENTITY = /&(?:amp|nbsp|quot|lt|gt|#39|#160|#8211|ndash);/gi;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&#39;': "'", '&ndash;': '–', '&#8211;': '–' };
const ASCII = /^[\0-\x7f]*$/;
const BLANKS = /[^\S\r\n]+/g;
/** Spanish: `C/ Mayor`. */
const CALLE = /\bc\/\s*(?=\p{L})/giu;
const APOSTROPHES = /['’‘`´]/g;
/** Digits with what belongs to them, a word, or a sign between parts. A hyphen parts only with blanks around it. */
const TOKEN =
  /(\d+)((?:\s?1\/2|\s?½|[-–]\d+(?:\p{L}(?!\p{L}))?|\s[-–]\s\d+(?!\d*\p{L}{2})|[\p{L}º°ª]+(?:[-–]\d+)?)?)|((?:[ldLD](?=['’]\p{L}{2}))|\p{L}(?:[\p{L}\p{M}]|['’‘`´](?=\p{L}))*)|([,;|•·:()[\]@&\n\r/+]|\s[-–—]{1,2}\s|[—])/gu;
const RANGE_SIGN = /\s?[-–]\s?/;
const HOUSE_TAIL = /^(?:\s?1\/2|\s?½|\s?[-–]\s?\d+[a-z]?|(?:bis|ter|quater|[a-z])(?:[-–]\d+)?)$/;
