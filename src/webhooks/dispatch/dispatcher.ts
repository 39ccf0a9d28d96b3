/**
 * Follows the change log and writes down what is to be sent. The messages of a page, their deliveries and the position are one
 * transaction, which only one of many workers can end: the position moves from where it was read, or nothing is written.
 */

import { type Kysely, sql, type Transaction } from 'kysely';
import { loadAccountTiers } from '../../accounts/index.ts';
import { readEventChoice } from '../../api/index.ts';
import { createCityTime } from '../../city/index.ts';
import type { Clocks } from '../../clock.ts';
import { createFeeds } from '../../feeds/index.ts';
import type { Log } from '../../log.ts';
import type { ChangePage, ChangeReader, SearchReader, Snapshot } from '../../search/index.ts';
import { type CommitWatcher, type Database, type Follower, followList, listHead, transact } from '../../store/index.ts';
import { deactivate } from '../endpoint-state.ts';
import { composeRecord, type RecordChanges } from '../messages.ts';
import { type PlannedDelivery, planDeliveries, type RecentDelivery, type Subscriber } from './plan-deliveries.ts';
import { writeMessages } from './store-messages.ts';

export interface DispatcherOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  changes: ChangeReader;
  /** Opened when there is somebody to tell. */
  search(): Promise<SearchReader>;
  /** Without a trailing slash. */
  publicUrl: string;
  clocks: Clocks;
  log: Log;
  /** Called when deliveries were written. */
  onWritten(): void;
}

type Lane = 'direct' | 'matched';
type Endpoint = Awaited<ReturnType<typeof loadActive>>[number];

export async function openDispatcher(options: DispatcherOptions): Promise<Follower> {
  const { db, commitWatcher, changes, search, clocks, log } = options;
  /** The directory as it was when the matched lane had come to `position`. */
  let before: { snapshot: Snapshot | null; position: number } | null = null;
  // What was committed while nobody followed waits, too.
  let waiting = true;

  /** Gives whether changes wait for the read model. */
  async function dispatchLane(lane: Lane): Promise<boolean> {
    for (;;) {
      if ((await loadActive(db, lane)).length === 0) return false;
      const snapshot = (await search()).current();
      const after = await readPosition(db, lane);
      const page = await changes.read({
        ...{ after, snapshot, limit: PAGE_SIZE, entities: ENTITIES, kinds: KINDS },
        heldOnly: lane === 'matched',
      });
      // The list was cut: what is gone cannot be told, what comes can.
      const reached = page.head < after ? page.head : page.reached;
      const isCaughtUp = lane === 'matched' && reached === snapshot.seq;
      if (reached === after) {
        if (isCaughtUp) before = { snapshot, position: reached };
        return page.head > after;
      }
      const known = lane === 'matched' && before?.position === after ? before.snapshot : null;
      const written = await transact(db, (trx) => writePage(trx, { lane, after, reached, page, snapshot, before: known }));
      if (lane === 'matched') before = written === null ? null : { snapshot: isCaughtUp ? snapshot : known, position: reached };
      if (written) options.onWritten();
      if (!page.hasMore && reached >= page.head) return false;
      if (!page.hasMore) return true;
    }
  }

  interface Step {
    lane: Lane;
    after: number;
    reached: number;
    page: ChangePage;
    snapshot: Snapshot;
    before: Snapshot | null;
  }

  /** Gives the number of deliveries; null when another worker was quicker. */
  async function writePage(trx: Transaction<Database>, { lane, after, reached, page, snapshot, before }: Step) {
    const moved = await trx
      .updateTable('webhook_follower')
      .set({ position: reached })
      .where('lane', '=', lane)
      .where('position', '=', String(after))
      .returning('lane')
      .executeTakeFirst();
    if (!moved) return null;
    const now = clocks.limits();
    // Read again: whoever was activated before this transaction is among them.
    const endpoints = await keepAllowed(trx, await loadActive(trx, lane));
    const subscribers = await readSubscribers(trx, endpoints, snapshot);
    const recent = await loadRecent(trx, page, now);
    const planned = planDeliveries(page.changes, subscribers, recent, { now: snapshot, before }, now);
    const context = {
      epoch: page.epoch,
      city: createCityTime(snapshot.city.timezone),
      publicUrl: options.publicUrl,
    };
    const replaced = planned.flatMap(({ replaces }) => replaces ?? []);
    await dropReplaced(trx, replaced);
    const { messages, deliveries } = withoutRepeats(planned);
    await writeMessages(
      trx,
      messages.map((message) => composeRecord(message, context)),
      deliveries,
      now,
    );
    return planned.length;
  }

  async function keepAllowed(trx: Transaction<Database>, endpoints: readonly Endpoint[]): Promise<Endpoint[]> {
    const tiers = await loadAccountTiers(trx, [...new Set(endpoints.map(({ accountId }) => accountId))], clocks.directory());
    const kept: Endpoint[] = [];
    for (const endpoint of endpoints) {
      const isFull = endpoint.pending >= MAX_PENDING;
      if (!isFull && tiers.get(endpoint.accountId) === 'enterprise') kept.push(endpoint);
      else {
        const why = isFull
          ? ({ state: 'disabled', reason: 'backlog' } as const)
          : ({ state: 'stopped', reason: 'plan' } as const);
        await deactivate(trx, endpoint.id, { ...why, now: clocks.limits() });
      }
    }
    return kept;
  }

  /** An endpoint whose saved query is gone stops: it asked for less than everything. */
  async function readSubscribers(trx: Transaction<Database>, endpoints: readonly Endpoint[], snapshot: Snapshot) {
    const feeds = createFeeds({ db: trx, now: clocks.directory });
    const subscribers: Subscriber[] = [];
    for (const { id, accountId, eventTypes, sinceSeq, feedId } of endpoints) {
      const feed = feedId === null ? null : await feeds.find(accountId, feedId);
      if (feedId !== null && !feed) {
        await deactivate(trx, id, { state: 'stopped', reason: 'feed_removed', now: clocks.limits() });
        continue;
      }
      const choice = feed && readEventChoice(feed.query, snapshot.city.timezone, clocks.directory());
      subscribers.push({ id, eventTypes: new Set(eventTypes), sinceSeq, feedId, choice });
    }
    return subscribers;
  }

  const dispatch = async () => {
    waiting = true;
    const direct = await dispatchLane('direct');
    const matched = await dispatchLane('matched');
    waiting = direct || matched;
  };

  return followList({
    db,
    list: 'change',
    after: await listHead(db, 'change'),
    commitWatcher,
    pollMs: POLL_MS,
    handler: dispatch,
    startOver: () => listHead(db, 'change'),
    // What waits for the read model is looked at again, whether or not the list has grown.
    async afterLook() {
      if (waiting) await dispatch();
      return POLL_MS;
    },
    onFailure: (err, isFirst) => {
      if (isFirst) log.error({ err }, 'webhooks cannot follow the change log; trying again');
    },
    onRecovery: () => log.info('webhooks follow the change log again'),
  });
}

