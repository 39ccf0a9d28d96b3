/** Endpoints as they are created and edited. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { EndpointInput, ShownSecret, WebhookOwner } from '../model.ts';
import { newProofText } from '../proof.ts';
import { refuseWebhook, type WebhookReason } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import { type CheckedInput, checkInput } from './check-input.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import { type EndpointRow, endpointsOf, findEndpoint } from './endpoint-rows.ts';
import { editSigningKey, makeSecrets } from './endpoint-secrets.ts';

export interface EndpointEditor {
  /** Nothing is sent before `prove`. */
  create(
    owner: WebhookOwner,
    input: EndpointInput,
  ): Promise<{ ok: true; id: string; shown: ShownSecret } | Refusal<WebhookReason>>;
  /** Another URL must be proven again. `shown`: where `v1a` is new. */
  update(
    owner: WebhookOwner,
    id: string,
    input: EndpointInput,
  ): Promise<{ ok: true; shown: ShownSecret | null } | Refusal<WebhookReason>>;
}

export interface EndpointEditorOptions {
  db: Kysely<Database>;
  /** Of the limits. */
  now: Clock;
  seal: Seal;
  outbound: Pick<Outbound, 'checkAddress'>;
  /** Without a trailing slash. */
  publicUrl: string;
}

export function createEndpointEditor(changes: EndpointChanges, options: EndpointEditorOptions): EndpointEditor {
  const { db, now, seal } = options;

  async function insert(trx: Transaction<Database>, accountId: string, input: CheckedInput) {
    const id = randomUUIDv7();
    const at = new Date(now());
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

  async function edit(trx: Transaction<Database>, row: EndpointRow, input: CheckedInput): Promise<ShownSecret | null> {
    const { shown, columns } = editSigningKey(seal, row, input.publicKey);
    const at = new Date(now());
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

  return {
    async create(owner, typed) {
      const checked = checkInput(typed, options);
      if (!checked.ok) return checked;
      const { accountId } = owner;
      const { input } = checked;
      return transact(db, async (trx) => {
        const refused = await changes.refuseTier(trx, accountId);
        if (refused) return refused;
        if (!(await changes.knowsFeed(trx, accountId, input.feedId))) return refuseWebhook('unknown_feed');
        if ((await endpointsOf(trx, accountId).execute()).length >= MAX_ENDPOINTS) return refuseWebhook('too_many_endpoints');
        const { id, shown } = await insert(trx, accountId, input);
        await changes.record(trx, owner, 'webhook.create', id, { url: input.url });
        return { ok: true, id, shown };
      });
    },

    async update(owner, id, typed) {
      const checked = checkInput(typed, options);
      if (!checked.ok) return (await findEndpoint(db, owner.accountId, id)) ? checked : refuseWebhook('unknown_endpoint');
      const { input } = checked;
      return changes.change(owner, id, async (trx, row) => {
        if (!(await changes.knowsFeed(trx, owner.accountId, input.feedId))) return refuseWebhook('unknown_feed');
        const shown = await edit(trx, row, input);
        await changes.record(trx, owner, 'webhook.update', id, { before: { url: row.url }, after: { url: input.url } });
        return { ok: true, shown };
      });
    },
  };
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

/** Of one account, without those that were removed. */
const MAX_ENDPOINTS = 20;
