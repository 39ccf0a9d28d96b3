/** Who asks, and whether they may: a known key is metered by the gate alone, everybody else by network. */

import type { AccessVerdict, Allowance, Gate, RecordOutcome } from '../../accounts/index.ts';
import { entryRefusal } from '../../api/index.ts';
import { type Problem, type ProblemCode, problemHeaders, statusOf } from '../../http/index.ts';
import type { McpCaller } from '../protocol/dispatcher.ts';
import type { McpLimiter } from './mcp-limits.ts';

/** A test key reads the test city, which is not here. */
type McpProblem = Problem<ProblemCode | 'live_key_required'>;

export type McpAdmission =
  | { ok: true; caller: McpCaller; allowance: Allowance | null; keyId?: string; recordOutcome: RecordOutcome }
  | { ok: false; problem: McpProblem; allowance: Allowance | null; keyId?: string };

export interface McpAdmissionRequest {
  key: string | string[] | undefined;
  address: string;
  connection: object;
  /** 0: nothing is counted. */
  cost: number;
}

export type AdmitMcp = (request: McpAdmissionRequest) => McpAdmission | Promise<McpAdmission>;

export function createMcpAdmission(gate: Gate, limiter: McpLimiter, publicUrl: () => string): AdmitMcp {
  function admitAnonymous(address: string, cost: number): McpAdmission {
    const requestWait = limiter.takeRequest(address);
    if (requestWait > 0) return { ok: false, problem: limited(requestWait, REQUEST_LIMIT, publicUrl()), allowance: null };
    const wait = cost === 0 ? 0 : limiter.takeCall(address, cost);
    if (wait > 0) return { ok: false, problem: limited(wait, KEYLESS_LIMIT, publicUrl()), allowance: null };
    const caller: McpCaller = { kind: 'anonymous', tier: null, accountId: null, address };
    return { ok: true, caller, allowance: null, recordOutcome: NOBODY };
  }

  function refuse(verdict: Extract<AccessVerdict, { ok: false }>, address: string): McpAdmission {
    const isKnown = 'caller' in verdict;
    // Nobody's key: a flood of them is a flood of its network.
    const wait = isKnown ? 0 : limiter.takeRequest(address);
    if (wait > 0) return { ok: false, problem: limited(wait, REQUEST_LIMIT, publicUrl()), allowance: null };
    const refused = isKnown ? { allowance: verdict.allowance, keyId: verdict.caller.keyId } : { allowance: null };
    return { ok: false, problem: entryRefusal(verdict), ...refused };
  }

  function judge(verdict: AccessVerdict, address: string, cost: number): McpAdmission {
    if (!verdict.ok) return refuse(verdict, address);
    const { caller, allowance, accessStatus, recordOutcome } = verdict;
    if (accessStatus !== 'active') {
      recordOutcome(MCP_ROUTE, 402);
      const members = { upgradeUrl: `${publicUrl()}/dashboard/plans` };
      const problem = { code: accessStatus, detail: INACTIVE[accessStatus], members };
      return { ok: false, problem, allowance, keyId: caller.keyId };
    }
    const { tier, accountId, keyId } = caller;
    if (caller.isTest) {
      recordOutcome(MCP_ROUTE, 403);
      const members = { docsUrl: `${publicUrl()}/docs/test-keys` };
      return { ok: false, problem: { code: 'live_key_required', detail: TEST_KEY, members }, allowance, keyId };
    }
    const freeWait = cost === 0 ? limiter.takeFree(caller.subscriptionId) : 0;
    if (freeWait > 0) return { ok: false, problem: limited(freeWait, FREE_LIMIT, publicUrl()), allowance, keyId };
    return { ok: true, caller: { kind: 'key', tier, accountId, address }, allowance, keyId, recordOutcome };
  }

  return ({ key, address, connection, cost }) => {
    if (key === undefined) return admitAnonymous(address, cost);
    const verdict = cost > 0 ? gate.admit(key, address, connection) : gate.inspect(key, address, connection);
    return verdict instanceof Promise ? verdict.then((value) => judge(value, address, cost)) : judge(verdict, address, cost);
  };
}

function limited(seconds: number, why: string, publicUrl: string): McpProblem {
  return {
    code: 'rate_limit_minute',
    detail: `${why}; wait ${seconds} s and call again`,
    members: { retryAfterSeconds: seconds, upgradeUrl: `${publicUrl}/dashboard/keys` },
  };
}

/** The headers of a refusal as a flat list. RFC 6750 §3 beside the challenge of the API. */
export function refusalHeaders(problem: McpProblem): string[] {
  const headers = Object.entries(problemHeaders(problem)).flat();
  return statusOf(problem.code) === 401 ? [...headers, 'WWW-Authenticate', 'Bearer realm="mcp"'] : headers;
}

const NOBODY: RecordOutcome = () => {};
/** As the log, the figures and the usage name it. */
export const MCP_ROUTE = '/mcp';
const TEST_KEY = 'test keys work with the REST API alone; send a live key (mq_live_…) or none';
const KEYLESS_LIMIT = 'this network or its neighbors used up their calls without an API key, or all callers without a key did';
const REQUEST_LIMIT = 'too many requests without a known key came from this network';
const FREE_LIMIT = 'this key sent too many requests that cost nothing, such as lists';
const INACTIVE = {
  trial_expired: 'the free trial of the account is over',
  subscription_inactive: 'the subscription of the key is not active',
} as const;
