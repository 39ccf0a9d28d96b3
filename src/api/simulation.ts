/** `X-Marquee-Simulate`: faults that a test key asks for, so that callers can try how they handle them. */

import type { Caller } from '../accounts/index.ts';
import { invalidParameters, type ParameterProblem, type Problem, showValue } from '../http/index.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteMatch } from './route-table.ts';

const SIMULATIONS = ['429', '500', 'slow', 'gone'] as const;

export type SimulatedAnswer = { kind: 'refuse'; problem: Problem } | { kind: 'slow' };

/** Null: nothing was asked for. Refuses other keys, unknown values, and `gone` where nothing can be gone. Notes in `ctx` what is simulated. */
export function simulate(ctx: RequestContext, { route }: RouteMatch, caller: Caller): SimulatedAnswer | null {
  const value = ctx.head.simulate;
  if (value === undefined) return null;
  if (!caller.isTest) return invalid(value, 'needs_test_key', `${HEADER} works only with a test key (mq_test_…)`);
  switch (value) {
    case '429':
      return limited(ctx);
    case '500':
      return refused(ctx, { code: 'internal', detail: 'a simulated error; nothing is broken' });
    case 'slow':
      ctx.isSimulated = true;
      return { kind: 'slow' };
    case 'gone':
      return gone(ctx, route.path);
    default:
      return invalid(value, 'unknown_value', `${HEADER} must be one of ${SIMULATIONS.join(', ')}`);
  }
}

/** As the minute's limit refuses: its headers say that nothing is left of the minute. */
function limited(ctx: RequestContext): SimulatedAnswer {
  if (ctx.allowance) {
    const minute = { ...ctx.allowance.minute, used: ctx.allowance.minute.limit, remaining: 0, freesInSeconds: RETRY_SECONDS };
    ctx.allowance = { ...ctx.allowance, minute };
  }
  const detail = `the simulated limit of the minute is reached; wait ${RETRY_SECONDS} s`;
  return refused(ctx, { code: 'rate_limit_minute', detail, members: { retryAfterSeconds: RETRY_SECONDS } });
}

function gone(ctx: RequestContext, path: string): SimulatedAnswer {
  if (path === '/changes') {
    return refused(ctx, { code: 'resync', detail: 'a simulated restart of the log; read it from the beginning, without after' });
  }
  if (path.endsWith('/{id}')) return refused(ctx, { code: 'gone', detail: 'a simulated removal of the record' });
  return invalid('gone', 'unknown_value', `${HEADER}: gone works on single records and on /changes`);
}

function refused(ctx: RequestContext, problem: Problem): SimulatedAnswer {
  ctx.isSimulated = true;
  return { kind: 'refuse', problem };
}

function invalid(value: string, code: ParameterProblem['code'], detail: string): SimulatedAnswer {
  const problem = invalidParameters([{ in: 'header', name: HEADER, value: showValue(value), code, detail }]);
  return { kind: 'refuse', problem };
}

const HEADER = 'X-Marquee-Simulate';
/** Long enough to be seen, short enough for a test. */
const RETRY_SECONDS = 2;
