/** Asks an endpoint and answers what it gives, at once or when it comes. */

import type { InFlight } from '../accounts/index.ts';
import { type RequestContext, setAdmitted } from './answer/request-context.ts';
import type { Responses } from './answer/responses.ts';
import { OVERLOADED } from './refusals.ts';
import type { AnyRoute, Ask } from './route.ts';

export type EndpointCall = (ctx: RequestContext, route: AnyRoute, ask: Ask) => void;

export function createEndpointCall(inFlight: InFlight, { refuse, resume, conclude }: Responses): EndpointCall {
  return (ctx, route, ask) => {
    // What costs no request asks the store, as often as a caller likes.
    const leave = route.metered ? NOTHING_TO_LEAVE : inFlight.enter(ctx.connection.address, ctx.req.socket);
    if (!leave) {
      setAdmitted(ctx, false);
      refuse(ctx, OVERLOADED);
      return;
    }
    const outcome = route.answer(ask);
    if (outcome instanceof Promise) {
      resume(ctx, outcome.finally(leave), (value) => conclude(ctx, ask, value));
      return;
    }
    leave();
    conclude(ctx, ask, outcome);
  };
}

const NOTHING_TO_LEAVE = (): void => {};
