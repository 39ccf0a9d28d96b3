/** Wishes that wait for the operator. A lineage has one at a time: a second wish takes the place of the first. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { isTierName, type Lineage, lockLineage, recordAudit, type TierName } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { actorOf, changePlan } from './assign.ts';
import type { Outcome, Person } from './model.ts';
import { type Refusal, refuse } from './refusal.ts';
import { LIVE } from './stripe/state.ts';

export interface PlanRequest {
  id: string;
  subscriptionId: string;
  accountId: string;
  email: string;
  /** What it is now. */
  from: { tier: string; status: string };
  /** What is wished for; null: to end it. */
  tier: TierName | null;
  askedAt: Date;
}

export interface Requests {
  /** Those that wait, oldest first; of one account where it is named. */
  waiting(accountId?: string): Promise<PlanRequest[]>;
  /** Whether there is such a request, waiting or settled, of this account. */
  isOf(id: string, accountId: string): Promise<boolean>;
  /**
   * `tier`: what the operator saw to be wished for. Acts within a second. Refuses `unknown_request`, `settled_already`, `changed_meanwhile`,
   * `paid_by_stripe`.
   */
  approve(decision: { by: Person; id: string; tier: TierName | null }): Promise<Outcome | Refusal>;
  /** `note`: one sentence for the developer. Refuses `unknown_request`, `settled_already`, `missing_note`. */
  decline(decision: { by: Person; id: string; note: string }): Promise<{ ok: true } | Refusal>;
}

export function createRequests({ db, now = Date.now }: { db: Kysely<Database>; now?: Clock }): Requests {
  /** The lineage before the request: everybody locks in this order. */
  async function lock(trx: Transaction<Database>, id: string) {
    if (!isUuid(id)) return null;
    const known = await trx.selectFrom('plan_request').select('subscription_id').where('id', '=', id).executeTakeFirst();
    const lineage = known && (await lockLineage(trx, known.subscription_id));
    const request =
      lineage && (await trx.selectFrom('plan_request').selectAll().where('id', '=', id).forUpdate().executeTakeFirst());
    return request ? { lineage, request } : null;
  }

  return {
    async waiting(accountId) {
      let query = db
        .selectFrom('plan_request')
        .innerJoin('subscription', 'subscription.id', 'plan_request.subscription_id')
        .innerJoin('account', 'account.id', 'subscription.account_id')
        .where('plan_request.state', '=', 'open')
        .orderBy('plan_request.asked_at')
        .orderBy('plan_request.id')
        .select(['plan_request.id', 'plan_request.tier as wished', 'plan_request.asked_at', 'subscription.id as subscriptionId'])
        .select(['subscription.tier', 'subscription.status', 'account.id as accountId', 'account.email']);
      if (accountId !== undefined) query = query.where('account.id', '=', accountId);
      const rows = await query.execute();
      return rows.map(({ id, subscriptionId, accountId: owner, email, tier, status, wished, asked_at }) => ({
        ...{ id, subscriptionId, accountId: owner, email, askedAt: asked_at },
        ...{ from: { tier, status }, tier: wished !== null && isTierName(wished) ? wished : null },
      }));
    },

    async isOf(id, accountId) {
      if (!isUuid(id)) return false;
      const found = await db
        .selectFrom('plan_request')
        .innerJoin('subscription', 'subscription.id', 'plan_request.subscription_id')
        .where('plan_request.id', '=', id)
        .where('subscription.account_id', '=', accountId)
        .select('plan_request.id')
        .executeTakeFirst();
      return found !== undefined;
    },

    approve: ({ by, id, tier }) =>
      transact(db, async (trx) => {
        const found = await lock(trx, id);
        if (!found) return refuse('unknown_request');
        const { lineage, request } = found;
        if (request.state !== 'open') return refuse('settled_already');
        if (request.tier !== tier) return refuse('changed_meanwhile');
        if (await isPaid(trx, lineage)) return refuse('paid_by_stripe');
        const at = new Date(now());
        await settle(trx, id, { state: 'approved', settled_by: by.accountId, settled_at: at });
        const plan = tier ? { tier, status: 'active' as const } : { tier: lineage.tier, status: 'inactive' as const };
        await changePlan(trx, lineage, plan, { ...actorOf(by), detail: { request: id } }, at);
        return tier ? { ok: true, outcome: 'changed', tier } : { ok: true, outcome: 'ending', endsAt: null };
      }),

    decline: ({ by, id, note }) =>
      transact(db, async (trx) => {
        const found = await lock(trx, id);
        if (!found) return refuse('unknown_request');
        const { lineage, request } = found;
        if (request.state !== 'open') return refuse('settled_already');
        const text = note.replaceAll('\0', '').trim().slice(0, LONGEST_NOTE);
        if (text === '') return refuse('missing_note');
        const at = new Date(now());
        await settle(trx, id, { state: 'declined', settled_by: by.accountId, settled_at: at, note: text });
        await recordWish(trx, 'plan.decline', lineage, request.tier, by, at);
        return { ok: true };
      }),
  };
}

/** Opens the lineage's request, or makes the open one wish for this. Whether anything is new. */
export async function openRequest(trx: Transaction<Database>, lineage: Lineage, tier: TierName | null, by: Person, at: Date) {
  const open = await openRequestOf(trx, lineage.id);
  if (open?.tier === tier) return false;
  if (open) await settle(trx, open.id, { state: 'withdrawn', settled_by: by.accountId, settled_at: at });
  await trx.insertInto('plan_request').values({ id: randomUUIDv7(), subscription_id: lineage.id, tier, asked_at: at }).execute();
  await recordWish(trx, 'plan.request', lineage, tier, by, at);
  return true;
}

/** Whether there was one. */
export async function withdrawRequest(trx: Transaction<Database>, lineage: Lineage, by: Person, at: Date): Promise<boolean> {
  const open = await openRequestOf(trx, lineage.id);
  if (!open) return false;
  await settle(trx, open.id, { state: 'withdrawn', settled_by: by.accountId, settled_at: at });
  await recordWish(trx, 'plan.withdraw', lineage, open.tier, by, at);
  return true;
}

/** A wish from the time before Stripe was set up must not part what is paid for from what is given. */
async function isPaid(trx: Transaction<Database>, { id }: Lineage): Promise<boolean> {
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

async function recordWish(
  trx: Transaction<Database>,
  action: string,
  { id, accountId, tier, status }: Lineage,
  wished: string | null,
  by: Person,
  at: Date,
): Promise<void> {
  const detail = { subscription: id, from: { tier, status }, wish: wished ?? 'end' };
  await recordAudit(
    trx,
    { ...actorOf(by), action, subject: 'account', subjectId: accountId, detail },
    { now: () => at.getTime() },
  );
}

const LONGEST_NOTE = 500;
