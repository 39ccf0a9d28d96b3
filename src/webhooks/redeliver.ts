/** Messages that somebody asks for: one again, a range of the log again, a test. */

import type { Kysely } from 'kysely';
import { loadAccountTier } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import { createFeeds } from '../feeds/index.ts';
import { readEventChoice } from '../query/index.ts';
import { lastChangeBefore } from '../records/index.ts';
import type { ChangePage, ChangeReader, SearchReader } from '../search/index.ts';
import { type Database, transact } from '../store/index.ts';
import { bindAll } from '../values/bind-all.ts';
import { createCityTime } from '../values/city-time.ts';
import type { Refusal } from '../values/refusal.ts';
import { type Burst, beginBurst } from './dispatch/bursts.ts';
import { planDeliveries, type Subscriber } from './dispatch/plan-deliveries.ts';
import { insertDeliveries, writeMessages } from './dispatch/store-messages.ts';
import { type EndpointRow, findEndpoint } from './endpoint-rows.ts';
import { isEventType } from './event-types.ts';
import { composeData, composeRecord } from './messages.ts';
import type { WebhookOwner } from './model.ts';
import { refuseWebhook, type WebhookReason } from './refusals.ts';
import { sampleData } from './sample-data.ts';

export type Redelivery = ReturnType<typeof createRedelivery>;

export const createRedelivery = (context: RedeliveryContext) => bindAll(context, { resend, recover, sendTest });

async function readActive(
  { db, clocks }: RedeliveryContext,
  { accountId }: WebhookOwner,
  id: string,
): Promise<{ ok: true; row: EndpointRow } | Refusal<WebhookReason>> {
  const row = await findEndpoint(db, accountId, id);
  if (!row) return refuseWebhook('unknown_endpoint');
  if ((await loadAccountTier(db, accountId, clocks.directory())) !== 'enterprise') return refuseWebhook('tier_required');
  return row.state === 'active' ? { ok: true, row } : refuseWebhook('not_active');
}

/** The message of an attempt, with the same `webhook-id`. */
async function resend(
  context: RedeliveryContext,
  owner: WebhookOwner,
  endpointId: string,
  attemptId: string,
): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { db, clocks } = context;
  const found = await readActive(context, owner, endpointId);
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
  await transact(db, (trx) =>
    insertDeliveries(trx, [{ endpointId, messageId: message.id, dueAt: clocks.limits() }], clocks.limits()),
  );
  return { ok: true };
}

async function sendTest(
  context: RedeliveryContext,
  owner: WebhookOwner,
  endpointId: string,
  type: string,
): Promise<{ ok: true } | Refusal<WebhookReason>> {
  const { db, clocks } = context;
  const found = await readActive(context, owner, endpointId);
  if (!found.ok) return found;
  if (!isEventType(type)) return refuseWebhook('unknown_event_type');
  const message = composeData(type, sampleData(type, clocks.limits()), clocks.limits());
  await transact(db, (trx) =>
    writeMessages(trx, [message], [{ endpointId, message: 0, dueAt: clocks.limits() }], clocks.limits()),
  );
  return { ok: true };
}

/** What the endpoint would have got of a range of the log, as the records are now. Gives the number of messages. */
async function recover(
  context: RedeliveryContext,
  owner: WebhookOwner,
  endpointId: string,
  range: RedeliveryRange,
): Promise<{ ok: true; messages: number } | Refusal<WebhookReason>> {
  const found = await readActive(context, owner, endpointId);
  if (!found.ok) return found;
  const messages = await recoverRange(found.row, range, context);
  return typeof messages === 'number' ? { ok: true, messages } : messages;
}

/* Sends a range of the change log to one endpoint again, as the records are now. */

/** Both ends count. Without `to`: up to now. */
export type RedeliveryRange =
  | { by: 'sequence'; from: number; to: number | null }
  | { by: 'time'; from: number; to: number | null };

interface RedeliveryContext {
  db: Kysely<Database>;
  clocks: Clocks;
  changes: ChangeReader;
  search: SearchReader;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** Gives the number of messages. */
async function recoverRange(
  endpoint: EndpointRow,
  range: RedeliveryRange,
  options: RedeliveryContext,
): Promise<number | Refusal<WebhookReason>> {
  const { changes, search } = options;
  if (!isValidRange(range)) return refuseWebhook('invalid_range');
  const { after, upTo } = await toSequences(range, options);
  if (upTo - after > MAX_RANGE) return refuseWebhook('long_range');
  const subscriber = await readSubscriber(endpoint, options);
  if (!subscriber) return refuseWebhook('unknown_feed');
  const burst = beginBurst(search.current());
  let messages = 0;
  for (let position = after; position < upTo; ) {
    const page = await changes.read({
      after: position,
      snapshot: burst.now,
      limit: PAGE_SIZE,
      entities: ENTITIES,
      kinds: KINDS,
      heldOnly: subscriber.feedId !== null,
    });
    messages += await writeRange(page, subscriber, { burst, upTo }, options);
    if (page.reached === position) break;
    position = page.reached;
  }
  return messages;
}

function isValidRange({ from, to }: RedeliveryRange): boolean {
  const areNumbers = [from, to ?? from].every((each) => Number.isSafeInteger(each) && each >= 0);
  return areNumbers && (to === null || to >= from);
}

async function toSequences(
  { by, from, to }: RedeliveryRange,
  { db, changes }: RedeliveryContext,
): Promise<{ after: number; upTo: number }> {
  const { head } = await changes.state();
  if (by === 'sequence') return { after: Math.max(0, from - 1), upTo: Math.min(head, to ?? head) };
  return { after: await lastChangeBefore(db, from), upTo: to === null ? head : await lastChangeBefore(db, to + 1) };
}

async function readSubscriber(
  { id, account_id, event_types, feed_id }: EndpointRow,
  { db, clocks, search }: RedeliveryContext,
): Promise<Subscriber | null> {
  const feed = feed_id === null ? null : await createFeeds({ db, now: clocks.directory }).find(account_id, feed_id);
  if (feed_id !== null && !feed) return null;
  const { timezone } = search.current().city;
  const choice = feed && readEventChoice(feed.query, timezone, clocks.directory());
  return { id, eventTypes: new Set(event_types), sinceSeq: 0, feedId: feed_id, choice };
}

/** In a transaction for each page: a range may be long. */
async function writeRange(
  page: ChangePage,
  subscriber: Subscriber,
  { burst, upTo }: { burst: Burst; upTo: number },
  { db, clocks, publicUrl }: RedeliveryContext,
): Promise<number> {
  const now = clocks.limits;
  const within = page.changes.filter(({ seq }) => seq <= upTo);
  const { deliveries: planned, moved } = planDeliveries(within, [subscriber], [], burst, now());
  const context = { epoch: page.epoch, city: createCityTime(burst.now.city.timezone), publicUrl };
  const deliveries = planned.map(({ endpointId, dueAt }, message) => ({ endpointId, message, dueAt }));
  const messages = planned.map(({ message }) => composeRecord(message, context));
  await transact(db, (trx) => writeMessages(trx, messages, deliveries, now()));
  for (const move of moved) burst.told.add(move);
  return planned.length;
}

const ENTITIES = ['event', 'venue', 'neighborhood'] as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
const PAGE_SIZE = 200;
const MAX_RANGE = 10_000;
