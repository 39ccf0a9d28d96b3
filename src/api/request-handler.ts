/**
 * One request of the API, from the key to the bytes. Every request passes the same checks in the same order (decisions §1):
 * parse → key → limits → route → account → tier → `Accept` → parameters → resource → answer. The first that refuses decides.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessVerdict, createInFlight, type Gate } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import type { ExportReader } from '../exports/index.ts';
import type { FeedReader } from '../feeds/index.ts';
import type { Log } from '../log.ts';
import type { ChangeReader, Search } from '../search/index.ts';
import { createAdmission } from './admission.ts';
import { createBodyCache } from './answer/body-cache.ts';
import { chooseForm } from './answer/choose-form.ts';
import { checkMessage } from './answer/message-checks.ts';
import { prefersStrict } from './answer/negotiation.ts';
import { createParsedQueries } from './answer/parsed-queries.ts';
import { type Answering, type ConnectionInfo, createRequestContext, type RequestContext } from './answer/request-context.ts';
import { createRequestTargets } from './answer/request-targets.ts';
import { createResponses } from './answer/responses.ts';
import { createEndpointCall } from './endpoint-call.ts';
import type { Metrics } from './metrics.ts';
import type { Observe } from './observer.ts';
import type { ParameterConflict } from './parameters/parameter.ts';
import { readUuid } from './parameters/parameter-kinds.ts';
import { accessRefusal, entryRefusal, invalidRequest, notAcceptable } from './refusals.ts';

export interface RequestHandlerOptions {
  search: Pick<Search, 'current'>;
  changes: ChangeReader;
  gate: Gate;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  exports: ExportReader;
  /** Address that links are built from, without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  log: Log;
  observe: Observe;
  metrics: Metrics | null;
  /** Requests with a good key that wait for the store or a compression at once. */
  maxInFlight?: number;
}

export type RequestHandler = (req: IncomingMessage, res: ServerResponse, connection: ConnectionInfo) => void;

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { search, changes, gate, feeds, exports, publicUrl, clocks, log, observe, metrics } = options;
  const inFlight = createInFlight({ ...IN_FLIGHT, total: options.maxInFlight ?? IN_FLIGHT.total });
  const answering: Answering = { publicUrl, limitsClock: clocks.limits, observe, bodies: createBodyCache(), inFlight };
  const targets = createRequestTargets();
  const queries = createParsedQueries();
  const responses = createResponses(answering, targets, log);
  const { refuse } = responses;
  const admit = createAdmission(gate, metrics);
  const callEndpoint = createEndpointCall(inFlight, responses);

  return (req, res, connection) => {
    const ctx = createRequestContext(req, res, connection, targets.of(req.url ?? ''));
    try {
      const malformed = connection.refused ?? checkMessage(req, ctx.head);
      if (malformed) refuse(ctx, { problem: malformed });
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

  /** Route, account and tier, `Accept`, parameters, endpoint. */
  function answer(ctx: RequestContext, verdict: AccessVerdict): void {
    if (!verdict.ok) return void refuse(ctx, entryRefusal(verdict));
    const denied = accessRefusal(ctx, verdict, publicUrl);
    if (denied) return void refuse(ctx, denied);
    const match = chooseForm(ctx, targets);
    if (!match) return void refuse(ctx, notAcceptable(ctx));

    const snapshot = search.current();
    const now = clocks.directory();
    ctx.strict = prefersStrict(ctx.head.prefer);
    if (!ctx.strict && responses.repeat(ctx, snapshot, now)) return;

    const { route } = match;
    const id = match.id === '' ? '' : readUuid(match.id);
    const query = queries.of(route, ctx.target.query, snapshot.city.timezone, ctx.strict);
    const conflicts = route.conflicts?.(query.values, now) ?? NO_CONFLICTS;
    if (id === null || !query.ok || conflicts.length > 0) return void refuse(ctx, invalidRequest(match, id, query, conflicts));
    callEndpoint(ctx, route, {
      snapshot,
      now,
      id,
      values: query.values,
      sent: query.sent,
      caller: verdict.caller,
      gate,
      changes,
      feeds,
      exports,
      current: search.current,
      hasLeft: () => ctx.res.destroyed,
      publicUrl: publicUrl(),
    });
  }
}

const NO_CONFLICTS: readonly ParameterConflict[] = [];
/** An ordinary client has one request in flight on a connection. */
const IN_FLIGHT = { total: 1_000, perConnection: 20, perHost: 200 } as const;
