/** The head of a request: its headers, the parts of its target, what makes it unfit whatever it asks for, and the id that the service gives it. */

import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Problem } from './problems.ts';

export interface RequestHead {
  hosts: number;
  /** An array when it came more than once. */
  apiKey: string | string[] | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  prefer: string | undefined;
  /** `X-Marquee-Simulate`. */
  simulate: string | undefined;
  /** Octets of body: as declared, `Infinity` when it comes in chunks, 0 without one. */
  bodyLength: number;
  /** Whether the end of the body can be told: the last transfer coding is `chunked` (RFC 9112 §6.3). */
  framed: boolean;
}

/** In one pass over what was sent: Node's own map would hide repetitions (RFC 9110 §5.3). `raw` as Node's `rawHeaders`: names and values in turn. */
export function readHead(raw: readonly string[]): RequestHead {
  const head: RequestHead = {
    hosts: 0,
    apiKey: undefined,
    accept: undefined,
    acceptEncoding: undefined,
    ifNoneMatch: undefined,
    prefer: undefined,
    simulate: undefined,
    bodyLength: 0,
    framed: true,
  };
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string;
    // The length decides first: most headers are not compared at all.
    if (!READ_LENGTHS.has(name.length)) continue;
    const value = raw[i + 1] as string;
    switch (name.toLowerCase()) {
      case 'host':
        head.hosts++;
        break;
      case 'x-api-key':
        head.apiKey = head.apiKey === undefined ? value : [...[head.apiKey].flat(), value];
        break;
      case 'accept':
        head.accept = join(head.accept, value);
        break;
      case 'accept-encoding':
        head.acceptEncoding = join(head.acceptEncoding, value);
        break;
      case 'if-none-match':
        head.ifNoneMatch = join(head.ifNoneMatch, value);
        break;
      case 'prefer':
        head.prefer = join(head.prefer, value);
        break;
      case 'x-marquee-simulate':
        head.simulate = join(head.simulate, value);
        break;
      case 'content-length':
        head.bodyLength = Math.max(head.bodyLength, Number(value) || 0);
        break;
      case 'transfer-encoding':
        head.bodyLength = Number.POSITIVE_INFINITY;
        head.framed = LAST_IS_CHUNKED.test(value);
        break;
    }
  }
  return head;
}

function join(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

/** Null when nothing is wrong. RFC 9112 §3.2 (`Host`), §6.3 (framing), RFC 9110 §15.5.14 (413), RFC 6585 §5 (431). */
export function checkMessage(req: IncomingMessage, head: RequestHead): Problem | null {
  if (head.hosts !== 1 && (head.hosts > 1 || req.httpVersionMinor > 0)) {
    return { code: 'bad_request', detail: 'a request has exactly one Host header' };
  }
  if (!head.framed) return { code: 'bad_request', detail: 'the last transfer coding of a request is chunked' };
  if (req.rawHeaders.length > MAX_HEADERS * 2) {
    return { code: 'headers_too_large', detail: `a request has at most ${MAX_HEADERS} headers` };
  }
  const readOnly = req.method === 'GET' || req.method === 'HEAD';
  if (readOnly && head.bodyLength !== Number.POSITIVE_INFINITY && head.bodyLength > MAX_IGNORED_BODY_BYTES) {
    return { code: 'payload_too_large', detail: `a body above ${MAX_IGNORED_BODY_BYTES} bytes is refused; none is needed` };
  }
  return null;
}

/** Path and query as sent, without their marks; a fragment, which no client should send, is dropped. */
export function splitTarget(target: string): { path: string; query: string } {
  const hash = target.indexOf('#');
  const whole = hash < 0 ? target : target.slice(0, hash);
  const mark = whole.indexOf('?');
  return mark < 0 ? { path: whole, query: '' } : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/**
 * Time (10), a random mark of this process (10), a counter (6): unique without asking for randomness every time. They tell requests
 * apart and guard nothing.
 */
export function createRequestIds(now: () => number = Date.now, mark: Uint8Array = randomBytes(MARK_LENGTH)): () => string {
  const processMark = Array.from(mark.subarray(0, MARK_LENGTH), (byte) => ALPHABET[byte & 31]).join('');
  let era = Number.NaN;
  let eraMark = '';
  let counter = 0;
  let counterMark = '';
  return () => {
    const at = now();
    // Of the ten characters of time all but two stay for a second, of the counter's six for a thousand requests.
    const thisEra = Math.floor(at / TEN_BITS);
    if (thisEra !== era) {
      era = thisEra;
      eraMark = formatFortyBits(thisEra);
    }
    counter = (counter + 1) % THIRTY_BITS;
    if (counterMark === '' || (counter & 1023) === 0) counterMark = processMark + formatTwentyBits(counter >>> 10);
    return `${eraMark}${PAIRS[at % TEN_BITS]}${counterMark}${PAIRS[counter & 1023]}`;
  };
}

/** Eight characters. */
function formatFortyBits(value: number): string {
  return formatTwentyBits(Math.floor(value / TWENTY_BITS)) + formatTwentyBits(value % TWENTY_BITS);
}

/** Four characters. */
function formatTwentyBits(value: number): string {
  return `${PAIRS[value >>> 10]}${PAIRS[value & 1023]}`;
}

const LAST_IS_CHUNKED = /(?:^|,)[ \t]*chunked$/i;
const READ_LENGTHS = new Set(
  [
    'host',
    'x-api-key',
    'accept',
    'accept-encoding',
    'if-none-match',
    'prefer',
    'x-marquee-simulate',
    'content-length',
    'transfer-encoding',
  ].map(({ length }) => length),
);
const MAX_HEADERS = 100;
/** Larger declared bodies are refused instead of ignored: their senders mean something else. */
const MAX_IGNORED_BODY_BYTES = 16_384;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Two characters for every ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, n) => `${ALPHABET[n >>> 5]}${ALPHABET[n & 31]}`);
const MARK_LENGTH = 10;
const TEN_BITS = 2 ** 10;
const TWENTY_BITS = 2 ** 20;
const THIRTY_BITS = 2 ** 30;
