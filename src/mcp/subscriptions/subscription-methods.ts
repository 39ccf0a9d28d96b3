/** `events/subscribe` and `events/unsubscribe`: webhooks of MCP Events, for Enterprise keys. */

import { createRequestReader } from '../events/event-request.ts';
import type { EventSource } from '../events/event-source.ts';
import type { McpCall, McpMethods } from '../protocol/dispatcher.ts';
import { McpError } from '../protocol/errors.ts';
import type { PlaceOf } from '../tools/tool-methods.ts';
import type { EventSubscriptions } from './subscriptions.ts';

export interface SubscriptionMethodsOptions {
  subscriptions: EventSubscriptions;
  source: EventSource;
  placeOf: PlaceOf;
}

export function createSubscriptionMethods(options: SubscriptionMethodsOptions): McpMethods {
  const { subscriptions, source, placeOf } = options;
  const readRequest = createRequestReader(placeOf);

  /** Throws `McpError`: without an account a subscription would be anybody's. */
  function readAccount(call: McpCall): string {
    const { opens, publicUrl } = placeOf(call);
    const { accountId } = call.caller;
    if (accountId !== null && opens('enterprise')) return accountId;
    throw new McpError(
      'event_forbidden',
      `webhooks need an API key of the enterprise plan (${publicUrl}/pricing); use events/poll`,
    );
  }

  return {
    'events/subscribe': {
      era: 'current',
      cost: () => 1,
      async run(call) {
        const accountId = readAccount(call);
        const { request, notBefore } = readRequest(call);
        const floor = call.params.maxAgeMs === undefined ? null : notBefore;
        return await subscriptions.subscribe({ accountId, params: call.params, request, notBefore: floor, source });
      },
    },
    'events/unsubscribe': {
      era: 'current',
      cost: () => 1,
      async run(call) {
        const accountId = readAccount(call);
        await subscriptions.unsubscribe({ accountId, params: call.params, request: readRequest(call).request });
        return {};
      },
    },
  };
}
