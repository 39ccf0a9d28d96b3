/** XML of a stranger, looked over before any parser sees it. Not for HTML, whose doctype is harmless. */

import { ProviderError } from '../provider-error.ts';

/**
 * Throws a `ProviderError`: `has_entities` for a document type or an entity declaration anywhere (billion laughs, external files; no feed
 * needs one) and for more than 100 000 numeric references, `too_deep` beyond 64 levels of elements. Takes linear time.
 */
export function refuseEntities(xml: string): void {
  // Anywhere, comments and CDATA included: parsers disagree on where those end.
  if (/<!\s*(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new ProviderError('has_entities', 'the document declares a document type or entities, which no feed needs');
  let references = 0;
  for (let at = xml.indexOf('&#'); at !== -1; at = xml.indexOf('&#', at + 2)) references++;
  if (references > MAX_REFERENCES)
    throw new ProviderError('has_entities', `the document has more than ${MAX_REFERENCES} numeric character references`);
  if (isDeeper(xml, MAX_DEPTH)) throw new ProviderError('too_deep', `the document is nested deeper than ${MAX_DEPTH} elements`);
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
const MAX_REFERENCES = 100_000;
const MAX_DEPTH = 64;
