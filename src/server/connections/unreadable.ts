/** What the parser of HTTP could not read, or was not sent in time, by Node's code. */

import type { Problem } from '../../http/index.ts';

interface Unreadable {
  /** For the metrics. */
  reason: 'parse' | 'timeout' | 'headers';
  problem: Problem;
}

export function describeUnreadable(code: string | undefined): Unreadable {
  return BY_CODE[code ?? ''] ?? NO_REQUEST;
}

const NO_REQUEST: Unreadable = {
  reason: 'parse',
  problem: { code: 'bad_request', detail: 'the bytes are not an HTTP/1.1 request' },
};
const BY_CODE: Readonly<Record<string, Unreadable>> = {
  HPE_INVALID_URL: {
    reason: 'parse',
    problem: { code: 'bad_request', detail: 'the URL has a character that must be percent-encoded (RFC 3986)' },
  },
  HPE_HEADER_OVERFLOW: {
    reason: 'headers',
    problem: { code: 'headers_too_large', detail: 'the URL and the headers together are larger than 16 KiB' },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'timeout',
    problem: { code: 'request_timeout', detail: 'the request did not arrive in time' },
  },
};
