/** Messages that somebody asks for: one again, a range of the log again, a test. */

import type { Kysely } from 'kysely';
import { loadAccountTier } from '../accounts/index.ts';
import { readEventChoice } from '../api/index.ts';
import { lastChangeBefore } from '../catalog/index.ts';
import { createCityTime } from '../city/index.ts';
import type { Clocks } from '../clock.ts';
import { createFeeds } from '../feeds/index.ts';
import type { ChangePage, ChangeReader, SearchReader } from '../search/index.ts';
import { type Database, transact } from '../store/index.ts';
import { planDeliveries, type Subscriber } from './dispatch/plan-deliveries.ts';
import { insertDeliveries, writeMessages } from './dispatch/store-messages.ts';
import { type EndpointRow, findEndpoint } from './endpoints/endpoint-rows.ts';
import { isEventType } from './event-types.ts';
import { composeData, composeRecord } from './messages.ts';
import type { WebhookOwner } from './model.ts';
import { refuseWebhook, type WebhookRefusal } from './refusals.ts';
import { sampleData } from './sample-data.ts';

/** Both ends count. Without `to`: up to now. */
export type RedeliveryRange =
  | { by: 'sequence'; from: number; to: number | null }
  | { by: 'time'; from: number; to: number | null };

export interface Redelivery {
  /** The message of an attempt, with the same `webhook-id`. */
  resend(owner: WebhookOwner, endpointId: string, attemptId: string): Promise<{ ok: true } | WebhookRefusal>;
  /** What the endpoint would have got of a range of the log, as the records are now. Gives the number of messages. */
  recover(
    owner: WebhookOwner,
    endpointId: string,
    range: RedeliveryRange,
  ): Promise<{ ok: true; messages: number } | WebhookRefusal>;
  sendTest(owner: WebhookOwner, endpointId: string, type: string): Promise<{ ok: true } | WebhookRefusal>;
}

export interface RedeliveryOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  changes: ChangeReader;
  search: SearchReader;
  /** Without a trailing slash. */
  publicUrl: string;
}

export function createRedelivery({ db, clocks, changes, search, publicUrl }: RedeliveryOptions): Redelivery {
  const now = clocks.limits;

  async function readActive({ accountId }: WebhookOwner, id: string): Promise<{ ok: true; row: EndpointRow } | WebhookRefusal> {
    const row = await findEndpoint(db, accountId, id);
    if (!row) return refuseWebhook('unknown_endpoint');
    if ((await loadAccountTier(db, accountId, clocks.directory())) !== 'enterprise') return refuseWebhook('tier_required');
    return row.state === 'active' ? { ok: true, row } : refuseWebhook('not_active');
  }

  async function resend(owner: WebhookOwner, endpointId: string, attemptId: string): Promise<{ ok: true } | WebhookRefusal> {
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

  async function sendTest(owner: WebhookOwner, endpointId: string, type: string): Promise<{ ok: true } | WebhookRefusal> {
    const found = await readActive(owner, endpointId);
    if (!found.ok) return found;
    if (!isEventType(type)) return refuseWebhook('unknown_event_type');
    const message = composeData(type, sampleData(type, now()), now());
    await transact(db, (trx) => writeMessages(trx, [message], [{ endpointId, message: 0, dueAt: now() }], now()));
    return { ok: true };
  }

  async function toSequences({ by, from, to }: RedeliveryRange): Promise<{ after: number; upTo: number }> {
    const { head } = await changes.state();
    if (by === 'sequence') return { after: Math.max(0, from - 1), upTo: Math.min(head, to ?? head) };
    return { after: await lastChangeBefore(db, from), upTo: to === null ? head : await lastChangeBefore(db, to + 1) };
  }

  async function readSubscriber({ id, account_id, event_types, feed_id }: EndpointRow): Promise<Subscriber | null> {
    const feed = feed_id === null ? null : await createFeeds({ db, now: clocks.directory }).find(account_id, feed_id);
    if (feed_id !== null && !feed) return null;
    const { timezone } = search.current().city;
    const choice = feed && readEventChoice(feed.query, timezone, clocks.directory());
    return { id, eventTypes: new Set(event_types), sinceSeq: 0, feedId: feed_id, choice };
  }

  async function recover(owner: WebhookOwner, endpointId: string, range: RedeliveryRange) {
    const found = await readActive(owner, endpointId);
    if (!found.ok) return found;
    const isRange = [range.from, range.to ?? range.from].every((each) => Number.isSafeInteger(each) && each >= 0);
    if (!isRange || (range.to !== null && range.to < range.from)) return refuseWebhook('invalid_range');
    const { after, upTo } = await toSequences(range);
    if (upTo - after > MAX_RANGE) return refuseWebhook('long_range');
    const subscriber = await readSubscriber(found.row);
    if (!subscriber) return refuseWebhook('unknown_feed');
    let messages = 0;
    for (let position = after; position < upTo; ) {
      const snapshot = search.current();
      const page = await changes.read({
        ...{ after: position, snapshot, limit: PAGE_SIZE, entities: ENTITIES, kinds: KINDS },
        heldOnly: subscriber.feedId !== null,
      });
      messages += await writeRange(page, subscriber, upTo);
      if (page.reached === position) break;
      position = page.reached;
    }
    return { ok: true as const, messages };
  }

  /** In a transaction for each page: a range may be long. */
  async function writeRange(page: ChangePage, subscriber: Subscriber, upTo: number): Promise<number> {
    const snapshot = search.current();
    const within = page.changes.filter(({ seq }) => seq <= upTo);
    const planned = planDeliveries(within, [subscriber], [], { now: snapshot, before: null }, now());
    const context = { epoch: page.epoch, city: createCityTime(snapshot.city.timezone), publicUrl };
    const deliveries = planned.map(({ endpointId, dueAt }, message) => ({ endpointId, message, dueAt }));
    const messages = planned.map(({ message }) => composeRecord(message, context));
    await transact(db, (trx) => writeMessages(trx, messages, deliveries, now()));
    return planned.length;
  }

  return { resend, recover, sendTest };
}

const ENTITIES = ['event', 'venue', 'neighborhood'] as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
const PAGE_SIZE = 200;
const MAX_RANGE = 10_000;
