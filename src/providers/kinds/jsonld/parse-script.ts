/** The text of a JSON-LD script into its value. */

import { ProviderError } from '../../provider-error.ts';
import { parseJson } from '../../reading/parse-json.ts';

/** Throws a `ProviderError`: what `parseJson` throws, after repairing what pages are seen to do to JSON. */
export function parseScript(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'not_of_the_kind') throw error;
    return parseJson(fix(text));
  }
}

/**
 * JSON without what scripts have beside it: comments (ECMAScript §12.4 and B.1.1, where `<!--` and `-->` begin one-line comments),
 * CDATA marks, commas before a closing bracket, a semicolon at the end; in texts, control characters and unknown escapes become what
 * they stand for. Never changes the value of what is JSON already. Linear.
 */
function fix(text: string): string {
  let fixed = '';
  let comma = '';
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    const end = char === '"' ? endOfText(text, at) : endOfAside(text, at);
    const piece = pieceOf(text, at, end);
    at = Math.max(end, at + 1);
    if (piece === '' || BLANK.test(piece.charAt(0))) continue;
    // A comma is written once it is clear that no bracket closes behind it.
    if (piece !== ',') fixed += CLOSING.test(piece.charAt(0)) ? piece : comma + piece;
    comma = piece === ',' ? ',' : '';
  }
  return fixed.replace(/;$/, '');
}

/** A text with its quotes, a single character, or nothing for what stands beside JSON. */
function pieceOf(text: string, at: number, end: number): string {
  const char = text.charAt(at);
  if (char === '"') return text.slice(at, end).replace(ODD_IN_TEXT, fixChar);
  return end > at ? '' : char;
}

/** After the closing quote of the text that opens at `from`. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"') return at + 1;
  }
  return text.length;
}

/** After the comment or mark that begins at `from`; `from` itself when none does. */
function endOfAside(text: string, from: number): number {
  ASIDE.lastIndex = from;
  return ASIDE.test(text) ? ASIDE.lastIndex : from;
}

function fixChar(odd: string): string {
  if (odd.length === 1) return `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = odd.charAt(1);
  if ('"\\/bfnrtu'.includes(escaped)) return odd;
  return escaped.replace(ODD_IN_TEXT, fixChar);
}

const ODD_IN_TEXT = /\\[\s\S]|\p{Cc}/gu;
const CLOSING = /[}\]]/;
const BLANK = /\s|\ufeff/;
/** Each alternative takes all that it looked at, so that no text is looked at twice. */
const ASIDE = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\/\*[\s\S]*|<!--[^\n]*?-->|<!--[^\n]*|-->[^\n]*|<!\[CDATA\[|\]\]>/y;
