/** Requests that wait for the operator. A subscription has one at a time: a second request takes the place of the first. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import {
  isTierName,
  lockSubscription,
  ownedSubscriptions,
  recordAudit,
  type Subscription,
  type TierName,
} from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { actorOf, changePlan } from './assign.ts';
import type { Actor, BillingOutcome } from './model.ts';
import { type BillingReason, refuse } from './refusal.ts';
import { LIVE } from './stripe/state.ts';

export interface PlanRequest {
  id: string;
  subscriptionId: string;
  accountId: string;
  email: string;
  /** What it is now. */
  from: { tier: string; status: string };
  /** What was requested; null: to end it. */
  tier: TierName | null;
  askedAt: Date;
}

export interface Requests {
  /** Those that wait, oldest first; of one account where it is named. */
  waiting(accountId?: string): Promise<PlanRequest[]>;
  /** Whether there is such a request, waiting or settled, of this account. */
  isOf(id: string, accountId: string): Promise<boolean>;
  /**
   * `tier`: the request that the operator saw. Acts within a second. Refuses `unknown_request`, `settled_already`, `changed_meanwhile`,
   * `paid_by_stripe`.
   */
  approve(decision: { by: Actor; id: string; tier: TierName | null }): Promise<BillingOutcome | Refusal<BillingReason>>;
  /** `note`: one sentence for the developer. Refuses `unknown_request`, `settled_already`, `missing_note`. */
  decline(decision: { by: Actor; id: string; note: string }): Promise<{ ok: true } | Refusal<BillingReason>>;
}

export function createRequests({ db, now = Date.now }: { db: Kysely<Database>; now?: Clock }): Requests {
  return {
    async waiting(accountId) {
      let query = db
        .selectFrom('plan_request')
        .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'plan_request.subscription_id')
        .where('plan_request.state', '=', 'open')
        .orderBy('plan_request.asked_at')
        .orderBy('plan_request.id')
        .select(['plan_request.id', 'plan_request.tier as requested', 'plan_request.asked_at', 'owned.id as subscriptionId'])
        .select(['owned.tier', 'owned.status', 'owned.accountId', 'owned.email']);
      if (accountId !== undefined) query = query.where('owned.accountId', '=', accountId);
      const rows = await query.execute();
      return rows.map(({ id, subscriptionId, accountId: owner, email, tier, status, requested, asked_at }) => ({
        id,
        subscriptionId,
        accountId: owner,
        email,
        askedAt: asked_at,
        from: { tier, status },
        tier: requested !== null && isTierName(requested) ? requested : null,
      }));
    },

    async isOf(id, accountId) {
      if (!isUuid(id)) return false;
      const found = await db
        .selectFrom('plan_request')
        .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'plan_request.subscription_id')
        .where('plan_request.id', '=', id)
        .where('owned.accountId', '=', accountId)
        .select('plan_request.id')
        .executeTakeFirst();
      return found !== undefined;
    },

    approve: ({ by, id, tier }) =>
      transact(db, async (trx) => {
        const found = await lockOpen(trx, id);
        if (!found.ok) return found;
        const { subscription, request } = found;
        if (request.tier !== tier) return refuse('changed_meanwhile');
        if (await isPaid(trx, subscription)) return refuse('paid_by_stripe');
        const at = new Date(now());
        await settle(trx, id, { state: 'approved', settled_by: by.accountId, settled_at: at });
        const plan = tier ? { tier, status: 'active' as const } : { tier: subscription.tier, status: 'inactive' as const };
        await changePlan(trx, subscription, plan, { ...actorOf(by), detail: { request: id } }, at);
        return tier ? { ok: true, outcome: 'changed', tier } : { ok: true, outcome: 'ending', endsAt: null };
      }),

    decline: ({ by, id, note }) =>
      transact(db, async (trx) => {
        const found = await lockOpen(trx, id);
        if (!found.ok) return found;
        const { subscription, request } = found;
        const text = note.replaceAll('\0', '').trim().slice(0, MAX_NOTE_LENGTH);
        if (text === '') return refuse('missing_note');
        const at = new Date(now());
        await settle(trx, id, { state: 'declined', settled_by: by.accountId, settled_at: at, note: text });
        await recordRequest(trx, 'plan.decline', subscription, request.tier, by, at);
        return { ok: true };
      }),
  };
}

