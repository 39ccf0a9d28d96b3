/** How a request of the API ends: refused, failed, or answered with data, now or after a wait. */

import { PLAIN_METHODS, type Problem, SerializedHeaders } from '../../http/index.ts';
import type { Log } from '../../log.ts';
import type { Snapshot } from '../../search/index.ts';
import { BROKEN } from '../refusals.ts';
import type { Ask, RouteOutcome } from '../route.ts';
import { answerData, answerHeld, answerMoved } from './answer-data.ts';
import { type Answering, abandon, type RequestContext, setAdmitted, writeAnswer, writeRefusal } from './request-context.ts';
import type { HeldAnswer, RequestTargets } from './request-targets.ts';

export interface Responses {
  refuse(ctx: RequestContext, problem: Problem): void;
  /** For what nobody expected: logs it and says that it is our fault. */
  fail(ctx: RequestContext, error: unknown): void;
  /** Runs the rest of a request that had to wait; a caller who left meanwhile is not worked for. */
  resume<T>(ctx: RequestContext, waiting: Promise<T>, next: (value: T) => void): void;
  /** Answers `OPTIONS`. */
  preflight(ctx: RequestContext): void;
  /** Answers from what is held for the target, if that is still right, and says so. */
  repeat(ctx: RequestContext, snapshot: Snapshot, now: number): boolean;
  /** Writes what the endpoint gave. */
  conclude(ctx: RequestContext, ask: Ask, outcome: RouteOutcome): void;
}

export function createResponses(answering: Answering, targets: RequestTargets, log: Log): Responses {
  const refuse: Responses['refuse'] = (ctx, problem) => writeRefusal(ctx, problem, answering);

  function fail(ctx: RequestContext, error: unknown): void {
    log.error({ err: error, requestId: ctx.connection.requestId, route: ctx.route }, 'a request failed');
    if (ctx.res.headersSent) ctx.res.destroy();
    else refuse(ctx, BROKEN);
  }

  function resume<T>(ctx: RequestContext, waiting: Promise<T>, next: (value: T) => void): void {
    waiting
      .then((value) => {
        if (ctx.res.destroyed) abandon(ctx, answering);
        else next(value);
      })
      .catch((error: unknown) => fail(ctx, error));
  }

  return {
    refuse,
    fail,
    resume,
    preflight(ctx) {
      setAdmitted(ctx, false);
      writeAnswer(ctx, 204, PREFLIGHT_HEAD, null, answering);
    },
    repeat(ctx, snapshot, now) {
      const answer = targets.answerAt(ctx.target, snapshot, now);
      const waiting = answer ? answerHeld(ctx, answer, answering) : false;
      if (waiting) resume(ctx, waiting, () => {});
      return waiting !== false;
    },
    conclude(ctx, { sent, snapshot, now }, outcome) {
      if (outcome.kind === 'problem') return void refuse(ctx, outcome.problem);
      if (outcome.kind === 'moved') return void answerMoved(ctx, sent, outcome.id, answering);
      const hold = (answer: HeldAnswer, until: number) => {
        // Strict reading refuses what lenient reading passes over.
        if (!ctx.strict) targets.hold(ctx.target, snapshot, answer, now, until);
      };
      const waiting = answerData(ctx, sent, outcome, answering, hold);
      if (waiting) resume(ctx, waiting, () => {});
    },
  };
}

const PREFLIGHT_HEAD = new SerializedHeaders([
  'Allow',
  PLAIN_METHODS,
  'Access-Control-Allow-Methods',
  PLAIN_METHODS,
  'Access-Control-Allow-Headers',
  'X-API-Key, Accept, If-None-Match, Prefer, X-Marquee-Simulate',
  // Seconds; the longest that Firefox keeps.
  'Access-Control-Max-Age',
  '86400',
]);
