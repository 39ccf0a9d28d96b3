/** A program that has the newest document of a feed already is told so on a short way, where that is all there is to say. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Api, checkMessage, FEED_ROUTE, type FeedUrlRoutes, readHead } from '../../api/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { CallerFacts } from './caller-facts.ts';
import type { HostGuard } from './host-guard.ts';
import type { ServiceState } from './service-state.ts';

export interface UnchangedFeedsOptions {
  api: Api;
  connections: Connections;
  service: ServiceState;
  checkHost: HostGuard;
  callerFacts: Pick<CallerFacts, 'hostOf'>;
  newRequestId: () => string;
  maxRequestsPerSocket: number;
}

export interface UnchangedFeeds {
  /** From now on. */
  serve(feeds: FeedUrlRoutes): void;
  /** Answers with a 304, or says that the routes must answer. */
  answer(req: IncomingMessage, res: ServerResponse): boolean;
}

export function createUnchangedFeeds(options: UnchangedFeedsOptions): UnchangedFeeds {
  const { api, connections, service, checkHost, callerFacts, newRequestId, maxRequestsPerSocket } = options;
  let feeds: FeedUrlRoutes | null = null;

  return {
    serve(opened) {
      feeds = opened;
    },
    answer(req, res) {
      if (!feeds || !req.url?.startsWith('/feeds/') || req.method !== 'GET' || service.draining) return false;
      const startedAt = performance.now();
      const head = readHead(req.rawHeaders);
      if (checkMessage(req, head) || checkHost(callerFacts.hostOf(req))) return false;
      const headers = feeds.answerUnchanged(req.url, head);
      if (!headers) return false;
      const carried = connections.countRequest(req.socket);
      const requestId = newRequestId();
      const closing = carried >= maxRequestsPerSocket ? ['Connection', 'close'] : [];
      res.writeHead(304, [...headers, 'X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff', ...closing]).end();
      api.observe({ requestId, method: req.method, route: FEED_ROUTE, status: 304, startedAt });
      return true;
    },
  };
}
