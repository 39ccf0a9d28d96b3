/** Hands requests to the API, with what the server knows of their connection. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PREFIX, type Api } from '../../api/index.ts';
import type { Problem } from '../../http/index.ts';
import type { Connections } from '../connections/connections.ts';
import type { ServiceState } from './service-state.ts';

/** `refused`: what is wrong with the request already. */
export type EnterApi = (
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  address: string,
  refused?: Problem | null,
) => void;

export function createApiEntry(api: Api, connections: Connections, service: ServiceState, maxRequests: number): EnterApi {
  const { setAdmitted } = connections;
  return (req, res, requestId, address, refused = null) => {
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: neither answered nor metered.
    if (carried > maxRequests) return;
    const last = carried === maxRequests;
    api.handler(req, res, { requestId, address, startedAt: performance.now(), last, service, refused, setAdmitted });
  };
}

/** At or below the prefix. */
export const isBelowPrefix = ({ url = '' }: IncomingMessage): boolean => BELOW_PREFIX.test(url);

const BELOW_PREFIX = new RegExp(`^${API_PREFIX}(?:[/?#]|$)`);
