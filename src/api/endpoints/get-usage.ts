/** `GET /usage` (decisions §5): the caller's own counters; costs nothing and answers when they are spent. */

import { formatUtc } from '../../values/utc.ts';
import { type Ask, defineRoute, type RouteOutcome } from '../route.ts';

export const getUsage = defineRoute({
  path: '/usage',
  operationId: 'getUsage',
  tier: 'starter',
  metered: false,
  summary: 'Your usage and limits',
  description: 'Not metered: it costs no request, and it works after your limits are reached.',
  parameters: {},
  answers: ['Usage'],
  answer,
});

async function answer({ gate, caller }: Ask): Promise<RouteOutcome> {
  const usage = await gate.usage(caller);
  if (!usage) return UNKNOWN_DAYS;
  const { allowance, days } = usage;
  const { day, minute, tier } = allowance;
  const data = {
    tier,
    day: { limit: day.limit, used: day.used, remaining: day.remaining, resetsAt: formatUtc(day.resetsAt) },
    minute: { limit: minute.limit, used: minute.used, remaining: minute.remaining },
    days,
  };
  return { kind: 'data', tag: null, body: () => Buffer.from(JSON.stringify({ data })) };
}

/** Today alone would look like all there is. */
const UNKNOWN_DAYS: RouteOutcome = {
  kind: 'problem',
  problem: {
    code: 'dependency_unavailable',
    detail: 'the requests of earlier days cannot be read right now',
    members: { retryAfterSeconds: 5 },
  },
};
