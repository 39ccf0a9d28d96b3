/** The endpoints that changes of the directory are planned for, and those that stop because they may not get any. */

import type { Kysely, Transaction } from 'kysely';
import { loadAccountTiers } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import { createFeeds } from '../../feeds/index.ts';
import { readEventChoice } from '../../query/index.ts';
import type { Database } from '../../store/index.ts';
import { deactivate } from '../endpoint-state.ts';
import type { Subscriber } from './plan-deliveries.ts';

/** `matched` endpoints have a saved query, and so they follow the read model; `direct` ones get everything. */
export type Lane = 'direct' | 'matched';

type ActiveEndpoint = Awaited<ReturnType<typeof loadActive>>[number];

export async function loadActive(db: Kysely<Database>, lane: Lane) {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'account_id', 'event_types', 'since_seq', 'feed_id', 'pending', 'state_at'])
    .where('state', '=', 'active')
    .where('lane', '=', lane)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, account_id, event_types, since_seq, feed_id, pending, state_at }) => ({
    id,
    pending,
    activeSince: state_at.getTime(),
    accountId: account_id,
    eventTypes: event_types,
    sinceSeq: Number(since_seq),
    feedId: feed_id,
  }));
}

/** Within the transaction that writes their deliveries. `timezone`: of the city. */
export async function loadSubscribers(
  trx: Transaction<Database>,
  lane: Lane,
  timezone: string,
  clocks: Clocks,
): Promise<Subscriber[]> {
  return readQueries(trx, await keepAllowed(trx, await loadActive(trx, lane), clocks), timezone, clocks);
}

/** An endpoint stops when its plan has ended, and when too much waits for it. */
async function keepAllowed(
  trx: Transaction<Database>,
  endpoints: readonly ActiveEndpoint[],
  clocks: Clocks,
): Promise<ActiveEndpoint[]> {
  const tiers = await loadAccountTiers(trx, [...new Set(endpoints.map(({ accountId }) => accountId))], clocks.directory());
  const kept: ActiveEndpoint[] = [];
  for (const endpoint of endpoints) {
    const hasHadTime = clocks.limits() - endpoint.activeSince > WORK_OFF_MS;
    const isFull = endpoint.pending >= MAX_PENDING && hasHadTime;
    if (!isFull && tiers.get(endpoint.accountId) === 'enterprise') kept.push(endpoint);
    else {
      const why = isFull ? ({ state: 'disabled', reason: 'backlog' } as const) : ({ state: 'stopped', reason: 'plan' } as const);
      await deactivate(trx, endpoint.id, { ...why, now: clocks.limits() });
    }
  }
  return kept;
}

/** An endpoint whose saved query is gone stops: it asked for less than everything. */
async function readQueries(
  trx: Transaction<Database>,
  endpoints: readonly ActiveEndpoint[],
  timezone: string,
  clocks: Clocks,
): Promise<Subscriber[]> {
  const feeds = createFeeds({ db: trx, now: clocks.directory });
  const subscribers: Subscriber[] = [];
  for (const { id, accountId, eventTypes, sinceSeq, feedId } of endpoints) {
    const feed = feedId === null ? null : await feeds.find(accountId, feedId);
    if (feedId !== null && !feed) {
      await deactivate(trx, id, { state: 'stopped', reason: 'feed_removed', now: clocks.limits() });
      continue;
    }
    const choice = feed && readEventChoice(feed.query, timezone, clocks.directory());
    subscribers.push({ id, eventTypes: new Set(eventTypes), sinceSeq, feedId, choice });
  }
  return subscribers;
}

/** An endpoint for which more waits has been away for too long: its owner recovers the range. */
const MAX_PENDING = 500_000;
/** Who activates an endpoint for which so much waits has this time before it counts. */
const WORK_OFF_MS = 3_600_000;
