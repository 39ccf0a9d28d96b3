/** What load balancers and supervisors ask, under whatever name or address they know the service by. */

import type { FastifyPluginCallback } from 'fastify';

/** `ready`: whether answers can be given. */
export function createHealthRoutes(ready: () => boolean, service: { readonly draining: boolean }): FastifyPluginCallback {
  return (room, _options, done) => {
    // The process alone: a database that is down is no reason to be killed.
    room.get(LIVENESS, async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));
    room.get(READINESS, async (_request, reply) => {
      const canServe = !service.draining && ready();
      reply.header('Cache-Control', 'no-store').status(canServe ? 200 : 503);
      return reply.send({ status: canServe ? 'ready' : service.draining ? 'draining' : 'starting' });
    });
    done();
  };
}

/** `target` as sent, query included. */
export function isHealthCheck(target: string): boolean {
  const [path] = target.split('?', 1);
  return path === LIVENESS || path === READINESS;
}

const LIVENESS = '/healthz';
const READINESS = '/readyz';
