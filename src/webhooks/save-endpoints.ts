/** Endpoints as they are created and edited. */

import { randomUUIDv7 } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Outbound } from '../outbound/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import {
  changeEndpoint,
  type EndpointContext,
  type EndpointRow,
  endpointsOf,
  findEndpoint,
  knowsFeed,
  record,
  refuseTier,
} from './endpoint-rows.ts';
import { isEventType } from './event-types.ts';
import type { DeliveryOrder, EndpointInput, Payload, ShownSecret, WebhookOwner } from './model.ts';
import { newProofText } from './proof.ts';
import { refuseWebhook, type WebhookReason } from './refusals.ts';
import type { Seal } from './seal.ts';
import { createKeyPair, createSecret, publicKeyOf } from './sign.ts';

/** Nothing is sent before `prove`. */
export async function create(
  context: EndpointContext,
  owner: WebhookOwner,
  typed: EndpointInput,
): Promise<{ ok: true; id: string; shown: ShownSecret } | Refusal<WebhookReason>> {
  const { db } = context;
  const checked = checkInput(typed, context);
  if (!checked.ok) return checked;
  const { accountId } = owner;
  const { input } = checked;
  return transact(db, async (trx) => {
    const refused = await refuseTier(context, trx, accountId);
    if (refused) return refused;
    if (!(await knowsFeed(context, trx, accountId, input.feedId))) return refuseWebhook('unknown_feed');
    if ((await endpointsOf(trx, accountId).execute()).length >= MAX_ENDPOINTS) return refuseWebhook('too_many_endpoints');
    const { id, shown } = await insert(context, trx, accountId, input);
    await record(context, trx, owner, 'webhook.create', id, { url: input.url });
    return { ok: true, id, shown };
  });
}

/** Another URL must be proven again. `shown`: where `v1a` is new. */
export async function update(
  context: EndpointContext,
  owner: WebhookOwner,
  id: string,
  typed: EndpointInput,
): Promise<{ ok: true; shown: ShownSecret | null } | Refusal<WebhookReason>> {
  const { db } = context;
  const checked = checkInput(typed, context);
  if (!checked.ok) return (await findEndpoint(db, owner.accountId, id)) ? checked : refuseWebhook('unknown_endpoint');
  const { input } = checked;
  return changeEndpoint(context, owner, id, async (trx, row) => {
    if (!(await knowsFeed(context, trx, owner.accountId, input.feedId))) return refuseWebhook('unknown_feed');
    const shown = await edit(context, trx, row, input);
    await record(context, trx, owner, 'webhook.update', id, { before: { url: row.url }, after: { url: input.url } });
    return { ok: true, shown };
  });
}

async function insert({ clocks, seal }: EndpointContext, trx: Transaction<Database>, accountId: string, input: CheckedInput) {
  const id = randomUUIDv7();
  const at = new Date(clocks.limits());
  const { shown, columns } = makeSecrets(seal, id, input.publicKey);
  await trx
    .insertInto('webhook_endpoint')
    .values({
      id,
      account_id: accountId,
      ...columnsOf(input),
      ...columns,
      state: 'unproven',
      state_at: at,
      challenge: newProofText(),
      lane: laneOf(input),
      since_seq: 0,
      created_at: at,
      updated_at: at,
    })
    .execute();
  return { id, shown };
}

async function edit(
  { clocks, seal }: EndpointContext,
  trx: Transaction<Database>,
  row: EndpointRow,
  input: CheckedInput,
): Promise<ShownSecret | null> {
  const { shown, columns } = editSigningKey(seal, row, input.publicKey);
  const at = new Date(clocks.limits());
  await trx
    .updateTable('webhook_endpoint')
    .set({
      ...columnsOf(input),
      ...columns,
      ...(await changeLane(trx, row, input)),
      revision: sql`revision + 1`,
      updated_at: at,
      ...(row.url !== input.url && { challenge: newProofText(), state: 'unproven', state_reason: null, state_at: at }),
    })
    .where('id', '=', row.id)
    .execute();
  return shown;
}

/** Holds the positions of both lanes until the commit. */
async function changeLane(trx: Transaction<Database>, row: EndpointRow, input: CheckedInput) {
  // Once it waits for the read model it goes on to: the lanes are at different numbers.
  const lane = row.lane === 'matched' ? 'matched' : laneOf(input);
  const followers = await trx
    .selectFrom('webhook_follower')
    .select(['lane', 'position'])
    .where('lane', 'in', [row.lane, lane])
    .orderBy('lane')
    .forUpdate()
    .execute();
  if (lane === row.lane) return { lane };
  const positionOf = (name: string) => followers.find((each) => each.lane === name)?.position ?? row.since_seq;
  const since_seq = positionOf(row.lane);
  await beginLaneAt(trx, { lane, position: positionOf(lane), since: since_seq });
  return { lane, since_seq };
}

/**
 * Lets a lane go on from `since` where it is behind and nobody follows it, and where it is ahead: then whoever follows it has had the
 * changes between.
 */
