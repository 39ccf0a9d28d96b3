/** JSON of a stranger: limited before it is parsed, and harmless after. */

import { ProviderError } from '../provider-error.ts';
import { decodeText } from './decode-text.ts';

/**
 * Throws a `ProviderError`: `too_deep` beyond 64 levels, `not_of_the_kind` for what is not JSON, `garbled` as `decodeText`. Keys named `__proto__` are
 * dropped. A whole number that a double cannot hold is its digits as text, as ids must not run together; one beyond all doubles is null.
 */
export function parseJson(document: string | Uint8Array): unknown {
  try {
    const text =
      typeof document === 'string' ? document.replace(/^\ufeff/, '') : decodeText({ body: document, contentType: null });
    if (depthOf(text) > MAX_DEPTH) throw new ProviderError('too_deep', `the document is nested deeper than ${MAX_DEPTH} levels`);
    const value: unknown = HARD_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
    if (PROTO.test(text)) dropProto(value);
    return value;
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const reason = (error as Error).message.replace(/\p{Cc}/gu, ' ').slice(0, MAX_REASON_CHARS);
    throw new ProviderError('not_of_the_kind', `the document is not JSON: ${reason}`);
  }
}

/** How deep lists and objects are nested, without parsing. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inText && code === BACKSLASH) i++;
    else if (code === QUOTE) inText = !inText;
    else if (!inText && (code === OPEN_LIST || code === OPEN_OBJECT)) deepest = Math.max(deepest, ++depth);
    else if (!inText && (code === CLOSE_LIST || code === CLOSE_OBJECT)) depth--;
  }
  return deepest;
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (!Number.isFinite(value)) return null;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}

/** `JSON.parse` makes it a key like any other, but the first copy into another object would make it a prototype. */
function dropProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const each of Object.values(value)) dropProto(each);
}

const MAX_DEPTH = 64;
const MAX_REASON_CHARS = 200;
/** A number of 16 digits or more, or with an exponent of three: those that a double may not hold. Also seen in texts, which costs time only. */
const HARD_NUMBER = /[:[,\s]-?(?:\d{16}|[\d.]{1,30}e\+?\d{3})/i;
/** Also when its first letter is escaped. */
const PROTO = /__proto__|\\u005f/i;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
