/**
 * A strict reader of query strings (`application/x-www-form-urlencoded`, WHATWG URL §5.1), which unlike the platform's own says what
 * it could not decode instead of putting U+FFFD in its place.
 */

export interface QueryPart {
  name: string;
  value: string;
}

export interface QueryParameters {
  parts: QueryPart[];
  /** Pieces with a broken percent sign or bytes that are no UTF-8, as sent. */
  broken: QueryPart[];
}

/** `text` is what stands after `?` in the request target. */
export function parseQuery(text: string): QueryParameters {
  const parts: QueryPart[] = [];
  const broken: QueryPart[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals < 0 ? piece : piece.slice(0, equals);
    const rawValue = equals < 0 ? '' : piece.slice(equals + 1);
    const name = decodeFormText(rawName);
    const value = decodeFormText(rawValue);
    if (name === null || value === null) broken.push({ name: name ?? rawName, value: rawValue });
    else parts.push({ name, value });
  }
  return { parts, broken };
}

/** Null when it cannot be decoded. */
export function decodeFormText(text: string): string | null {
  if (!NEEDS_DECODING.test(text)) return text;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === PERCENT) {
      const high = hexValue(text.charCodeAt(i + 1));
      const low = hexValue(text.charCodeAt(i + 2));
      if (high < 0 || low < 0) return null;
      bytes[length++] = high * 16 + low;
      i += 2;
      continue;
    }
    // A target is ASCII (RFC 3986 §2); the server's parser refuses anything else already.
    if (unit > MAX_ASCII) return null;
    bytes[length++] = unit === PLUS ? SPACE : unit;
  }
  try {
    return UTF8.decode(bytes.subarray(0, length));
  } catch {
    return null;
  }
}

/** −1 for what is no hexadecimal digit (`NaN`, past the end, included). */
function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

const NEEDS_DECODING = /[%+\u0080-\uffff]/;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const MAX_ASCII = 0x7f;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
