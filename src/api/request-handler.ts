/**
 * One request of the API, from the key to the bytes. Every request passes the same checks in the same order (decisions §1):
 * parse → key → limits → route → account → tier → `Accept` → parameters → resource → answer. The first that refuses decides.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessVerdict, createInFlight, type Gate } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import { checkMessage, type Problem } from '../http/index.ts';
import type { Log } from '../log.ts';
import { createAdmission } from './admission.ts';
import { type ConnectionInfo, createRequestContext, type RequestContext } from './answer/request-context.ts';
import { createFindDeprecations, DEPRECATIONS, type Deprecation } from './lifecycle/deprecations.ts';
import type { RequestStats } from './metrics/request-stats.ts';
import type { Observe } from './observer.ts';
import { accessRefusal, entryRefusal } from './refusals.ts';
import { FORM_ROUTES, ROUTES } from './route-table.ts';
import { type AdmittedVerdict, createAnswerFrom } from './serving/answer-from.ts';
import {
  createAnsweringPlace,
  type DirectorySources,
  NO_EXPORTS,
  NO_FEEDS,
  TEST_BODY_BYTES,
  type TestCitySource,
} from './serving/directory-view.ts';

export interface RequestHandlerOptions extends DirectorySources {
  gate: Gate;
  /** Address that links are built from, without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  log: Log;
  observe: Observe;
  metrics: RequestStats | null;
  /** What test keys read; without one they are told that it is away. */
  testCity?: TestCitySource;
  /** In place of those of this version. */
  deprecations?: readonly Deprecation[];
  /** How long a simulated slow answer takes. */
  slowMs?: number;
  /** Requests with a good key that wait for the store or a compression at once. */
  maxInFlight?: number;
}

export type RequestHandler = (req: IncomingMessage, res: ServerResponse, connection: ConnectionInfo) => void;

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { gate, publicUrl, clocks, log, observe, metrics, testCity, slowMs } = options;
  const { search, changes, feeds, exports } = options;
  const directory: DirectorySources = { search, changes, feeds, exports };
  const inFlight = createInFlight({ ...IN_FLIGHT, total: options.maxInFlight ?? IN_FLIGHT.total });
  const findDeprecations = createFindDeprecations(options.deprecations ?? DEPRECATIONS, [...ROUTES, ...FORM_ROUTES], publicUrl);
  const answering = {
    ...{ publicUrl, limitsClock: clocks.limits, observe, inFlight, findDeprecations },
    dataAgeMs: gate.storeAwayMs,
  };
  const live = createAnsweringPlace(answering, inFlight, log);
  const test = createAnsweringPlace({ ...answering, dataAgeMs: () => 0 }, inFlight, log, TEST_BODY_BYTES);
  const { targets, responses } = live;
  const { refuse } = responses;
  const admit = createAdmission(gate, metrics);
  const answerFrom = createAnswerFrom({ gate, clocks, publicUrl, slowMs });

  return (req, res, connection) => {
    const ctx = createRequestContext(req, res, connection, targets.of(req.url ?? ''));
    try {
      const malformed = connection.refused ?? checkMessage(req, ctx.head);
      if (malformed) refuse(ctx, malformed);
      else if (req.method === 'OPTIONS') responses.preflight(ctx);
      else enter(ctx);
    } catch (error) {
      responses.fail(ctx, error);
    }
  };

  /** Key and limits come first. The gate answers from memory; only a key that is new to it needs the store. */
  function enter(ctx: RequestContext): void {
    const { match } = ctx.target;
    if (match) {
      ctx.route = match.template;
      ctx.isNegotiated = match.forms !== undefined;
    }
    const verdict = admit(ctx);
    if (verdict instanceof Promise) responses.resume(ctx, verdict, (value) => answer(ctx, value));
    else answer(ctx, verdict);
  }

  /** Route, account and tier. */
  function answer(ctx: RequestContext, verdict: AccessVerdict): void {
    if (!verdict.ok) return void refuse(ctx, entryRefusal(verdict));
    const denied = accessRefusal(ctx, verdict, publicUrl);
    if (denied) return void refuse(ctx, denied);
    if (verdict.caller.isTest) answerTest(ctx, verdict);
    else answerFrom(ctx, verdict, live, directory);
  }

  /** For test keys: the same request to the test city. */
  function answerTest(ctx: RequestContext, verdict: AdmittedVerdict): void {
    if (!testCity) return void refuse(ctx, NO_TEST_CITY);
    ctx.target = test.targets.of(ctx.target.target);
    const opened = testCity.open();
    const from = (city: Pick<DirectorySources, 'search' | 'changes'>) =>
      answerFrom(ctx, verdict, test, { ...city, feeds: NO_FEEDS, exports: NO_EXPORTS });
    if (opened instanceof Promise) test.responses.resume(ctx, opened, from);
    else from(opened);
  }
}

const NO_TEST_CITY: Problem = {
  code: 'dependency_unavailable',
  detail: 'this service has no test city',
  members: { retryAfterSeconds: 60 },
};
/** An ordinary client has one request in flight on a connection. */
const IN_FLIGHT = { total: 1_000, perConnection: 20, perHost: 200 } as const;
