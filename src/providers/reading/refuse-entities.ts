/** XML of a stranger, looked over before any parser sees it. */

import { ProviderError } from '../provider-error.ts';

/**
 * Throws a `ProviderError`: `has_entities` for entities that the document declares (billion laughs, external files; no feed needs one) and
 * for more than 100 000 numeric references, `too_deep` beyond 64 levels of elements. A document type that only names itself, as RSS 0.91
 * must, is harmless: nobody fetches what it names. Takes linear time.
 */
export function refuseEntities(xml: string): void {
  // Anywhere, comments and CDATA included: parsers disagree on where those end.
  const types = xml.match(/<!\s*(?:DOCTYPE|ENTITY)/gi)?.length ?? 0;
  if (types > 1 || (types === 1 && !namesItsTypeOnly(xml)))
    throw new ProviderError('has_entities', 'the document declares entities, which no feed needs');
  let references = 0;
  for (let at = xml.indexOf('&#'); at !== -1; at = xml.indexOf('&#', at + 2)) references++;
  if (references > MAX_REFERENCES)
    throw new ProviderError('has_entities', `the document has more than ${MAX_REFERENCES} numeric character references`);
  if (isDeeper(xml, MAX_DEPTH)) throw new ProviderError('too_deep', `the document is nested deeper than ${MAX_DEPTH} elements`);
}

/** Before all elements, behind the XML declaration and plain comments (XML 1.0 §2.8), and without definitions of its own. */
function namesItsTypeOnly(xml: string): boolean {
  let at = 0;
  for (;;) {
    while (/[\s\ufeff]/.test(xml.charAt(at))) at++;
    const before = OPAQUE.find(({ start }) => start !== '<![CDATA[' && xml.startsWith(start, at));
    if (!before) break;
    const end = xml.indexOf(before.end, at + before.start.length);
    if (end === -1 || xml.slice(at + 1, end).includes('<')) return false;
    at = end + before.end.length;
  }
  return PLAIN_TYPE.test(xml.slice(at, at + MAX_TYPE_CHARS).replace(/\s+/g, ' '));
}

function isDeeper(xml: string, most: number): boolean {
  let depth = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    const opaque = OPAQUE.find(({ start }) => xml.startsWith(start, at));
    if (opaque) {
      const end = xml.indexOf(opaque.end, at + opaque.start.length);
      if (end === -1) return false;
      at = end + opaque.end.length;
      continue;
    }
    const end = endOfTag(xml, at + 1);
    if (xml[at + 1] === '/') depth = Math.max(0, depth - 1);
    else if (xml[end - 1] !== '/') depth++;
    if (depth > most) return true;
    at = end;
  }
  return false;
}

/** Of the tag's `>`, which may stand in an attribute's value too; the end of the text when there is none. */
function endOfTag(xml: string, from: number): number {
  let quote = '';
  for (let at = from; at < xml.length; at++) {
    const char = xml.charAt(at);
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
  }
  return xml.length;
}

const OPAQUE = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
] as const;
/** XML 1.0 §2.8 without an internal subset, its blanks single. */
const PLAIN_TYPE = /^<!DOCTYPE [\w:.-]+ ?(?:PUBLIC ?(?:"[^"<>]*"|'[^'<>]*')|SYSTEM)? ?(?:"[^"<>]*"|'[^'<>]*')? ?>/i;
const MAX_TYPE_CHARS = 1_000;
const MAX_REFERENCES = 100_000;
const MAX_DEPTH = 64;
