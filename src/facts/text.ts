/** Plain text within limits. Lengths count code points, as the store does. */

import { decodeHTMLAttribute } from 'entities';
import { plainText, printableText } from '../providers/index.ts';
import { parseHttpUrl } from '../values/http-url.ts';
import { LIMITS } from './limits.ts';

/** Clean text on one line; '' when there is none. */
export function oneLine(text: string | null): string {
  return text === null ? '' : plainText(text).replace(/\s+/g, ' ');
}

/** An id as the provider wrote it, without what people do not see; '' when there is none. It is no text: nothing is decoded. */
export function idOf(text: string | null): string {
  return text === null ? '' : printableText(text).replace(/\s+/g, ' ').trim();
}

/** Clean lines without repetitions; at most `mostEntries`, the first ones. */
export function lines(texts: readonly string[], most: number, mostEntries: number): string[] {
  const cleaned = texts.slice(0, mostEntries * 2).map((text) => cutAtWord(oneLine(text), most));
  return [...new Set(cleaned.filter((text) => text !== ''))].slice(0, mostEntries);
}

/** Text that is too long ends at a word, with an ellipsis. */
export function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = characters.slice(0, most - 1).join('');
  const atWord = head.replace(/\s+\S*$/u, '');
  const kept = atWord.length >= head.length * MIN_KEPT ? atWord : head;
  return `${kept.replace(/[\s,;:–—-]+$/u, '')}…`;
}

/**
 * Letters without accents, in lower case, everything else as single blanks: what words are looked up in. Remembered for a while: venues,
 * kinds and the titles of series come again and again.
 */
export function folded(text: string): string {
  const held = foldings.get(text);
  if (held !== undefined) return held;
  const plain = PLAIN.test(text) ? text : text.normalize('NFKD').replace(/\p{M}+|[’‘ʼ]/gu, '');
  const result = plain
    .replaceAll("'", '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}+&$#]+/gu, ' ')
    .trim();
  if (foldings.size >= MAX_FOLDINGS) foldings.clear();
  if (text.length <= MAX_FOLDED_CHARS) foldings.set(text, result);
  return result;
}

const foldings = new Map<string, string>();

const PLAIN = /^[\x20-\x7e]*$/;
const MAX_FOLDINGS = 5000;
const MAX_FOLDED_CHARS = 300;
/** A word longer than a fifth of the text is cut within. */
const MIN_KEPT = 0.8;

/** An absolute http or https address without a password, or null. Nothing is fetched here. */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > LIMITS.url * 2) return null;
  const trimmed = decodeHTMLAttribute(text.trim());
  const address = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
  if (address.length > LIMITS.url) return null;
  return parseHttpUrl(address)?.hostname.includes('.') ? address.normalize('NFC') : null;
}
