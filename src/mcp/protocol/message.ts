/** JSON-RPC 2.0 messages: text in, a message or the reason why it is none out. */

export type JsonObject = { readonly [name: string]: unknown };
export type MessageId = string | number;

export type McpMessage =
  | { kind: 'request'; id: MessageId; method: string; params: JsonObject }
  | { kind: 'notification'; method: string; params: JsonObject }
  /** An answer to a request of ours. */
  | { kind: 'response'; message: JsonObject }
  | { kind: 'invalid'; id: MessageId | null; error: 'parse_error' | 'invalid_request'; detail: string };

export function parseMessage(text: string): McpMessage {
  if (isTooDeep(text)) return invalid(null, `JSON may be nested ${MAX_DEPTH} levels deep`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', id: null, error: 'parse_error', detail: 'the body is not JSON' };
  }
  return readMessage(value);
}

/** `value`: parsed JSON. */
export function readMessage(value: unknown): McpMessage {
  if (Array.isArray(value)) return invalid(null, 'send one message per request; batches are not accepted');
  if (!isObject(value) || value.jsonrpc !== '2.0') return invalid(null, 'a message is a JSON object with "jsonrpc": "2.0"');
  const { id, method, params = {} } = value;
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (method === undefined && known !== null && ('result' in value || 'error' in value)) {
    return { kind: 'response', message: value };
  }
  if (typeof method !== 'string') return invalid(known, 'method must be a string');
  if (!isObject(params)) return invalid(known, 'params must be an object');
  if (!('id' in value)) return { kind: 'notification', method, params };
  if (known === null) return invalid(null, 'id must be a string or a number');
  return { kind: 'request', id: known, method, params };
}

const invalid = (id: MessageId | null, detail: string): McpMessage => ({ kind: 'invalid', id, error: 'invalid_request', detail });

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of parsed JSON as text. `String` alone throws for `{"toString":1}`. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Looks at brackets outside of strings, before anything is built from the text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** Where the closing quote stands; the end of the text where there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return text.length;
}

/** Arguments of the deepest tool have four levels. */
const MAX_DEPTH = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
