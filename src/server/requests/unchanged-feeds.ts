/** A program that has the newest document of a feed already is told so on a short way, where that is all there is to say. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Api, FEED_ROUTE, type FeedUrlRoutes } from '../../api/index.ts';
import { checkMessage, type HostGuard, readHead, sendUnchangedQuickly, splitLines } from '../../http/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { CallerFacts } from './caller-facts.ts';
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
      const feedLines = feeds.answerUnchanged(req.url, head);
      connections.setAdmitted(req.socket, feedLines !== null);
      if (feedLines === null) return false;
      const isLast = connections.countRequest(req.socket) >= maxRequestsPerSocket;
      const requestId = newRequestId();
      const lines = `${feedLines}X-Request-Id: ${requestId}\r\nX-Content-Type-Options: nosniff\r\n`;
      if (isLast || !sendUnchangedQuickly(res, lines)) {
        res.writeHead(304, [...splitLines(lines), ...(isLast ? ['Connection', 'close'] : [])]).end();
      }
      api.observe({ requestId, method: req.method, route: FEED_ROUTE, status: 304, startedAt });
      return true;
    },
  };
}
