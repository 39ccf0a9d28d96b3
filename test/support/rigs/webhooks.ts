/** Webhooks on a store with a small directory, a clock that tests move, and receivers on loopback. */

import { Writable } from 'node:stream';
import type { Kysely } from 'kysely';
import { createAccounts, createAttempts } from '../../../src/accounts/index.ts';
import type { Clocks } from '../../../src/clock.ts';
import { createFeeds } from '../../../src/feeds/index.ts';
import { createLog, type Log } from '../../../src/log.ts';
import { type Outbound, openOutbound } from '../../../src/outbound/index.ts';
import { loadDirectory } from '../../../src/search/directory/follow-directory.ts';
import { type ChangeReader, createChangeReader, type EventRow, type Snapshot } from '../../../src/search/index.ts';
import { openSnapshot } from '../../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../../src/search/snapshot/snapshot-builder.ts';
import type { Database } from '../../../src/store/index.ts';
import type { Tracing } from '../../../src/telemetry/index.ts';
import {
  createEndpoints,
  createRedelivery,
  createSeal,
  DEFAULT_EVENT_TYPES,
  type EndpointInput,
  type Endpoints,
  openWebhooks,
  type Redelivery,
  type Seal,
  WEBHOOK_LIMITS,
  type WebhookOwner,
  type Webhooks,
} from '../../../src/webhooks/index.ts';
import { write } from '../../search/directory-writer.ts';
import {
  createRandom,
  NOW,
  PUBLIC_URL,
  type RandomDirectory,
  randomDirectory,
  randomEvent,
} from '../../search/random-directory.ts';
import { openTestStore, type TestStore } from '../database/store.ts';
import { openReceiver, type Receiver } from '../network/receiver.ts';
import { emptyDirectory } from '../records/bundle.ts';

export interface Customer extends WebhookOwner {
  email: string;
  subscriptionId: string;
  key: string;
}

export interface AddedEndpoint {
  id: string;
  secret: string;
  publicKey: string | null;
}

export interface WebhookRig {
  opened: TestStore;
  endpoints: Endpoints;
  redelivery: Redelivery;
  rows: RandomDirectory;
  /** Lines of the log. */
  logged: string[];
  /** What a service would have opened. */
  parts: { clocks: Clocks; log: Log; outbound: Outbound; changes: ChangeReader; search: { current(): Snapshot }; seal: Seal };
  /** Stands, but for what tests let pass. */
  now(): number;
  pass(milliseconds: number): void;
  customer(tier?: string): Promise<Customer>;
  receiver(): Promise<Receiver>;
  /** Lets messages go to a receiver of another process, on loopback. */
  reach(port: number): void;
  /** Proven and active, unless the receiver does not prove. */
  add(owner: WebhookOwner, receiver: Pick<Receiver, 'url'>, input?: Partial<EndpointInput>): Promise<AddedEndpoint>;
  input(url: string, input?: Partial<EndpointInput>): EndpointInput;
  /** An event of the directory, changed. */
  event(number: number, fields?: Partial<EventRow>): EventRow;
  put(...events: EventRow[]): Promise<number>;
  renewSnapshot(): Promise<void>;
  snapshot(): Snapshot;
  feed(owner: WebhookOwner, query: string): Promise<string>;
  /** `db`: as the worker sees the database. */
  work(db?: Kysely<Database>, tracing?: Tracing): Promise<Webhooks>;
  close(): Promise<void>;
}

export interface WebhookRigOptions {
  /** The clock goes on by itself, too. */
  realTime?: boolean;
  /** Given back at the end. */
  opened?: TestStore;
}