async function beginLaneAt(
  trx: Transaction<Database>,
  { lane, position, since }: { lane: EndpointRow['lane']; position: string; since: string },
): Promise<void> {
  const others = trx.selectFrom('webhook_endpoint').select('id').where('lane', '=', lane).where('state', '=', 'active').limit(1);
  const isFollowed = (await others.executeTakeFirst()) !== undefined;
  const isAhead = BigInt(position) > BigInt(since);
  if (isFollowed && !isAhead) return;
  await trx
    .updateTable('webhook_endpoint')
    .set({ since_seq: sql`greatest(since_seq, ${position}::bigint)` })
    .where('lane', '=', lane)
    .where('state', '=', 'active')
    .execute();
  await trx.updateTable('webhook_follower').set({ position: since }).where('lane', '=', lane).execute();
}

/** Neighborhoods are counted in the read model alone, but change with it: they do not hold up the others. */
const laneOf = ({ feedId }: CheckedInput): 'direct' | 'matched' => (feedId === null ? 'direct' : 'matched');

function columnsOf({ url, description, eventTypes, feedId, payload, order }: CheckedInput) {
  return { url, description, event_types: eventTypes, feed_id: feedId, payload, delivery_order: order };
}

/** An endpoint that can be saved as it was typed. */
interface CheckedInput {
  /** As it will be asked. */
  url: string;
  description: string;
  eventTypes: string[];
  feedId: string | null;
  payload: Payload;
  order: DeliveryOrder;
  publicKey: boolean;
}

function checkInput(
  input: EndpointInput,
  { outbound, publicUrl }: { outbound: Pick<Outbound, 'checkAddress'>; publicUrl: string },
): { ok: true; input: CheckedInput } | Refusal<WebhookReason> {
  const description = input.description.trim();
  const { payload, order, feedId, publicKey } = input;
  const eventTypes = [...new Set(input.eventTypes)];
  const url = input.url.trim();
  // The platform's reader would leave line breaks out, and ask for something else than was typed.
  if (url === '' || CONTROL_CHARACTER.test(url)) return refuseWebhook('invalid_url');
  const address = outbound.checkAddress(url);
  if (!address.ok) return refuseWebhook('invalid_url', `${capitalize(address.reason)}.`);
  if (isOwnAddress(address.url, publicUrl)) return refuseWebhook('own_address');
  if (Array.from(description).length > MAX_DESCRIPTION || CONTROL_CHARACTER.test(description) || !description.isWellFormed())
    return refuseWebhook('invalid_description');
  if (eventTypes.length === 0) return refuseWebhook('no_event_types');
  if (!eventTypes.every(isEventType)) return refuseWebhook('unknown_event_type');
  if (payload !== 'full' && payload !== 'thin') return refuseWebhook('unknown_payload');
  if (order !== 'parallel' && order !== 'fifo') return refuseWebhook('unknown_order');
  return { ok: true, input: { url: address.url, description, eventTypes, feedId, payload, order, publicKey } };
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/* The secrets that messages to an endpoint are signed with: made, sealed, rotated. */

/** Both secrets sign for 24 hours. */
export async function rotate(
  context: EndpointContext,
  owner: WebhookOwner,
  id: string,
): Promise<{ ok: true; shown: ShownSecret } | Refusal<WebhookReason>> {
  const { clocks, seal } = context;
  return changeEndpoint(context, owner, id, async (trx, row) => {
    const { shown, columns } = makeSecrets(seal, id, row.signing_key !== null);
    await trx
      .updateTable('webhook_endpoint')
      .set({
        ...columns,
        previous_secret: row.secret,
        previous_signing_key: row.signing_key,
        previous_until: new Date(clocks.limits() + ROTATION_MS),
        revision: sql`revision + 1`,
      })
      .where('id', '=', id)
      .execute();
    await record(context, trx, owner, 'webhook.rotate', id);
    return { ok: true, shown };
  });
}

/** New secrets: as their owner sees them once, and as the columns keep them. */
function makeSecrets(seal: Seal, id: string, hasPublicKey: boolean) {
  const secret = createSecret();
  const key = hasPublicKey ? createKeyPair() : null;
  return {
    shown: { secret, publicKey: key === null ? null : publicKeyOf(key) },
    columns: { secret: seal.close(secret, id), signing_key: key === null ? null : seal.close(key, id) },
  };
}

/** The signing key of an endpoint that is edited. `shown`: where `v1a` is new. */
function editSigningKey(seal: Seal, row: EndpointRow, wantsKey: boolean) {
  if (!wantsKey) return { shown: null, columns: { signing_key: null, previous_signing_key: null } };
  if (row.signing_key) return { shown: null, columns: {} };
  const key = createKeyPair();
  return { shown: { secret: null, publicKey: publicKeyOf(key) }, columns: { signing_key: seal.close(key, row.id) } };
}

/**
 * Whether an address leads to Marquee itself: a webhook there would answer its own changes. Names are ours on every port, addresses of
 * machines on the service's own port alone.
 */
export function isOwnAddress(url: string, publicUrl: string): boolean {
  const [asked, own] = [new URL(url), new URL(publicUrl)];
  if (hostOf(asked) !== hostOf(own)) return false;
  return !IP_ADDRESS.test(hostOf(own)) || portOf(asked) === portOf(own);
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '').toLowerCase();
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
/** Of one account, without those that were removed. */
const MAX_ENDPOINTS = 20;
const MAX_DESCRIPTION = 200;
const CONTROL_CHARACTER = /\p{Cc}/u;
const ROTATION_MS = 24 * 3_600_000;
