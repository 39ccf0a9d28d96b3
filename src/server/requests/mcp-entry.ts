/** Hands requests to the MCP server, with what the server knows of their connection. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { checkMessage, type HostGuard, readHead } from '../../http/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { ObservedRefusals } from './observed-refusals.ts';
import type { ServiceState } from './service-state.ts';

/** Answers requests for `/mcp` alone, past Fastify: it reads the body itself. */
export type DirectHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  connection: { requestId: string; address: string; startedAt: number; last: boolean },
) => void;

export interface McpEntryOptions {
  handler: DirectHandler;
  connections: Connections;
  service: ServiceState;
  checkHost: HostGuard;
  refusals: ObservedRefusals;
  maxRequestsPerSocket: number;
}

/** `host`: of the request, or what a trusted proxy says of it. */
export type EnterMcp = (
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  from: { address: string; host: string },
) => void;

export function createMcpEntry(options: McpEntryOptions): EnterMcp {
  const { handler, connections, service, checkHost, refusals, maxRequestsPerSocket } = options;
  return (req, res, requestId, { address, host }) => {
    const startedAt = performance.now();
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: not answered.
    if (carried > maxRequestsPerSocket) return;
    const refusal = checkMessage(req, readHead(req.rawHeaders)) ?? checkHost(host);
    if (refusal) refusals.refuseEarly(req, res, refusal, requestId);
    else handler(req, res, { requestId, address, startedAt, last: service.draining || carried === maxRequestsPerSocket });
  };
}

/** The path alone, with or without a query. */
export const isMcpRequest = ({ url = '' }: IncomingMessage): boolean => MCP_PATH.test(url);

/** Also with a slash at the end, as people copy it. Not every client repeats a POST where a redirect leads. */
const MCP_PATH = /^\/mcp\/?(?:\?|$)/;
