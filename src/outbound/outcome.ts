/** What a caller is given of the last answer. */

import type { Target } from './check-address.ts';
import type { RawAnswer } from './exchange.ts';
import { Failure } from './failure.ts';
import type { Limits } from './limits.ts';
import type { FetchOutcome, OutboundRequest } from './model.ts';
import { validator } from './request-headers.ts';
import { readRetryAfter } from './retry-after.ts';

/** Throws a `Failure` for a status that is none of success. `now`: milliseconds. */
export function outcomeOf(
  { status, headers, body, bodyFault }: RawAnswer,
  { url, host }: Target,
  request: OutboundRequest,
  limits: Limits,
  now: number,
): FetchOutcome {
  const isConditional = Boolean(request.etag || request.lastModified);
  if (status === 304 && isConditional) return { ok: 'unchanged' };
  const retryAfter = () => readRetryAfter(headers['retry-after'], now, limits.retryAfterMs);
  if (!request.isApi && (status < 200 || status > 299)) {
    throw new Failure('status', `${host} answered with status ${status}`, { status, retryAfterMs: retryAfter() });
  }
  return {
    ok: true,
    status,
    url: url.href,
    body,
    contentType: headers['content-type'] ?? null,
    etag: validator(headers.etag, limits),
    lastModified: validator(headers['last-modified'], limits),
    ...(request.isApi && { headers: plainHeaders(headers), retryAfterMs: retryAfter() }),
    ...(bodyFault !== null && { bodyFault }),
  };
}

/** One text per name, as most headers come. */
function plainHeaders(headers: RawAnswer['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
