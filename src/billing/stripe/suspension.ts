/**
 * Nobody pays for an account that is suspended: its subscriptions go on, and each of their invoices is voided until the account goes on
 * (https://docs.stripe.com/billing/subscriptions/pause-payment). The mark beside the pause tells ours from one that was set at Stripe.
 */

import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { ownedSubscriptions, recordAudit } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import type { Checkout } from './checkout.ts';
import { isMissing } from './client.ts';
import type { Sync } from './sync.ts';

export interface SuspensionOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'subscriptions'>;
  sync: Sync;
  close: Checkout['close'];
  /** One that fails is logged, and the others go on. */
  each: <T>(rows: readonly T[], work: (row: T) => Promise<unknown>) => Promise<void>;
  now: Clock;
}

/** Brings payments to what the account's state asks for; without an id those of all accounts. Never rejects for what Stripe does. */
export type FollowSuspension = (accountId?: string) => Promise<void>;

export function createSuspension({ db, stripe, sync, close, each, now }: SuspensionOptions): FollowSuspension {
  async function turn({ id, accountId, state }: Turn): Promise<void> {
    const pauses = state === 'suspended';
    const pause: Stripe.SubscriptionUpdateParams = pauses
      ? { pause_collection: { behavior: 'void' }, metadata: { [MARK]: 'yes' } }
      : { pause_collection: '', metadata: { [MARK]: '' } };
    await stripe.subscriptions.update(id, pause).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await sync(id);
    const entry = { actor: { id: null, name: 'billing' }, action: pauses ? 'payment.pause' : 'payment.resume' };
    await recordAudit(db, { ...entry, subject: 'account', subjectId: accountId, detail: { stripe: id } }, { now });
  }

  return async function follow(accountId) {
    const open = await db
      .selectFrom('stripe_checkout')
      .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_checkout.subscription_id')
      .where('owned.accountStatus', '=', 'suspended')
      .where('stripe_checkout.state', '=', 'open')
      .where('stripe_checkout.session', 'is not', null)
      .$if(accountId !== undefined, (some) => some.where('owned.accountId', '=', accountId ?? ''))
      .selectAll('stripe_checkout')
      .limit(ROWS_AT_ONCE)
      .execute();
    await each(open, close);
    const otherwise = await db
      .selectFrom('stripe_subscription')
      .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_subscription.subscription_id')
      .where('stripe_subscription.status', 'in', CHARGED)
      .where((where) =>
        where.or([
          where.and([where('owned.accountStatus', '=', 'suspended'), where('paused_by', 'is', null)]),
          where.and([where('owned.accountStatus', '=', 'active'), where('paused_by', '=', 'marquee')]),
        ]),
      )
      .$if(accountId !== undefined, (some) => some.where('owned.accountId', '=', accountId ?? ''))
      .select(['stripe_subscription.id', 'owned.accountId', 'owned.accountStatus as state'])
      .limit(ROWS_AT_ONCE)
      .execute();
    await each(otherwise, turn);
  };
}

/** By what Stripe says of a subscription. */
export function pausedBy({ pause_collection: pause, metadata }: Stripe.Subscription): 'marquee' | 'stripe' | null {
  if (!pause) return null;
  return metadata[MARK] ? 'marquee' : 'stripe';
}

interface Turn {
  id: string;
  accountId: string;
  state: string;
}

const MARK = 'marquee_suspended';
/** Those that have invoices and may be changed. */
const CHARGED = ['active', 'trialing', 'past_due', 'unpaid'];
const ROWS_AT_ONCE = 50;
