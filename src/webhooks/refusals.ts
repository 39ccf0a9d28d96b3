/** What managing endpoints refuses. A sentence is for the person who asked. */

import { formatWait } from '../accounts/index.ts';
import { type Refusal, refusals } from '../values/refusal.ts';

export type WebhookReason = Parameters<typeof refuseWebhook>[0];

export const refuseWebhook = refusals({
  tier_required: 'Webhooks need an active Enterprise plan.',
  unknown_endpoint: 'This endpoint does not exist.',
  invalid_url: 'Enter the full URL of your endpoint, such as https://example.com/hooks.',
  own_address: 'This URL belongs to Marquee. Enter a URL of your own service.',
  invalid_description: 'A description has at most 200 characters and no control characters.',
  no_event_types: 'Choose at least one event type.',
  unknown_event_type: 'Choose event types from the list.',
  unknown_feed: 'Choose one of your saved queries, or everything.',
  unknown_payload: 'Choose full or thin as the payload.',
  unknown_order: 'Choose parallel or fifo as the order.',
  too_many_endpoints: 'An account can have 20 endpoints. Remove one first.',
  not_proven: 'The endpoint did not return the challenge.',
  too_many_challenges: 'Your account sent too many challenges. Try again later.',
  not_active: 'The endpoint is not active. Activate it first.',
  unknown_message: 'This message is no longer stored. Recover its range instead.',
  invalid_range: 'Enter a range of sequence numbers or times. Its end must not be before its start.',
  long_range: 'A range may hold at most 10,000 changes. Recover it in parts.',
});

/** `host`: was asked too often for one account; null: all of its hosts together were. */
export function refuseChallenge(host: string | null, seconds: number): Refusal<WebhookReason> {
  const where = host === null ? '' : ` to ${host}`;
  const detail = `Your account sent too many challenges${where}. Try again in ${formatWait(seconds)}.`;
  return { ...refuseWebhook('too_many_challenges', detail), retryAfterSeconds: seconds };
}