const readPosition = async (db: Kysely<Database>, lane: Lane): Promise<number> =>
  Number(
    (await db.selectFrom('webhook_follower').select('position').where('lane', '=', lane).executeTakeFirstOrThrow()).position,
  );

async function loadActive(db: Kysely<Database>, lane: Lane) {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'account_id', 'event_types', 'since_seq', 'feed_id', 'pending'])
    .where('state', '=', 'active')
    .where('lane', '=', lane)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, account_id, event_types, since_seq, feed_id, pending }) => ({
    id,
    pending,
    accountId: account_id,
    eventTypes: event_types,
    sinceSeq: Number(since_seq),
    feedId: feed_id,
  }));
}

/** What was written of the same records a moment ago. Of what has not been tried the rows are held until the commit. */
async function loadRecent(trx: Transaction<Database>, { changes }: ChangePage, now: number): Promise<RecentDelivery[]> {
  const ids = [...new Set(changes.flatMap(({ entityId }) => entityId ?? []))];
  const { rows } = await sql<RecentRow>`
    select d.id, d.endpoint_id, d.state, d.attempts, d.due_at, m.entity_id, m.type, m.changes, m.created_at
    from webhook_message m join webhook_delivery d on d.message_id = m.id
    where m.entity_id = any(${ids}::uuid[]) and m.created_at > ${new Date(now - RECENT_MS)} and m.changes is not null`.execute(
    trx,
  );
  const waiting = rows.filter((row) => row.state === 'pending' && row.attempts === 0 && row.due_at.getTime() > now);
  const held = await lockUntried(
    trx,
    waiting.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    entityId: row.entity_id,
    type: row.type,
    changes: row.changes,
    createdAt: row.created_at.getTime(),
    dueAt: row.due_at.getTime(),
    isHeld: held.has(row.id),
  }));
}

interface RecentRow {
  id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  due_at: Date;
  entity_id: string;
  type: string;
  changes: RecordChanges;
  created_at: Date;
}

async function lockUntried(trx: Transaction<Database>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where id = any(${ids}::bigint[]) and state = 'pending' and attempts = 0
    for update skip locked`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function dropReplaced(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with dropped as (delete from webhook_delivery where id = any(${ids}::bigint[]) returning endpoint_id)
    update webhook_endpoint set pending = pending - sum.number
    from (select endpoint_id, count(*)::int as number from dropped group by endpoint_id) as sum
    where webhook_endpoint.id = sum.endpoint_id`.execute(trx);
}

/** Endpoints that get the same message share it. */
function withoutRepeats(planned: readonly PlannedDelivery[]) {
  const numbers = new Map<string, number>();
  const messages: PlannedDelivery['message'][] = [];
  const deliveries = planned.map(({ key, message, endpointId, dueAt }) => {
    const number = numbers.get(key) ?? messages.push(message) - 1;
    numbers.set(key, number);
    return { endpointId, message: number, dueAt };
  });
  return { messages, deliveries };
}

const ENTITIES = ['event', 'venue', 'neighborhood'] as const;
const KINDS = ['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'] as const;
const PAGE_SIZE = 200;
const POLL_MS = 100;
/** Longer than changes of one record are waited for, so that clocks of several workers may differ. */
const RECENT_MS = 4_000;
/** An endpoint for which more waits has been away for too long: its owner recovers the range. */
const MAX_PENDING = 500_000;
