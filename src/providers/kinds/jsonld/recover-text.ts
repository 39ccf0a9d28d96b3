/** A text of JSON with quotes, line breaks and escapes that it should not have. */

export type RecoveredText =
  | { ok: true; json: string; next: number }
  /** `next` is where reading may go on. */
  | { ok: false; at: number; wanted: string; next: number };

/** What a text stands in; the outermost value ends at its first quote. */
export type TextPlace = 'object' | 'list' | 'document';

/**
 * The value that opens at `from`. A quote closes it if what follows can follow a value: a bracket, a comma before the next name or
 * value, the next name, or the end. A quote before a colon ends a name, so that the quote before it is missing. Any other quote is
 * part of the text. Control characters and unknown escapes become what they stand for.
 */
export function readBrokenText(text: string, from: number, isIn: TextPlace): RecoveredText {
  let json = '';
  let done = from + 1;
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    if (char !== '"') continue;
    const next = nonBlank(text, at + 1);
    if (text.charAt(next) === ':') return { ok: false, at, wanted: 'a closing quote before it', next: at };
    const part = text.slice(done, at).replace(ODD, fixChar);
    if (closes(text, next, isIn)) return { ok: true, json: `"${json}${part}"`, next: at + 1 };
    json += `${part}\\"`;
    done = at + 1;
  }
  return { ok: false, at: from, wanted: 'a closing quote of this text', next: text.length };
}

/** The name of a member that opens at `from`; null where it has no closing quote. */
export function readBrokenName(text: string, from: number): { json: string; next: number } | null {
  const end = endOfText(text, from);
  if (end === -1) return null;
  return { json: `"${text.slice(from + 1, end).replace(ODD, fixChar)}"`, next: end + 1 };
}

/** Where the first quote is that no backslash escapes. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"') return at;
  }
  return -1;
}

/** Whether a value may end before `at`. */
function closes(text: string, at: number, isIn: TextPlace): boolean {
  const char = text.charAt(at);
  if (isIn === 'document' || char === '' || char === '}' || char === ']' || ASIDE.test(text.slice(at, at + ASIDE_CHARS)))
    return true;
  if (char === '"') return isIn === 'object' && isName(text, at);
  if (char !== ',') return false;
  const next = nonBlank(text, at + 1);
  if (text.charAt(next) === '"' && isIn === 'object') return isName(text, next, true);
  return BEHIND_COMMA.test(text.charAt(next)) || text.charAt(next) === '' || ASIDE.test(text.slice(next, next + ASIDE_CHARS));
}

/** Whether the quote at `at` opens the name of a member; `isAtEnd` for one in which the text ends. */
function isName(text: string, at: number, isAtEnd = false): boolean {
  const end = endOfText(text, at);
  return end === -1 ? isAtEnd : text.charAt(nonBlank(text, end + 1)) === ':';
}

function nonBlank(text: string, from: number): number {
  let at = from;
  while (BLANK.test(text.charAt(at))) at++;
  return at;
}

function fixChar(odd: string): string {
  if (odd.length === 1) return `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = odd.charAt(1);
  if (odd.length > 2 || '"\\/bfnrt'.includes(escaped)) return odd;
  return escaped.replace(ODD, fixChar);
}

const ODD = /\\u[\da-f]{4}|\\[\s\S]|\p{Cc}/giu;
const BLANK = /[\s\ufeff]/;
const ASIDE = /^(?:\/[/*]|<!|<\/?(?:br|p)\b|-->|\]\]>)/i;
const ASIDE_CHARS = 4;
/** A list may go on with any value, and a comma too many may stand before a bracket. */
const BEHIND_COMMA = /["[{}\]\d,tfn-]/;
