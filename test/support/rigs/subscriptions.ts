/** Subscriptions of MCP Events over the rig of webhooks: a whole HTTP server with real keys, and a worker that tests start. */

import { type Gate, openGate } from '../../../src/accounts/index.ts';
import { createApi } from '../../../src/api/index.ts';
import { createEventSubscriptions, openMcp, type SubscriptionSender, startSubscriptionSender } from '../../../src/mcp/index.ts';
import type { SearchReader } from '../../../src/search/index.ts';
import { createServer } from '../../../src/server/index.ts';
import { write } from '../../search/directory-writer.ts';
import { PUBLIC_URL } from '../../search/random-directory.ts';
import { createFakeExports } from '../fakes/exports.ts';
import { createFakeFeeds } from '../fakes/feeds.ts';
import type { Receiver } from '../network/receiver.ts';
import { until } from '../runs/patience.ts';
import { askMcp } from './mcp.ts';
import { openWebhookRig, RIG_SECRET } from './webhooks.ts';

export interface SubscriptionRig {
  /** Of the limits. */
  now(): number;
  pass(milliseconds: number): void;
  receiver(): Promise<Receiver>;
  key(tier: string): Promise<string>;
  enterpriseKey(): Promise<string>;
  /** The account of this key has no plan any more. */
  endPlan(key: string): Promise<void>;
  /** Another title for an event of the directory, which is served when this resolves. */
  rename(number: number, title: string): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  ask(method: string, params: Record<string, unknown>, key: string | null): Promise<any>;
  /** Starts a worker. */
  send(): void;
  stopSending(): Promise<void>;
  /** Resolves when no worker is at anything. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export async function openSubscriptionRig(): Promise<SubscriptionRig> {
  const rig = await openWebhookRig();
  const { clocks, log, outbound, changes, seal } = rig.parts;
  const search = rig.parts.search as SearchReader;
  const { store } = rig.opened;
  const { db } = store;
  const publicUrl = () => PUBLIC_URL;
  const gate: Gate = await openGate({ db, commitWatcher: store.createCommitWatcher(), clocks, log });
  const api = createApi({
    ...{ search, changes, gate, feeds: createFakeFeeds(), exports: createFakeExports() },
    ...{ publicUrl, clocks, log },
  });
  const { handler, close } = openMcp({
    ...{ search, changes, gate, publicUrl, clocks, observe: api.observe, log },
    loadChangedAt: async () => null,
    loadMap: async () => null,
    limits: { callsPerNetwork: 10_000, callsPerSite: 10_000, requestsPerNetwork: 10_000 },
    subscriptions: createEventSubscriptions({ db, now: clocks.limits, seal, outbound, publicUrl }),
  });
  const server = createServer({ api, mcp: handler, log, ready: () => true });
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
  const accounts = new Map<string, string>();
  let sender: SubscriptionSender | null = null;

  async function key(tier: string): Promise<string> {
    const customer = await rig.customer(tier);
    accounts.set(customer.key, customer.accountId);
    return customer.key;
  }

  async function stopSending(): Promise<void> {
    await sender?.close();
    sender = null;
    await db.deleteFrom('mcp_subscription').execute();
  }

  return {
    now: rig.now,
    pass: rig.pass,
    receiver: rig.receiver,
    key,
    enterpriseKey: () => key('enterprise'),
    async endPlan(of) {
      await db
        .updateTable('subscription')
        .set({ status: 'inactive' })
        .where('account_id', '=', accounts.get(of) ?? '')
        .execute();
    },
    async rename(number, title) {
      await write(store, { events: [rig.event(number, { title })] }, clocks.directory());
      await rig.renewSnapshot();
    },
    async ask(method, params, from) {
      const headers = from === null ? {} : { 'X-API-Key': from };
      return (await askMcp(`http://127.0.0.1:${port}`, method, params, { headers })).json;
    },
    send() {
      sender = startSubscriptionSender({
        ...{ store, outbound, changes, secret: RIG_SECRET, publicUrl: PUBLIC_URL, clocks, log },
        search: async () => search,
        random: () => 0.5,
      });
    },
    stopSending,
    settle: () =>
      until(async () => {
        const busy = await db.selectFrom('mcp_subscription').select('id').where('lease_owner', 'is not', null).execute();
        if (busy.length > 0) throw new Error('a worker is at something');
      }),
    async close() {
      await stopSending();
      close();
      await server.drain();
      await gate.close();
      await rig.close();
    },
  };
}
