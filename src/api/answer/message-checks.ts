/** What makes a message itself unfit, whatever it asks for. */

import type { IncomingMessage } from 'node:http';
import type { Problem } from '../errors.ts';
import type { RequestHead } from './request-head.ts';

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

const MAX_HEADERS = 100;
/** Larger declared bodies are refused instead of ignored: their senders mean something else. */
const MAX_IGNORED_BODY_BYTES = 16_384;
