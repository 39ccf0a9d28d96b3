/** What refuses a request of the API before its endpoint is asked: the key, the limits, the route, the account, the tier, `Accept`, the parameters. */

import { type AccessVerdict, tierOpens } from '../accounts/index.ts';
import { invalidParameters, type ParameterProblem, type Problem, type ProblemCode, showValue } from '../http/index.ts';
import { decodeFormText, type ParameterConflict, type ParameterTable, problemsOf, type ReadQuery } from '../query/index.ts';
import type { RequestContext } from './request-context.ts';
import type { RouteMatch } from './route-table.ts';

/** What the gate's refusal becomes. */
export function entryRefusal(verdict: Extract<AccessVerdict, { ok: false }>): Problem {
  if (verdict.reason === 'unavailable') return UNAVAILABLE;
  if (verdict.reason === 'crowded') return OVERLOADED;
  if (verdict.reason === 'unknown_key_limit' || verdict.reason === 'minute' || verdict.reason === 'day') {
    const retryAfterSeconds = Math.max(1, verdict.retryAfterSeconds);
    const code = verdict.reason === 'day' ? 'rate_limit_day' : 'rate_limit_minute';
    const detail = `${LIMIT_DETAILS[verdict.reason]}; wait ${retryAfterSeconds} s`;
    return { code, detail, members: { retryAfterSeconds } };
  }
  const [code, detail] = KEY_PROBLEMS[verdict.reason];
  return { code, detail };
}

/** Path, method, account and tier, in this order; null: the caller may ask. */
export function accessRefusal(
  ctx: RequestContext,
  { accessStatus, caller }: Extract<AccessVerdict, { ok: true }>,
  publicUrl: () => string,
): Problem | null {
  const { match } = ctx.target;
  if (!match) return unknownRoute(ctx);
  const { method } = ctx.req;
  if (method !== 'GET' && method !== 'HEAD') {
    return { code: 'method_not_allowed', detail: `${ctx.route} accepts only GET or HEAD` };
  }
  if (accessStatus !== 'active') {
    const members = { upgradeUrl: publicUrl() + PLANS_PATH };
    return { code: accessStatus, detail: ACCOUNT_DETAILS[accessStatus], members };
  }
  const { tier } = match.route;
  if (!tierOpens(caller.tier, tier)) {
    const members = { currentTier: caller.tier, requiredTier: tier, upgradeUrl: publicUrl() + PLANS_PATH };
    return { code: 'tier_required', detail: `${ctx.route} needs the ${tier} tier`, members };
  }
  return null;
}

function unknownRoute({ target: { path } }: RequestContext): Problem {
  if (decodeFormText(path) !== null) return UNKNOWN;
  const detail = 'path has a broken percent sign or bytes that are not UTF-8';
  return invalidParameters([{ in: 'path', name: 'path', value: showValue(path), code: 'not_decodable', detail }]);
}

export function notAcceptable({ target: { match } }: RequestContext): Problem {
  const offers = match?.offers ?? [];
  return { code: 'not_acceptable', detail: `Accept excludes every available format: ${offers.join(', ')}` };
}

/** All that is wrong with path and query. `id`: null for one that is no UUID. */
export function invalidRequest(
  match: RouteMatch,
  id: string | null,
  query: ReadQuery<ParameterTable>,
  conflicts: readonly ParameterConflict[],
): Problem {
  const problems = problemsOf(query, conflicts);
  return invalidParameters(id === null ? [badId(match.id), ...problems] : problems);
}

function badId(value: string): ParameterProblem {
  return { in: 'path', name: 'id', value: showValue(value), code: 'not_a_uuid', detail: 'id must be a UUID' };
}

const KEY_PROBLEMS = {
  missing: ['missing_api_key', 'send the key in the X-API-Key header'],
  invalid: ['invalid_api_key', 'the key is unknown'],
  revoked: ['revoked_api_key', 'the key has been revoked'],
  expired: ['expired_api_key', 'the key was replaced and its grace period is over'],
} as const satisfies Record<string, readonly [ProblemCode, string]>;
const LIMIT_DETAILS = {
  minute: 'the requests of the last 60 seconds reached the limit of the tier',
  day: 'the requests of today (UTC) reached the limit of the tier',
  unknown_key_limit: 'too many requests with unknown keys came from this address',
} as const;
const ACCOUNT_DETAILS = {
  trial_expired: 'the free trial of the account is over',
  subscription_inactive: 'the subscription of the key is not active',
} as const;

const PLANS_PATH = '/dashboard/plans';

const RETRY_SECONDS = 1;
export const BROKEN: Problem = {
  code: 'internal',
  detail: 'something went wrong on our side; please report the request id',
};
const UNKNOWN: Problem = { code: 'unknown_route', detail: 'this path does not exist in the API' };
export const OVERLOADED: Problem = {
  code: 'overloaded',
  detail: 'too many requests are in flight',
  members: { retryAfterSeconds: RETRY_SECONDS },
};
const UNAVAILABLE: Problem = {
  code: 'dependency_unavailable',
  detail: 'keys cannot be checked right now',
  members: { retryAfterSeconds: RETRY_SECONDS },
};
