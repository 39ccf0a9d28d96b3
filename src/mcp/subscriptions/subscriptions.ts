/**
 * Webhooks of MCP Events, for Enterprise keys (SEP-3415, "Webhook-Based Delivery"): `events/subscribe` and `events/unsubscribe` make, renew
 * and end subscriptions. Sending is the worker's: `subscription-sender.ts`.
 */

import type { Kysely } from 'kysely';
import { createMinuteWindows, lockAccount } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type Cursor, formatCursor } from '../../query/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { createSigner, type Seal } from '../../webhooks/index.ts';
import { type EventRequest, readRequest } from '../events/event-request.ts';
import type { EventSource } from '../events/event-source.ts';
import type { McpCall, McpMethods } from '../protocol/dispatcher.ts';
import { McpError } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/message.ts';
import type { PlaceOf } from '../tools/tool-methods.ts';
import { verifyCallback } from './post-envelope.ts';
import { deriveId, readCallbackUrl, readSecretOf, readTtl, type SubscriptionKey } from './subscription-request.ts';
import {
  deleteSubscription,
  type EventSubscription,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  renewSubscription,
} from './subscription-rows.ts';

export interface SubscriptionsOptions {
  db: Kysely<Database>;
  /** Of the limits, milliseconds. */
  now: Clock;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  /** Without a trailing slash. */
  publicUrl: () => string;
}

export interface SubscribeInput {
  accountId: string;
  params: JsonObject;
  /** `name` and `arguments` of `params`, checked. */
  request: EventRequest;
  /** Directory time, milliseconds: older changes are left out. Null: none are. */
  notBefore: number | null;
  source: EventSource;
}

export interface EventSubscriptions {
  /** Throws `McpError`. */
  subscribe(input: SubscribeInput): Promise<JsonObject>;
  /** Throws `McpError`. */
  unsubscribe(input: Pick<SubscribeInput, 'accountId' | 'params' | 'request'>): Promise<void>;
}

export function createEventSubscriptions({ db, now, seal, outbound, publicUrl }: SubscriptionsOptions): EventSubscriptions {
  const verify = createVerification(outbound, now);

  function readKey({ accountId, params, request }: Pick<SubscribeInput, 'accountId' | 'params' | 'request'>): SubscriptionKey {
    const url = readCallbackUrl(params, { checkAddress: outbound.checkAddress, publicUrl: publicUrl() });
    return { accountId, url, name: request.kind.name, arguments: (params.arguments ?? {}) as JsonObject };
  }

  async function create(input: SubscribeInput, id: string, key: SubscriptionKey, secret: string): Promise<Granted> {
    const { accountId, url, name } = key;
    const { params, request, source, notBefore } = input;
    const own = await listSubscriptions(db, accountId, now());
    checkRoom(own.length);
    const begun = await source.begin(params.cursor, null);
    const floor = params.cursor == null ? null : notBefore;
    const isCut = begun.truncated || (floor !== null && (await leavesOut(source, request, begun.cursor, floor)));
    // A URL that the account has had proven counts for all its subscriptions, so that nobody is asked again and again.
    if (!own.some((each) => each.url === url)) await verify(id, url, secret);
    const expiresAt = now() + readTtl(params);
    await transact(db, async (trx) => {
      await lockAccount(trx, accountId);
      const others = (await listSubscriptions(trx, accountId, now())).filter((each) => each.id !== id);
      checkRoom(others.length);
      const row = { id, accountId, url, name, query: request.query, secret: seal.close(secret, id) };
      await insertSubscription(trx, { ...row, position: begun.cursor, notBefore: floor, expiresAt }, now());
    });
    return { cursor: begun.cursor, truncated: isCut, expiresAt };
  }

  async function renew(input: SubscribeInput, known: EventSubscription, secret: string): Promise<Granted | null> {
    const before = seal.open(known.secret, known.id);
    const begun = await input.source.begin(formatCursor(known.position), null);
    const expiresAt = now() + readTtl(input.params);
    const renewal = {
      secret: secret === before ? known.secret : seal.close(secret, known.id),
      previous: secret === before ? null : { secret: known.secret, until: now() + DOUBLE_SIGNED_MS },
      position: begun.cursor,
      expiresAt,
    };
    const isThere = await renewSubscription(db, known, renewal, now());
    return isThere ? { cursor: begun.cursor, truncated: begun.truncated, expiresAt } : null;
  }

  return {
    async subscribe(input) {
      const secret = readSecretOf(input.params);
      const key = readKey(input);
      const id = deriveId(key);
      const known = await findSubscription(db, id, now());
      const renewed = known && (await renew(input, known, secret));
      const { cursor, truncated, expiresAt } = renewed ?? (await create(input, id, key, secret));
      return {
        id,
        refreshBefore: new Date(expiresAt).toISOString(),
        cursor: formatCursor(cursor),
        truncated,
        ...(renewed && { deliveryStatus: describeDelivery(known) }),
      };
    },

    async unsubscribe(input) {
      const isGone = await deleteSubscription(db, deriveId(readKey(input)), now());
      if (!isGone) {
        const detail = 'there is no subscription with this name, these arguments and this delivery.url';
        throw new McpError('event_not_found', detail, { kind: 'subscription' });
      }
    },
  };
}

