/** Sends a range of the change log to one endpoint again, as the records are now. */

import type { Kysely } from 'kysely';
import type { Clocks } from '../clock.ts';
import { createFeeds } from '../feeds/index.ts';
import { readEventChoice } from '../query/index.ts';
import { lastChangeBefore } from '../records/index.ts';
import type { ChangePage, ChangeReader, SearchReader } from '../search/index.ts';
import { type Database, transact } from '../store/index.ts';
import { createCityTime } from '../values/city-time.ts';
import type { Refusal } from '../values/refusal.ts';
import { type Burst, beginBurst } from './dispatch/bursts.ts';
import { planDeliveries, type Subscriber } from './dispatch/plan-deliveries.ts';
import { writeMessages } from './dispatch/store-messages.ts';
import type { EndpointRow } from './endpoints/endpoint-rows.ts';
import { composeRecord } from './messages.ts';
import { refuseWebhook, type WebhookReason } from './refusals.ts';

/** Both ends count. Without `to`: up to now. */
export type RedeliveryRange =
  | { by: 'sequence'; from: number; to: number | null }
  | { by: 'time'; from: number; to: number | null };

export interface RedeliveryOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  changes: ChangeReader;
  search: SearchReader;
  /** Without a trailing slash. */
  publicUrl: string;
}

/** Gives the number of messages. */
export async function recoverRange(
  endpoint: EndpointRow,
  range: RedeliveryRange,
  options: RedeliveryOptions,
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
  { db, changes }: RedeliveryOptions,
): Promise<{ after: number; upTo: number }> {
  const { head } = await changes.state();
  if (by === 'sequence') return { after: Math.max(0, from - 1), upTo: Math.min(head, to ?? head) };
  return { after: await lastChangeBefore(db, from), upTo: to === null ? head : await lastChangeBefore(db, to + 1) };
}

async function readSubscriber(
  { id, account_id, event_types, feed_id }: EndpointRow,
  { db, clocks, search }: RedeliveryOptions,
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
  { db, clocks, publicUrl }: RedeliveryOptions,
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
