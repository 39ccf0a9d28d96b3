/** One place where every answered request is written down: a log line and the figures. */

import type { Log } from '../log.ts';
import type { RequestStats } from './metrics/request-stats.ts';

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
  /** A fault that a test key asked for: in the log, but in no figure. */
  isSimulated?: boolean;
}

export type Observe = (answered: AnsweredRequest) => void;

export function createObserver(log: Log, metrics: RequestStats | null): Observe {
  // Every field of the line is chosen here: the search for secrets in it would cost more than the line.
  const lines = log.child({}, { redact: [] });
  return ({ requestId, method, route, status, startedAt, keyId, isSimulated = false }) => {
    const milliseconds = performance.now() - startedAt;
    if (!isSimulated) metrics?.answered(route, method, status, milliseconds);
    const level = status >= 500 && !isSimulated ? 'warn' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const line = { requestId, method, route, status, ms: Math.round(milliseconds * 100) / 100, keyId };
    lines[level](isSimulated ? { ...line, isSimulated } : line, 'answered');
  };
}

/** Templates for what no row of a table stands for. */
export const UNKNOWN_API_ROUTE = '/api/v1/*';
export const UNKNOWN_ROUTE = '*';
