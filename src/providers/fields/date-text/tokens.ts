/** A text in numbers, words and signs. One pass; the length of the text is limited before. */

import type { HourKind, Phrase, WordKind } from './words.ts';

export type TextToken = {
  /** Nothing stands between it and the one before. */
  isAttached: boolean;
  /** It stands in brackets. */
  isAside: boolean;
} & ({ kind: 'number'; value: number; digits: number } | { kind: 'word'; text: string } | { kind: 'sign'; text: string });

/** `p.m.` and `a. m.` are one word after a number; of a word with a dash that `isKnown` does not know, the parts count. */
export function tokensOf(text: string, isKnown: (word: string) => boolean): TextToken[] {
  const plain = folded(text.replace(SHORT_YEAR, '20$1').replace(AMOUNT, ' ').replace(AGE, ' '))
    .replace(/(\d\s?)([ap])\.?\s?m\b\.?/g, '$1$2m ')
    .replace(/\bt\/m\b/g, 't m');
  const tokens: TextToken[] = [];
  let end = 0;
  let depth = 0;
  for (const match of plain.matchAll(PART)) {
    const [part] = match;
    const at = { isAttached: match.index === end, isAside: depth > 0 };
    end = match.index + part.length;
    if (part === '(' || part === '[') depth++;
    else if (part === ')' || part === ']') depth = Math.max(0, depth - 1);
    else if (/^\d/.test(part)) tokens.push({ ...at, kind: 'number', value: Number(part), digits: part.length });
    else if (/^\p{L}/u.test(part)) tokens.push(...wordsOf(part, at, isKnown));
    else tokens.push({ ...at, kind: 'sign', text: part });
  }
  return tokens;
}

function wordsOf(part: string, at: Pick<TextToken, 'isAttached' | 'isAside'>, isKnown: (word: string) => boolean): TextToken[] {
  if (!part.includes('-') || isKnown(part)) return [{ ...at, kind: 'word', text: part }];
  return part.split('-').flatMap((text, index): TextToken[] => {
    const word: TextToken = { ...at, isAttached: index > 0 || at.isAttached, kind: 'word', text };
    return index === 0 ? [word] : [{ ...at, isAttached: true, kind: 'sign', text: '-' }, word];
  });
}

/** Text as it is compared: small letters without accents, one kind of digit, dash, apostrophe and blank. */
export function folded(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .replace(/[øæœłđßı]/g, (letter) => LETTERS[letter] ?? letter)
      .replace(/[\u2010-\u2015\u2212\u2192~\u301c\uff5e]/g, '-')
      // Italian has the sign of degrees for the letter of an ordinal.
      .replace(/(?<=\d)°/g, 'o')
      .replace(/['’‘ʼ`]/g, ' ')
      .replace(/[٠-٩۰-۹०-९]/g, (digit) => String((digit.codePointAt(0) ?? 0) - zeroOf(digit)))
  );
}

/** The zero of the block of a digit: Arabic, Persian, Devanagari. */
const zeroOf = (digit: string): number => ['०', '۰', '٠'].find((zero) => zero <= digit)?.codePointAt(0) ?? 0;

/** Looking at the tokens of a text by their index; outside of it there is nothing. */
export function phraseAt<Kind extends WordKind | HourKind>(
  tokens: readonly TextToken[],
  at: number,
  phrases: ReadonlyMap<string, readonly Phrase<Kind>[]>,
  isWanted: (kind: Kind) => boolean,
): Phrase<Kind> | undefined {
  const token = tokens[at];
  if (!token || token.kind === 'number') return undefined;
  return phrases
    .get(token.text)
    ?.find(({ kind, words }) => isWanted(kind) && words.every((word, index) => textAt(tokens, at + index) === word));
}

function textAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token === undefined || token.kind === 'number' ? '' : token.text;
}

export function wordAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token?.kind === 'word' ? token.text : '';
}

export function signAt(tokens: readonly TextToken[], at: number): string {
  const token = tokens[at];
  return token?.kind === 'sign' ? token.text : '';
}

export function numberAt(tokens: readonly TextToken[], at: number): (TextToken & { kind: 'number' }) | undefined {
  const token = tokens[at];
  return token?.kind === 'number' ? token : undefined;
}

export function skip(tokens: readonly TextToken[], at: number, texts: ReadonlySet<string>): number {
  let next = at;
  while (next < at + MAX_PHRASE && texts.has(textAt(tokens, next))) next++;
  return next;
}

/** `3 jul ’26`. */
const SHORT_YEAR = /(?<=[\p{L}\d][.,]?\s)['’‘ʼ](\d{2})(?![\p{L}\d])/gu;
/** `$15` and `15 €` are no days. */
const AMOUNT = /\p{Sc}\s?\d{1,6}(?:[.,]\d{1,3})?|(?<![\d.,:])\d{1,6}(?:[.,]\d{1,3})?\s?\p{Sc}/gu;
/** `21+`, `ages 18 and over`. */
const AGE = /(?<![\d.,:])\d{1,2}\s?(?:\+(?!\s?\d)|(?:and|&)\s(?:over|up|older)\b)/giu;
const PART = /\d+|\p{L}+(?:-\p{L}+)*|[^\s\p{L}\d]/gu;
/** Letters with a sign that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ß: 'ss', ı: 'i' };
/** A phrase of the tables has no more words. */
export const MAX_PHRASE = 4;
