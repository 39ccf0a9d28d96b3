/** Key and limits in one call: the gate's verdict on a request, noted in its context. */

import type { AccessVerdict, Gate } from '../accounts/index.ts';
import { type RequestContext, setAdmitted } from './answer/request-context.ts';
import type { RequestStats } from './metrics/request-stats.ts';

/** Synchronous unless the gate has to ask the store. */
export type Admit = (ctx: RequestContext) => AccessVerdict | Promise<AccessVerdict>;

export function createAdmission(gate: Gate, metrics: RequestStats | null): Admit {
  return (ctx) => {
    const { match } = ctx.target;
    const { apiKey } = ctx.head;
    const { address } = ctx.connection;
    const { socket } = ctx.req;
    const isFree = match !== null && !match.route.metered;
    const verdict = isFree ? gate.inspect(apiKey, address, socket) : gate.admit(apiKey, address, socket);
    // What was decided is on record even when the caller has left meanwhile.
    return verdict instanceof Promise ? verdict.then((value) => note(ctx, value)) : note(ctx, verdict);
  };

  function note(ctx: RequestContext, verdict: AccessVerdict): AccessVerdict {
    metrics?.verdict(verdict);
    setAdmitted(ctx, verdict.ok);
    if (verdict.ok || verdict.reason === 'minute' || verdict.reason === 'day') {
      ctx.caller = verdict.caller;
      ctx.allowance = verdict.allowance;
    }
    if (verdict.ok) ctx.recordOutcome = verdict.recordOutcome;
    return verdict;
  }
}
