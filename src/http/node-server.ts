/** Node's HTTP server and its limits. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface ServerLimits {
  /** Milliseconds until the headers, and until the whole request, must have arrived. */
  headersTimeout: number;
  requestTimeout: number;
  /** How often the two are looked at. */
  checkInterval: number;
  /** An idle kept-alive connection, and one on which nothing moves in the middle of an exchange. */
  keepAliveTimeout: number;
  stallTimeout: number;
  maxConnections: number;
  maxRequestsPerSocket: number;
  /** Octets of request line and headers. */
  maxHeaderSize: number;
  /** Octets of a body, for routes that read one. */
  bodyLimit: number;
  /** Milliseconds that requests in flight have when the service ends. */
  drainTimeout: number;
  /** Milliseconds that load balancers have to see that the service ends, and how long ago anybody may have asked for that to matter. */
  noticeTime: number;
  inUseTime: number;
}

/** Node's server with every limit set on purpose. */
export function openHttpServer(limits: ServerLimits, handle: (req: IncomingMessage, res: ServerResponse) => void): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeout,
      requestTimeout: limits.requestTimeout,
      connectionsCheckingInterval: limits.checkInterval,
      keepAliveTimeout: limits.keepAliveTimeout,
      maxHeaderSize: limits.maxHeaderSize,
      // Checked by us, to answer in our own form and to see a second one.
      requireHostHeader: false,
    },
    handle,
  );
  server.setTimeout(limits.stallTimeout);
  server.maxConnections = limits.maxConnections;
  // Node would drop what is above the count without a word; we count ourselves and refuse.
  server.maxHeadersCount = 0;
  return server;
}

export const LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  checkInterval: 1_000,
  // Longer than the 60 s of common load balancers, so that they and not we end idle connections.
  keepAliveTimeout: 72_000,
  stallTimeout: 30_000,
  maxConnections: 10_000,
  maxRequestsPerSocket: 10_000,
  maxHeaderSize: 16_384,
  bodyLimit: 65_536,
  drainTimeout: 25_000,
  noticeTime: 5_000,
  inUseTime: 60_000,
};
export const BACKLOG = 1_024;
