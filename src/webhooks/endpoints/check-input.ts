/** Whether an endpoint can be saved as it was typed. */

import type { Outbound } from '../../outbound/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isEventType } from '../event-types.ts';
import type { DeliveryOrder, EndpointInput, Payload } from '../model.ts';
import { refuseWebhook, type WebhookReason } from '../refusals.ts';
import { isOwnAddress } from './own-address.ts';

export interface CheckedInput {
  /** As it will be asked. */
  url: string;
  description: string;
  eventTypes: string[];
  feedId: string | null;
  payload: Payload;
  order: DeliveryOrder;
  publicKey: boolean;
}

export function checkInput(
  input: EndpointInput,
  { outbound, publicUrl }: { outbound: Pick<Outbound, 'checkAddress'>; publicUrl: string },
): { ok: true; input: CheckedInput } | Refusal<WebhookReason> {
  const description = input.description.trim();
  const { payload, order, feedId, publicKey } = input;
  const eventTypes = [...new Set(input.eventTypes)];
  const url = input.url.trim();
  // The platform's reader would leave line breaks out, and ask for something else than was typed.
  if (url === '' || CONTROL_CHARACTER.test(url)) return refuseWebhook('invalid_url');
  const address = outbound.checkAddress(url);
  if (!address.ok) return refuseWebhook('invalid_url', `${capitalize(address.reason)}.`);
  if (isOwnAddress(address.url, publicUrl)) return refuseWebhook('own_address');
  if (Array.from(description).length > MAX_DESCRIPTION || CONTROL_CHARACTER.test(description) || !description.isWellFormed())
    return refuseWebhook('invalid_description');
  if (eventTypes.length === 0) return refuseWebhook('no_event_types');
  if (!eventTypes.every(isEventType)) return refuseWebhook('unknown_event_type');
  if (payload !== 'full' && payload !== 'thin') return refuseWebhook('unknown_payload');
  if (order !== 'parallel' && order !== 'fifo') return refuseWebhook('unknown_order');
  return { ok: true, input: { url: address.url, description, eventTypes, feedId, payload, order, publicKey } };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const MAX_DESCRIPTION = 200;
const CONTROL_CHARACTER = /\p{Cc}/u;
