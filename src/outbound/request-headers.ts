/** The headers of a request, and what a caller may remember of an answer to ask again with. */

import type { Limits } from './limits.ts';
import type { OutboundRequest } from './model.ts';

export function headersOf(request: OutboundRequest, userAgent: string, limits: Limits): Record<string, string> {
  const { accept = '*/*', headers = {} } = request;
  const own = Object.entries(headers).filter(([name]) => !FRAMING.includes(name.toLowerCase()));
  const etag = validator(request.etag ?? undefined, limits);
  const lastModified = validator(request.lastModified ?? undefined, limits);
  return {
    ...Object.fromEntries(own),
    'user-agent': userAgent,
    accept,
    'accept-encoding': 'gzip',
    connection: 'close',
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  };
}

/** One that is not worth keeping, or could not be sent back, is none. */
export function validator(value: string | undefined, limits: Limits): string | null {
  return value !== undefined && /^[\x20-\x7e]+$/.test(value) && value.length <= limits.validatorChars ? value : null;
}

/** Those that say where a request goes and how long it is are not the caller's. */
const FRAMING = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
