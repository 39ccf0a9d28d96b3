/** One place where every answered request is written down: a log line and the figures. */

import type { TierName } from '../accounts/index.ts';
import type { Log } from '../log.ts';
import { describeQueries, type FinishedSpan, type Tracing, timeOf } from '../telemetry/index.ts';
import { METHODS, type RequestStats } from './metrics/request-stats.ts';

/** What is known of a request when it is answered. Nothing in it holds a key or a query. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  /** The template, such as `/api/v1/events/{id}`; never the path as sent, which is anyone's text. */
  route: string;
  status: number;
  /** `performance.now()` at arrival. */
  startedAt: number;
  keyId?: string | undefined;
  tier?: TierName | undefined;
  /** As Node has them: `traceparent` is looked for where requests are traced, and nothing else. */
  rawHeaders?: readonly string[];
  /** A fault that a test key asked for: in the log, but in no figure. */
  isSimulated?: boolean;
}

export type Observe = (answered: AnsweredRequest) => void;

export function createObserver(log: Log, metrics: RequestStats | null, tracing: Tracing | null = null): Observe {
  // Every field of the line is chosen here: the search for secrets in it would cost more than the line.
  const lines = log.child({}, { redact: [] });
  return (answered) => {
    const { requestId, method, route, status, startedAt, keyId, isSimulated = false } = answered;
    const milliseconds = performance.now() - startedAt;
    if (!isSimulated) metrics?.answered(route, method, status, milliseconds);
    if (tracing && !isSimulated) tracing.record(toSpan(answered, milliseconds));
    const level = status >= 500 && !isSimulated ? 'warn' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const line = { requestId, method, route, status, ms: Math.round(milliseconds * 100) / 100, keyId };
    lines[level](isSimulated ? { ...line, isSimulated } : line, 'answered');
  };
}

/** Nothing of what the caller sent is in it but the method and its place in a trace. */
function toSpan(
  { requestId, method, route, status, startedAt, tier, rawHeaders = [] }: AnsweredRequest,
  milliseconds: number,
): FinishedSpan {
  const known = METHODS.includes(method) ? method : 'other';
  const queries = describeQueries();
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'traceparent');
  return {
    name: `${known} ${route}`,
    kind: 'server',
    startedAt: timeOf(startedAt),
    endedAt: timeOf(startedAt + milliseconds),
    attributes: {
      'http.request.method': known,
      'http.route': route,
      'http.response.status_code': status,
      'marquee.request_id': requestId,
      ...(tier !== undefined && { 'marquee.tier': tier }),
      ...queries.attributes,
    },
    steps: queries.steps,
    isError: status >= 500,
    traceparent: at < 0 ? undefined : rawHeaders[at + 1],
  };
}

/** Templates for what no row of a table stands for. */
export const UNKNOWN_API_ROUTE = '/api/v1/*';
export const UNKNOWN_ROUTE = '*';
