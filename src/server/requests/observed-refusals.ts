/** Refusals of the server itself. Those that Fastify does not see are written down here. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Api, UNKNOWN_ROUTE } from '../../api/index.ts';
import { createRefusals, PROBLEMS, type Problem, type Refuse } from '../../http/index.ts';
import type { ServiceState } from './server-parts.ts';

export interface ObservedRefusals {
  /** Fastify's hooks write it down. */
  refuse: Refuse;
  /** Refuses a request that Fastify is not given. */
  refuseEarly(req: IncomingMessage, res: ServerResponse, problem: Problem, requestId: string): void;
  /** Answers and ends a connection whose bytes were no request. */
  endConnection(socket: Socket, problem: Problem): void;
}

export function createObservedRefusals(api: Api, service: ServiceState, newRequestId: () => string): ObservedRefusals {
  const refusals = createRefusals(api.publicUrl, service);
  const observe = (requestId: string, method: string, status: number) =>
    api.observe({ requestId, method, route: UNKNOWN_ROUTE, status, startedAt: performance.now() });

  return {
    refuse(request, reply, problem, headers = {}) {
      reply.hijack();
      refusals.answer(request.raw, reply.raw, { problem, requestId: request.id, headers });
    },
    refuseEarly(req, res, problem, requestId) {
      refusals.answer(req, res, { problem, requestId });
      observe(requestId, req.method ?? '', PROBLEMS[problem.code].status);
    },
    endConnection(socket, problem) {
      const requestId = newRequestId();
      observe(requestId, '', refusals.endConnection(socket, problem, requestId));
    },
  };
}
