/** Messages that somebody asks for: one again, a range of the log again, a test. */

import { loadAccountTier } from '../accounts/index.ts';
import { transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { insertDeliveries, writeMessages } from './dispatch/store-messages.ts';
import { type EndpointRow, findEndpoint } from './endpoints/endpoint-rows.ts';
import { isEventType } from './event-types.ts';
import { composeData } from './messages.ts';
import type { WebhookOwner } from './model.ts';
import { type RedeliveryOptions, type RedeliveryRange, recoverRange } from './recover-range.ts';
import { refuseWebhook, type WebhookReason } from './refusals.ts';
import { sampleData } from './sample-data.ts';

export interface Redelivery {
  /** The message of an attempt, with the same `webhook-id`. */
  resend(owner: WebhookOwner, endpointId: string, attemptId: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
  /** What the endpoint would have got of a range of the log, as the records are now. Gives the number of messages. */
  recover(
    owner: WebhookOwner,
    endpointId: string,
    range: RedeliveryRange,
  ): Promise<{ ok: true; messages: number } | Refusal<WebhookReason>>;
  sendTest(owner: WebhookOwner, endpointId: string, type: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
}

export function createRedelivery(options: RedeliveryOptions): Redelivery {
  const { db, clocks } = options;
  const now = clocks.limits;

  async function readActive(
    { accountId }: WebhookOwner,
    id: string,
  ): Promise<{ ok: true; row: EndpointRow } | Refusal<WebhookReason>> {
    const row = await findEndpoint(db, accountId, id);
    if (!row) return refuseWebhook('unknown_endpoint');
    if ((await loadAccountTier(db, accountId, clocks.directory())) !== 'enterprise') return refuseWebhook('tier_required');
    return row.state === 'active' ? { ok: true, row } : refuseWebhook('not_active');
  }

  async function resend(
    owner: WebhookOwner,
    endpointId: string,
    attemptId: string,
  ): Promise<{ ok: true } | Refusal<WebhookReason>> {
    const found = await readActive(owner, endpointId);
    if (!found.ok) return found;
    if (!/^\d{1,18}$/.test(attemptId)) return refuseWebhook('unknown_message');
    const message = await db
      .selectFrom('webhook_attempt')
      .innerJoin('webhook_message', 'webhook_message.id', 'webhook_attempt.message_id')
      .select('webhook_message.id')
      .where('webhook_attempt.id', '=', attemptId)
      .where('webhook_attempt.endpoint_id', '=', endpointId)
      .executeTakeFirst();
    if (!message) return refuseWebhook('unknown_message');
    await transact(db, (trx) => insertDeliveries(trx, [{ endpointId, messageId: message.id, dueAt: now() }], now()));
    return { ok: true };
  }

  async function sendTest(owner: WebhookOwner, endpointId: string, type: string): Promise<{ ok: true } | Refusal<WebhookReason>> {
    const found = await readActive(owner, endpointId);
    if (!found.ok) return found;
    if (!isEventType(type)) return refuseWebhook('unknown_event_type');
    const message = composeData(type, sampleData(type, now()), now());
    await transact(db, (trx) => writeMessages(trx, [message], [{ endpointId, message: 0, dueAt: now() }], now()));
    return { ok: true };
  }

  async function recover(owner: WebhookOwner, endpointId: string, range: RedeliveryRange) {
    const found = await readActive(owner, endpointId);
    if (!found.ok) return found;
    const messages = await recoverRange(found.row, range, options);
    return typeof messages === 'number' ? { ok: true as const, messages } : messages;
  }

  return { resend, recover, sendTest };
}