/** The subscription before the request: everybody locks in this order. */
async function lockOpen(trx: Transaction<Database>, id: string): Promise<LockedRequest | Refusal<BillingReason>> {
  if (!isUuid(id)) return refuse('unknown_request');
  const known = await trx.selectFrom('plan_request').select('subscription_id').where('id', '=', id).executeTakeFirst();
  const subscription = known && (await lockSubscription(trx, known.subscription_id));
  if (!subscription) return refuse('unknown_request');
  const request = await trx.selectFrom('plan_request').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!request) return refuse('unknown_request');
  return request.state === 'open' ? { ok: true, subscription, request } : refuse('settled_already');
}

interface LockedRequest {
  ok: true;
  subscription: Subscription;
  request: Selectable<Database['plan_request']>;
}

/** Opens the subscription's request, or changes the open one to this tier. Whether anything is new. */
export async function openRequest(
  trx: Transaction<Database>,
  subscription: Subscription,
  tier: TierName | null,
  by: Actor,
  at: Date,
) {
  const open = await openRequestOf(trx, subscription.id);
  if (open?.tier === tier) return false;
  if (open) await settle(trx, open.id, { state: 'withdrawn', settled_by: by.accountId, settled_at: at });
  await trx
    .insertInto('plan_request')
    .values({ id: randomUUIDv7(), subscription_id: subscription.id, tier, asked_at: at })
    .execute();
  await recordRequest(trx, 'plan.request', subscription, tier, by, at);
  return true;
}

/** Whether there was one. */
export async function withdrawRequest(
  trx: Transaction<Database>,
  subscription: Subscription,
  by: Actor,
  at: Date,
): Promise<boolean> {
  const open = await openRequestOf(trx, subscription.id);
  if (!open) return false;
  await settle(trx, open.id, { state: 'withdrawn', settled_by: by.accountId, settled_at: at });
  await recordRequest(trx, 'plan.withdraw', subscription, open.tier, by, at);
  return true;
}

/** Withdraws the open requests of subscriptions whose account is being closed. */
export async function withdrawRequests(trx: Transaction<Database>, subscriptionIds: readonly string[], at: Date): Promise<void> {
  await trx
    .updateTable('plan_request')
    .set({ state: 'withdrawn', settled_at: at })
    .where('subscription_id', 'in', subscriptionIds)
    .where('state', '=', 'open')
    .execute();
}

/** A request from the time before Stripe was set up must not part what is paid for from what is given. */
async function isPaid(trx: Transaction<Database>, { id }: Subscription): Promise<boolean> {
  const live = trx
    .selectFrom('stripe_subscription')
    .where('subscription_id', '=', id)
    .where('status', 'in', [...LIVE]);
  return (await live.select('id').executeTakeFirst()) !== undefined;
}

function openRequestOf(trx: Transaction<Database>, subscriptionId: string) {
  return trx
    .selectFrom('plan_request')
    .select(['id', 'tier'])
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'open')
    .executeTakeFirst();
}

async function settle(
  trx: Transaction<Database>,
  id: string,
  how: { state: 'approved' | 'declined' | 'withdrawn'; settled_by: string; settled_at: Date; note?: string | null },
): Promise<void> {
  await trx.updateTable('plan_request').set(how).where('id', '=', id).execute();
}

async function recordRequest(
  trx: Transaction<Database>,
  action: string,
  { id, accountId, tier, status }: Subscription,
  requested: string | null,
  by: Actor,
  at: Date,
): Promise<void> {
  const detail = { subscription: id, from: { tier, status }, requested: requested ?? 'end' };
  await recordAudit(
    trx,
    { ...actorOf(by), action, subject: 'account', subjectId: accountId, detail },
    { now: () => at.getTime() },
  );
}

const MAX_NOTE_LENGTH = 500;