/** `events/subscribe` and `events/unsubscribe`. */
export function createSubscriptionMethods(subscriptions: EventSubscriptions, source: EventSource, placeOf: PlaceOf): McpMethods {
  /** Throws `McpError`: without an account a subscription would be anybody's. */
  function readAccount(call: McpCall): string {
    const { opens, publicUrl } = placeOf(call);
    const { accountId } = call.caller;
    if (accountId !== null && opens('enterprise')) return accountId;
    throw new McpError(
      'event_forbidden',
      `webhooks need an API key of the enterprise plan (${publicUrl}/pricing); use events/poll`,
    );
  }

  return {
    'events/subscribe': {
      era: 'current',
      cost: () => 1,
      async run(call) {
        const accountId = readAccount(call);
        const { request, notBefore } = readRequest(call.params, placeOf(call));
        const floor = call.params.maxAgeMs === undefined ? null : notBefore;
        return await subscriptions.subscribe({ accountId, params: call.params, request, notBefore: floor, source });
      },
    },
    'events/unsubscribe': {
      era: 'current',
      cost: () => 1,
      async run(call) {
        const accountId = readAccount(call);
        await subscriptions.unsubscribe({
          accountId,
          params: call.params,
          request: readRequest(call.params, placeOf(call)).request,
        });
        return {};
      },
    },
  };
}

/** Has the owner of a URL prove that it wants what is sent to it. */
function createVerification(outbound: Outbound, now: Clock): (id: string, url: string, secret: string) => Promise<void> {
  const verifications = createMinuteWindows({ perMinute: MAX_VERIFICATIONS, maxWatched: MAX_HOSTS });

  return async (id, url, secret) => {
    const window = verifications.of(new URL(url).host, Math.round(performance.now() * US_PER_MS));
    if (window.wait > 0) {
      const data = { limit: 'verifications', max: MAX_VERIFICATIONS };
      throw new McpError('event_exhausted', 'the host of delivery.url was asked too often; wait a minute', data);
    }
    window.add();
    const reason = await verifyCallback(outbound, {
      ...{ subscriptionId: id, url },
      ...{ signer: createSigner([secret], []), at: new Date(now()) },
    });
    if (reason === null) return;
    throw new McpError('event_callback', `delivery.url did not return the challenge: ${reason}`, { reason });
  };
}

interface Granted {
  cursor: Cursor;
  truncated: boolean;
  expiresAt: number;
}

function checkRoom(subscriptions: number): void {
  if (subscriptions < MAX_SUBSCRIPTIONS) return;
  const data = { limit: 'subscriptions', max: MAX_SUBSCRIPTIONS };
  throw new McpError('event_exhausted', `an account has at most ${MAX_SUBSCRIPTIONS} subscriptions; end one first`, data);
}

/** Whether occurrences after `from` are older than `floor`. The oldest come first: the first ones tell it. */
async function leavesOut(source: EventSource, request: EventRequest, from: Cursor, floor: number): Promise<boolean> {
  let cursor = from;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await source.read(request, cursor, { maxEvents: PAGE_SIZE, notBefore: floor });
    if (read.truncated) return true;
    if (read.events.length > 0 || !read.hasMore) return false;
    cursor = read.cursor;
  }
  // Nobody looked further: something may be missing.
  return true;
}

/** How it was before this renewal, which lets a suspended subscription go on. */
function describeDelivery({ isSuspended, lastSuccessAt, lastError, failingSince }: EventSubscription): JsonObject {
  return {
    active: !isSuspended,
    lastDeliveryAt: lastSuccessAt?.toISOString() ?? null,
    lastError,
    ...(failingSince && { failedSince: failingSince.toISOString() }),
  };
}

const MAX_SUBSCRIPTIONS = 20;
/** Challenges a minute to one host. */
const MAX_VERIFICATIONS = 10;
const MAX_HOSTS = 1_000;
/** How long the secret before signs, too: what is under way was signed with it. */
const DOUBLE_SIGNED_MS = 600_000;
const PAGE_SIZE = 200;
const MAX_PAGES = 20;
const US_PER_MS = 1_000;
