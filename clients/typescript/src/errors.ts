/** What the service refuses, as errors with the problem document (RFC 9457). */

import type { Problem } from './generated.ts';

export class MarqueeError extends Error {
  override name = 'MarqueeError';
}

/** The service could not be reached, or not in time. */
export class ConnectionError extends MarqueeError {
  override name = 'ConnectionError';
}

/** The service answered with an error. `code` says which: https://…/docs/errors */
export class ProblemError extends MarqueeError {
  override name = 'ProblemError';
  readonly status: number;
  readonly code: string;
  /** Null where the body was no problem document, as a proxy may answer. */
  readonly problem: Problem | null;
  /** For a report to whoever runs the service. */
  readonly requestId: string | null;

  constructor(status: number, problem: Problem | null, requestId: string | null) {
    super(problem ? `${problem.code}: ${problem.detail}` : `the service answered ${status}`);
    this.status = status;
    this.code = problem?.code ?? 'unknown';
    this.problem = problem;
    this.requestId = requestId;
  }
}

/** 400: `problem.errors` has each bad parameter. */
export class InvalidRequestError extends ProblemError {
  override name = 'InvalidRequestError';
}
/** 401. */
export class AuthenticationError extends ProblemError {
  override name = 'AuthenticationError';
}
/** 402 and 403: the plan does not allow it; `problem.upgradeUrl` says where to change that. */
export class PlanError extends ProblemError {
  override name = 'PlanError';
}
/** 404. */
export class NotFoundError extends ProblemError {
  override name = 'NotFoundError';
}
/** 410: the record was removed. */
export class GoneError extends ProblemError {
  override name = 'GoneError';
}
/** 410 of the change log: the cursor belongs to another history. */
export class ResyncError extends ProblemError {
  override name = 'ResyncError';
}
/** 429, after all retries. */
export class RateLimitError extends ProblemError {
  override name = 'RateLimitError';
  /** Seconds, as the service asked. */
  retryAfter: number | null = null;
}
/** 5xx, after all retries. */
export class ServiceError extends ProblemError {
  override name = 'ServiceError';
}

/** `retryAfter`: seconds. */
export function problemError(
  status: number,
  problem: Problem | null,
  { requestId, retryAfter }: { requestId: string | null; retryAfter: number | null },
): ProblemError {
  if (status === 410 && problem?.code === 'resync') return new ResyncError(status, problem, requestId);
  if (status === 429) return Object.assign(new RateLimitError(status, problem, requestId), { retryAfter });
  const Kind = status >= 500 ? ServiceError : (KINDS[status] ?? ProblemError);
  return new Kind(status, problem, requestId);
}

const KINDS: Readonly<Record<number, typeof ProblemError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  402: PlanError,
  403: PlanError,
  404: NotFoundError,
  410: GoneError,
};
