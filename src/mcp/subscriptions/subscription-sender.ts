/** What a worker does for webhook subscriptions: it looks for those with something to tell, leases them, and gives each its turn. */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type ChangeReader, createChangeReader, type SearchReader } from '../../search/index.ts';
import { type Database, limitQueries, listHead, type Store } from '../../store/index.ts';
import { createSeal } from '../../webhooks/index.ts';
import { createEventSource, type EventSource } from '../events/event-source.ts';
import { sendSubscription } from './send-subscription.ts';
import { countActive, type EventSubscription, leaseSubscriptions } from './subscription-rows.ts';

export interface SubscriptionSenderOptions {
  store: Store;
  /** With `WEBHOOK_LIMITS`; the caller closes it. */
  outbound: Outbound;
  /** The read model; asked for when there is somebody to tell. */
  search(): Promise<SearchReader>;
  changes?: ChangeReader;
  /** The one that signs sessions. */
  secret: string;
  /** Without a trailing slash. */
  publicUrl: string;
  clocks: Clocks;
  log: Log;
  random?: () => number;
  /** After how long another worker takes over what a dead one has left. */
  leaseMs?: number;
}

export interface SubscriptionSender {
  /** Lets requests under way end, for a while. */
  close(): Promise<void>;
}

export function startSubscriptionSender(options: SubscriptionSenderOptions): SubscriptionSender {
  const { store, outbound, clocks, log, random = Math.random, leaseMs = LEASE_MS } = options;
  const { db } = store;
  const now = clocks.limits;
  const owner = randomUUID();
  const ending = new AbortController();
  const commitWatcher = store.createCommitWatcher();
  const seal = createSeal(options.secret);
  const worker = { db, outbound, clocks, owner, leaseMs, random, seal, signal: ending.signal };
  const turns = new Set<Promise<void>>();
  const openSource = once(() => readSource(options));
  let dueAt: number | null = 0;
  let looking: Promise<void> | null = null;
  let isClosing = false;
  let isFailing = false;

  function begin(subscription: EventSubscription, source: EventSource): void {
    const turn: Promise<void> = sendSubscription(worker, subscription, source)
      // What was not told waits for the end of the lease.
      .catch((err: unknown) => log.error({ err, subscription: subscription.id }, 'cannot send a webhook subscription'))
      .finally(() => {
        turns.delete(turn);
        dueAt = 0;
      });
    turns.add(turn);
  }

  /** False: the log is ahead of the read model, and the next look may find more. */
  async function leaseDue(): Promise<boolean> {
    const source = await openSource();
    const head = await source.head();
    if (await hasWork(db, head, now())) {
      const limit = MAX_TURNS - turns.size;
      for (const each of await leaseSubscriptions(db, { owner, head, now: now(), limit, leaseMs })) begin(each, source);
    }
    return (await listHead(db, 'change')) <= head.sequence;
  }

  async function look(): Promise<void> {
    const isDue = dueAt !== null && dueAt <= now();
    if (isClosing || (!isDue && commitWatcher.nothingNew())) return;
    const sawAll = commitWatcher.begin();
    const counted = await countActive(db, now());
    if (counted.active > 0 && turns.size < MAX_TURNS && !(await leaseDue())) return;
    dueAt = counted.dueAt;
    sawAll();
    isFailing = false;
  }

  function tick(): void {
    // The turns that it begins run within the same limit.
    looking ??= limitQueries(QUERY_MS, look)
      .catch((err: unknown) => {
        if (!isFailing) log.error({ err }, 'cannot read webhook subscriptions; trying again');
        isFailing = true;
      })
      .finally(() => {
        looking = null;
      });
  }

  const timer = setInterval(tick, LOOK_EVERY_MS);
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await looking;
      const late = setTimeout(() => ending.abort(), CLOSE_AFTER_MS);
      await Promise.all(turns);
      clearTimeout(late);
    },
  };
}

async function readSource({ store, search, clocks, publicUrl, ...options }: SubscriptionSenderOptions): Promise<EventSource> {
  const { db } = store;
  const now = clocks.directory;
  const changes = options.changes ?? createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now });
  return createEventSource(changes, await search(), () => publicUrl, now);
}

/** Reads before it writes: a look that finds nothing must not be a commit, which all followers of lists would notice. */
async function hasWork(db: Kysely<Database>, head: { epoch: string; sequence: number }, now: number): Promise<boolean> {
  const moment = new Date(now);
  const row = await db
    .selectFrom('mcp_subscription')
    .select('id')
    .where('state', '=', 'active')
    .where('due_at', '<=', moment)
    .where('expires_at', '>', moment)
    .where(({ or, eb }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', moment)]))
    .where(({ or, eb }) => or([eb('epoch', '<>', head.epoch), eb('position', '<', String(head.sequence))]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** One that could not be opened is tried again. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | null = null;
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
}

const LOOK_EVERY_MS = 200;
/** On a server: neither deliveries nor the end of the process wait longer for a network that went silent. */
const QUERY_MS = 5_000;
/** Longer than an attempt takes. Prolonged with each one. */
const LEASE_MS = 20_000;
/** Subscriptions at once. */
const MAX_TURNS = 16;
const CLOSE_AFTER_MS = 5_000;
