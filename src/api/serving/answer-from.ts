/** Answers an admitted request from the directory or from the test city: `Accept`, simulated faults, parameters, endpoint. */

import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccessVerdict, createInFlight, type Gate } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { prefersStrict } from '../../http/index.ts';
import { type ParameterConflict, readUuid } from '../../query/index.ts';
import { chooseForm } from '../answer/choose-form.ts';
import { createParsedQueries } from '../answer/parsed-queries.ts';
import type { RequestContext } from '../answer/request-context.ts';
import { invalidRequest, notAcceptable, OVERLOADED } from '../refusals.ts';
import type { RouteMatch } from '../route-table.ts';
import type { AnsweringPlace, DirectorySources } from './directory-view.ts';
import { simulate } from './simulation.ts';

export type AdmittedVerdict = Extract<AccessVerdict, { ok: true }>;
export type AnswerFrom = (
  ctx: RequestContext,
  verdict: AdmittedVerdict,
  place: AnsweringPlace,
  sources: DirectorySources,
) => void;

export interface AnswerFromOptions {
  gate: Gate;
  clocks: Clocks;
  publicUrl: () => string;
  /** How long a simulated slow answer takes. */
  slowMs: number | undefined;
}

export function createAnswerFrom({ gate, clocks, publicUrl, slowMs = SLOW_MS }: AnswerFromOptions): AnswerFrom {
  const queries = createParsedQueries();
  const slow = createInFlight(SLOW);

  /** Parameters, endpoint. */
  function callWith(
    ctx: RequestContext,
    { caller }: AdmittedVerdict,
    match: RouteMatch,
    { responses: writer, callEndpoint }: AnsweringPlace,
    { search, changes, feeds, exports }: DirectorySources,
  ): void {
    const snapshot = search.current();
    const now = clocks.directory();
    ctx.strict = prefersStrict(ctx.head.prefer);
    if (!ctx.strict && writer.repeat(ctx, snapshot, now)) return;

    const { route } = match;
    const id = match.id === '' ? '' : readUuid(match.id);
    const query = queries.of(route, ctx.target.query, snapshot.city.timezone, ctx.strict);
    const conflicts = route.conflicts?.(query.values, now) ?? NO_CONFLICTS;
    if (id === null || !query.ok || conflicts.length > 0)
      return void writer.refuse(ctx, invalidRequest(match, id, query, conflicts));
    callEndpoint(ctx, route, {
      snapshot,
      now,
      id,
      values: query.values,
      sent: query.sent,
      caller,
      gate,
      changes,
      feeds,
      exports,
      current: search.current,
      hasLeft: () => ctx.res.destroyed,
      publicUrl: publicUrl(),
    });
  }

  return (ctx, verdict, place, sources) => {
    const { refuse } = place.responses;
    const match = chooseForm(ctx, place.targets);
    if (!match) return void refuse(ctx, notAcceptable(ctx));
    const simulated = ctx.head.simulate === undefined ? null : simulate(ctx, match, verdict.caller);
    if (simulated?.kind === 'refuse') return void refuse(ctx, simulated.problem);
    if (!simulated) return callWith(ctx, verdict, match, place, sources);
    const leave = slow.enter(ctx.connection.address, ctx.req.socket);
    if (!leave) return void refuse(ctx, OVERLOADED);
    const waited = delay(slowMs, undefined, { signal: untilClosed(ctx.res) }).catch(() => {});
    place.responses.resume(ctx, waited.finally(leave), () => callWith(ctx, verdict, match, place, sources));
  };
}

/** Nobody waits for a caller who has left. */
function untilClosed(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  res.once('close', () => left.abort());
  return left.signal;
}

const NO_CONFLICTS: readonly ParameterConflict[] = [];
/** Requests that are slow on purpose: they hold a socket, and nothing that others wait for. */
const SLOW = { total: 200, perConnection: 5, perHost: 50 } as const;
const SLOW_MS = 5_000;
