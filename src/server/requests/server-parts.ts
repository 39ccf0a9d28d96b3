import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api } from '../../api/index.ts';
import type { HostGuard } from '../../http/index.ts';
import type { Log } from '../../log.ts';
import type { Connections } from '../connections/connections.ts';
import type { ServerLimits } from '../connections/node-server.ts';
import type { CallerFacts } from './caller-facts.ts';
import type { ObservedRefusals } from './observed-refusals.ts';

/** What a server is made of; each part of it takes all. */
export interface ServerParts {
  api: Api;
  /** Answers `/mcp`; undefined: the path does not exist. */
  mcp: DirectHandler | undefined;
  log: Log;
  limits: ServerLimits;
  service: ServiceState;
  connections: Connections;
  checkHost: HostGuard;
  refusals: ObservedRefusals;
  callerFacts: CallerFacts;
  newRequestId: () => string;
}

/** The end of the service, as its parts see it. */
export interface ServiceState {
  /** It will end: said by every answer. */
  draining: boolean;
  /** It takes nothing new any more. */
  closing: boolean;
}

/** Answers requests for `/mcp` alone, past Fastify: it reads the body itself. */
export type DirectHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  connection: { requestId: string; address: string; startedAt: number; last: boolean },
) => void;
