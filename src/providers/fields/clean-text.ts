/** From HTML, or text that went through a page template, to plain text. */

import { decodeHTMLStrict } from 'entities';

/**
 * Entities decoded (twice at most, as many feeds encode twice), tags gone, runs of blanks made one. Line breaks stay. What is read is
 * `MAX_CHARS` at most. The result holds nothing that looks like a tag, however the markup was nested.
 */
export function plainText(html: string): string {
  if (PLAIN_LINE.test(html) && html.length <= MAX_CHARS && !html.includes('  ')) return html.trim();
  const printable = printableText(html.slice(0, MAX_CHARS));
  const decoded = printable.includes('&') ? printableText(decodeTwice(withoutTags(printable))) : printable;
  return withoutTags(decoded)
    .normalize('NFC')
    .replace(/(?:\\r)?\\n(?=\s|$)/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Text in NFC without what people do not see: control characters, halves of surrogate pairs, marks that turn the direction of
 * writing, letters that only machines read (Unicode block Tags), fillers without width. Joiners stay: emoji and scripts need them.
 */
export function printableText(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .normalize('NFC');
}

/** HTML, "Named character references", closed by a semicolon. A reference to no character is gone instead of a replacement mark. */
function decodeTwice(text: string): string {
  const decoded = decodeHTMLStrict(decodeHTMLStrict(text));
  return text.includes('\ufffd') ? decoded : decoded.replaceAll('\ufffd', '');
}

/** Taking a tag out may join another together (`<<b>b>`); what is left after `MAX_ROUNDS` loses its opening brackets. */
function withoutTags(text: string): string {
  let left = text;
  for (let round = 0; round < MAX_ROUNDS && left.includes('<'); round++) {
    const stripped = stripTags(left);
    if (stripped === left) return left;
    left = stripped;
  }
  return left.replace(/<+(?=[a-z/!?])/gi, '');
}

/** Takes scripts, styles and comments away with what is in them. A bracket that opens no tag is text: `I <3 jazz`. Linear. */
function stripTags(text: string): string {
  const find = createFinder(text);
  let result = '';
  let from = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', Math.max(at + 1, from))) {
    const isComment = text.startsWith('<!--', at);
    const end = isComment ? find('-->', at + 4) + 3 : tagEnd(text, at);
    if (end <= at) continue;
    const tag = isComment ? '' : text.slice(at, end);
    const hiding = HIDING_TAG.exec(tag)?.[1]?.toLowerCase();
    const close = hiding === undefined ? -1 : find(`</${hiding}`, end);
    result += text.slice(from, at) + (BREAKING_TAG.test(tag) ? '\n' : '');
    from = close === -1 ? end : close;
  }
  return result + text.slice(from);
}

/** The index of a sign in lower case, or -1. What is not found once is not looked for again, as hostile text asks a thousand times. */
function createFinder(text: string): (sign: string, from: number) => number {
  const missing = new Set<string>();
  let lower: string | null = null;
  return (sign, from) => {
    if (missing.has(sign)) return -1;
    // Of ASCII alone: other letters may change their length.
    lower ??= text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
    const found = lower.indexOf(sign, from);
    if (found === -1) missing.add(sign);
    return found;
  };
}

/** The index after the `>` of a tag that opens at `at`; -1 when there is none. Quoted values may hold brackets. */
function tagEnd(text: string, at: number): number {
  if (!OPENS_TAG.test(text.slice(at + 1, at + 3))) return -1;
  const last = Math.min(text.length, at + MAX_TAG_CHARS);
  let quote = '';
  for (let index = at + 1; index < last; index++) {
    const character = text.charAt(index);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return index + 1;
    else if (character === '<') return -1;
    else if ((character === '"' || character === "'") && text.charAt(index - 1) === '=') quote = character;
  }
  return -1;
}

/** Most titles and names: nothing in them to decode, strip or join. */
const PLAIN_LINE = /^[\x20-\x25\x27-\x3b\x3d-\x5b\x5d-\x7e]*$/;
const PLAIN_ASCII = /^[\n\x20-\x7e]*$/;
const INVISIBLE =
  /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{E0000}-\u{E01EF}]/gu;
const OPENS_TAG = /^(?:[a-z!?]|\/[a-z])/i;
const BREAKING_TAG = /^<(?:br|hr|\/p|\/div|\/li|\/tr|\/h[1-6]|\/ul|\/ol|\/table|\/blockquote)\b/i;
const HIDING_TAG = /^<(script|style|template|noscript|iframe)\b/i;

/** Ten times the longest description that is kept. */
const MAX_CHARS = 200_000;
const MAX_TAG_CHARS = 2000;
const MAX_ROUNDS = 3;
