/** The API as a whole: the request handler of `/api/v1` and the pages that describe it. */

import type { FastifyPluginCallback } from 'fastify';
import { createQueryNotes, noteQueriesIn, type Tracing } from '../telemetry/index.ts';
import { createObserver, type Observe } from './observer.ts';
import { createPages } from './pages.ts';
import { createRequestHandler, type RequestHandler, type RequestHandlerOptions } from './request-handler.ts';

export interface ApiOptions extends Omit<RequestHandlerOptions, 'observe' | 'metrics'> {
  metrics?: RequestHandlerOptions['metrics'];
  /** Null: requests are not traced. */
  tracing?: Tracing | null;
}

export interface Api {
  /** Answers every request at or below the prefix. */
  handler: RequestHandler;
  /** Runs what answers a request: where requests are traced, its queries are steps of it. */
  begin: (answer: () => void) => void;
  /** Requests are traced. */
  isTraced: boolean;
  /** `/openapi.json`. */
  pages: FastifyPluginCallback;
  /** Writes an answered request into the log and the figures; the server's other routes use it too. */
  observe: Observe;
  publicUrl: () => string;
  metrics: RequestHandlerOptions['metrics'];
}

export function createApi(options: ApiOptions): Api {
  const metrics = options.metrics ?? null;
  const observe = createObserver(options.log, metrics, options.tracing);
  const isTraced = options.tracing != null;
  return {
    begin: isTraced ? (answer) => noteQueriesIn(createQueryNotes(), answer) : (answer) => answer(),
    isTraced,
    handler: createRequestHandler({ ...options, metrics, observe }),
    pages: createPages(options),
    observe,
    publicUrl: options.publicUrl,
    metrics,
  };
}
