/** Where requests are traced: a body, and the end of an answer, arrive in the context of the connection instead of that of the request. */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Runs `work` in the context of the request. */
type InContext = (request: FastifyRequest, work: () => void) => void;

/** Registers what keeps them, if `isTraced`. Before all other hooks. */
export function keepContexts(app: FastifyInstance, isTraced: boolean): InContext {
  if (!isTraced) return (_request, work) => work();
  const contexts = new WeakMap<FastifyRequest, (work: () => void) => void>();
  const inContext: InContext = (request, work) => (contexts.get(request) ?? ((run) => run()))(work);
  app.addHook('onRequest', (request, _reply, next) => {
    contexts.set(request, AsyncLocalStorage.snapshot());
    next();
  });
  app.addHook('preValidation', (request, _reply, next) => inContext(request, next));
  return inContext;
}
