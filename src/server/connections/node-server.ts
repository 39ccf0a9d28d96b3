/** Node's HTTP server and its limits. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readFileLimit } from '../../file-limit.ts';

export interface ServerLimits {
  /** Milliseconds until the headers, and until the whole request, must have arrived. */
  headersTimeout: number;
  requestTimeout: number;
  /** How often the two are looked at. */
  checkInterval: number;
  /** An idle kept-alive connection, and one on which nothing moves in the middle of an exchange. */
  keepAliveTimeout: number;
  stallTimeout: number;
  /** Open connections, and those of one network (an IPv4 address, an IPv6 /64). A further one closes the longest idle one. */
  maxConnections: number;
  maxConnectionsPerNetwork: number;
  /** Requests that were read and wait for an earlier answer of their connection (pipelining); a connection beyond is closed. */
  maxWaiting: number;
  maxWaitingPerNetwork: number;
  /** Octets of answers that clients have not taken; how often they are counted, in milliseconds. */
  maxUnreadBytes: number;
  maxUnreadBytesPerNetwork: number;
  unreadCheckInterval: number;
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

export interface Handlers {
  onRequest(req: IncomingMessage, res: ServerResponse): void;
  /** Of a request with an `Expect` header. */
  onExpectation(req: IncomingMessage, res: ServerResponse): void;
}

/** Node's server with every limit set on purpose. */
export function openHttpServer(limits: ServerLimits, { onRequest, onExpectation }: Handlers): Server {
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
    onRequest,
  );
  server.on('checkContinue', onExpectation);
  server.on('checkExpectation', onExpectation);
  server.setTimeout(limits.stallTimeout);
  // A newcomer beyond our own limit takes the place of an idle connection or gets an answer; beyond this one Node drops it unanswered.
  server.maxConnections = limits.maxConnections + Math.min(limits.maxConnections, MAX_REFUSED_AT_ONCE);
  // Node would drop what is above the count without a word; we count ourselves and refuse.
  server.maxHeadersCount = 0;
  return server;
}

/** How many connections this process may hold: at most `wanted`, and fewer where the limit of open files is low. */
export function connectionsWithin(wanted: number, fileLimit: number | null = readFileLimit()): number {
  if (fileLimit === null) return wanted;
  return Math.min(wanted, Math.max(MIN_CONNECTIONS, fileLimit - OTHER_FILES));
}

export const LIMITS: ServerLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  checkInterval: 1_000,
  // Longer than the 60 s of common load balancers, so that they and not we end idle connections.
  keepAliveTimeout: 72_000,
  stallTimeout: 30_000,
  maxConnections: 10_000,
  // A tenth: one network leaves room for others. More people than that behind one address are rare, and only idle connections go.
  maxConnectionsPerNetwork: 1_000,
  // A request that waits takes about 4 kB.
  maxWaiting: 50_000,
  maxWaitingPerNetwork: 10_000,
  // The largest answers have some 300 kB: 50 slow readers of one network, 400 of all.
  maxUnreadBytes: 128 * 2 ** 20,
  maxUnreadBytesPerNetwork: 16 * 2 ** 20,
  unreadCheckInterval: 500,
  maxRequestsPerSocket: 10_000,
  maxHeaderSize: 16_384,
  bodyLimit: 65_536,
  drainTimeout: 25_000,
  noticeTime: 5_000,
  inUseTime: 60_000,
};
export const BACKLOG = 1_024;
/** Connections that are answered 503 at the same time, as all others are busy. */
const MAX_REFUSED_AT_ONCE = 256;
/** Threads, the database's files and connections, logs: about 60 at the start, 170 with pages; runs of sources need more. */
const OTHER_FILES = 192;
/** Enough to be asked how it is. */
const MIN_CONNECTIONS = 4;