export async function openWebhookRig({ realTime = false, ...given }: WebhookRigOptions = {}): Promise<WebhookRig> {
  const opened = given.opened ?? (await openTestStore());
  const { store } = opened;
  const { db } = store;
  const logged: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk));
      done();
    },
  });
  const log = createLog('info', sink);
  let passed = 0;
  let people = 0;
  const begun = Date.now();
  const clocks = { directory: () => NOW + passed, limits: () => (realTime ? Date.now() : begun) + passed };
  // Each receiver is one more host that may be reached.
  let reaching = openOutbound({ limits: WEBHOOK_LIMITS });
  const outbound: Outbound = {
    fetch: (request) => reaching.fetch(request),
    checkAddress: (url) => reaching.checkAddress(url),
    close: () => reaching.close(),
  };
  const seal = createSeal(RIG_SECRET);
  const receivers: Receiver[] = [];
  const hosts: string[] = [];
  const reach = (port: number): void => {
    hosts.push(`127.0.0.1:${port}`);
    reaching = openOutbound({ allowedHosts: hosts, limits: WEBHOOK_LIMITS });
  };
  const workers: Webhooks[] = [];
  await emptyDirectory(store);
  await db.updateTable('webhook_follower').set({ position: 0 }).execute();
  const made = randomDirectory(createRandom(3), 40);
  const isOpen = { state: 'published', mergedInto: null } as const;
  const rows: RandomDirectory = {
    ...made,
    venues: made.venues.map((venue) => ({ ...venue, ...isOpen })),
    events: made.events.map((event) => ({ ...event, ...isOpen })),
  };
  await write(store, rows, NOW);
  let snapshot: Snapshot;
  const renewSnapshot = async () => {
    snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(db, PUBLIC_URL)).build(NOW, NOW));
  };
  await renewSnapshot();
  const search = { current: () => snapshot };
  const changes = createChangeReader({
    db,
    commitWatcher: store.createCommitWatcher(),
    publicUrl: PUBLIC_URL,
    now: clocks.directory,
  });
  const endpoints = createEndpoints({
    db,
    clocks,
    seal,
    outbound,
    attempts: createAttempts(clocks.limits),
    publicUrl: PUBLIC_URL,
  });
  const accounts = createAccounts({ db, now: clocks.directory });
  const input = (url: string, given: Partial<EndpointInput> = {}): EndpointInput => ({
    ...{
      url,
      description: '',
      eventTypes: DEFAULT_EVENT_TYPES,
      feedId: null,
      payload: 'full',
      order: 'parallel',
      publicKey: false,
    },
    ...given,
  });
  return {
    opened,
    endpoints,
    redelivery: createRedelivery({ db, clocks, changes, search, publicUrl: PUBLIC_URL }),
    rows,
    logged,
    parts: { clocks, log, outbound, changes, search, seal },
    now: clocks.limits,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    async customer(tier = 'enterprise') {
      const email = `hooks-${people++}-${Math.random().toString(36).slice(2)}@example.org`;
      const account = await accounts.createAccount({ email, tier });
      const key = await accounts.createKey({ email });
      if (!account.ok || !key.ok) throw new Error('no account');
      const actor = { id: account.id, name: email };
      return { accountId: account.id, actor, email, subscriptionId: key.subscriptionId, key: key.key };
    },
    async receiver() {
      const receiver = await openReceiver();
      receivers.push(receiver);
      reach(receiver.port);
      return receiver;
    },
    reach,
    input,
    async add(owner, receiver, given) {
      const created = await endpoints.create(owner, input(receiver.url, given));
      if (!created.ok) throw new Error(created.detail);
      const proven = await endpoints.prove(owner, created.id);
      if (!proven.ok) throw new Error(proven.detail);
      return { id: created.id, secret: created.shown.secret ?? '', publicKey: created.shown.publicKey };
    },
    event(number, fields = {}) {
      const known = rows.events[number];
      const event = known ?? { ...randomEvent(createRandom(number), number, rows.venues, number + 1), ...isOpen };
      const changed = { ...event, status: 'scheduled' as const, ...fields };
      rows.events[number] = changed;
      return changed;
    },
    put: (...events) => write(store, { events }, clocks.limits()),
    renewSnapshot,
    snapshot: () => snapshot,
    async feed(owner, query) {
      const created = await createFeeds({ db, now: clocks.directory }).create(owner, { name: query, query: query as never });
      if (!created.ok) throw new Error(created.detail);
      return created.feed.id;
    },
    async work(db = store.db, tracing?: Tracing) {
      const webhooks = await openWebhooks({
        ...{
          store: { ...store, db },
          outbound,
          search: async () => search,
          changes,
          secret: RIG_SECRET,
          publicUrl: PUBLIC_URL,
          clocks,
          log,
          ...(tracing && { tracing }),
        },
      });
      workers.push(webhooks);
      return webhooks;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()));
      await outbound.close();
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await opened.dispose();
    },
  };
}

export const RIG_SECRET = 'a secret of thirty-two characters';
