/** Tables of webhooks. */

import type { Generated, JSONColumnType } from 'kysely';
import type { InstantColumn, MaybeInstantColumn, Numeric } from './columns.ts';

interface WebhookFollowerTable {
  lane: 'direct' | 'matched';
  position: Numeric;
}

interface WebhookEndpointTable {
  id: string;
  account_id: string;
  url: string;
  description: string;
  event_types: string[];
  feed_id: string | null;
  payload: 'full' | 'thin';
  delivery_order: 'parallel' | 'fifo';
  /** Sealed, as the next three. */
  secret: Buffer;
  signing_key: Buffer | null;
  previous_secret: Buffer | null;
  previous_signing_key: Buffer | null;
  previous_until: MaybeInstantColumn;
  state: 'unproven' | 'active' | 'paused' | 'stopped' | 'disabled';
  state_reason: string | null;
  state_at: InstantColumn;
  challenge: string;
  lane: 'direct' | 'matched';
  /** Changes up to this number are not for this endpoint. */
  since_seq: Numeric;
  /** Counts the edits that deliveries depend on. */
  revision: Generated<number>;
  pending: Generated<number>;
  /** When there is something to send; null: nothing waits. */
  work_at: MaybeInstantColumn;
  /** Nothing is sent before. */
  open_until: MaybeInstantColumn;
  lease_owner: string | null;
  lease_until: MaybeInstantColumn;
  concurrency: Generated<number>;
  failures: Generated<number>;
  failing_since: MaybeInstantColumn;
  mails_sent: Generated<number>;
  last_success_at: MaybeInstantColumn;
  last_attempt_at: MaybeInstantColumn;
  created_at: InstantColumn;
  updated_at: InstantColumn;
  removed_at: MaybeInstantColumn;
}

interface WebhookMessageTable {
  id: string;
  type: string;
  entity_id: string | null;
  head: string;
  body: string;
  changes: JSONColumnType<object> | null;
  created_at: InstantColumn;
}

interface WebhookDeliveryTable {
  id: Generated<string>;
  endpoint_id: string;
  message_id: string;
  state: 'pending' | 'sending' | 'delivered' | 'failed' | 'dropped';
  attempts: Generated<number>;
  due_at: InstantColumn;
  finished_at: MaybeInstantColumn;
}

interface WebhookAttemptTable {
  id: Generated<string>;
  endpoint_id: string;
  message_id: string;
  type: string;
  /** Which attempt of its delivery it was, from 1. */
  number: number;
  at: InstantColumn;
  outcome: string;
  status: number | null;
  detail: string | null;
  duration_ms: number;
  request_headers: JSONColumnType<Record<string, string>>;
  answer_headers: JSONColumnType<Record<string, string>>;
  answer: string;
}

interface WebhookDayTable {
  account_id: string;
  /** Midnight, UTC. */
  starts_at: Date;
  messages: number;
}

interface WebhookNoticeTable {
  account_id: string;
  notice: string;
  at: InstantColumn;
}

/** All tables that `webhooks` owns. */
export interface WebhooksTables {
  webhook_follower: WebhookFollowerTable;
  webhook_endpoint: WebhookEndpointTable;
  webhook_message: WebhookMessageTable;
  webhook_delivery: WebhookDeliveryTable;
  webhook_attempt: WebhookAttemptTable;
  webhook_notice: WebhookNoticeTable;
  webhook_day: WebhookDayTable;
}
