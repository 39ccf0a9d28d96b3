/** What is done by the clock: customers who left are removed at Stripe, payments follow suspensions, and what no message told of is looked at. */

import { type Kysely, sql } from 'kysely';
import type Stripe from 'stripe';
import { statusOfAccount } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import type { Billing } from '../model.ts';
import type { Checkout } from './checkout.ts';
import { describeFault, isMissing } from './client.ts';
import { LIVE } from './state.ts';
import { createSuspension } from './suspension.ts';
import type { Sync } from './sync.ts';

export interface StripeMaintenanceOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'customers' | 'subscriptions'>;
  sync: Sync;
  checkout: Pick<Checkout, 'look' | 'close'>;
  now: Clock;
  log: Log;
}

export function createStripeMaintenance(
  options: StripeMaintenanceOptions,
): Pick<Billing, 'release' | 'releaseClosed' | 'followSuspension' | 'reconcile'> {
  const { db, stripe, sync, checkout, now, log } = options;
  const before = (ms: number): Date => new Date(now() - ms);

  /** One that fails is tried again the next time; the others go on. */
  async function each<T>(rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<void> {
    for (const row of rows) {
      await work(row).catch((error: unknown) => log.warn(describeFault(error), 'Stripe did not respond; trying again'));
    }
  }

  const follow = createSuspension({ db, stripe, sync, close: checkout.close, each, now });

  /** Ends all subscriptions of the customer at once, and what is open to be paid. */
  async function remove({ id }: { id: string }): Promise<void> {
    await stripe.customers.del(id).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await db.deleteFrom('stripe_customer').where('id', '=', id).execute();
  }

  return {
    async release(accountId) {
      const known = await db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).execute();
      await each(known, remove);
    },

    async releaseClosed() {
      const left = await db
        .selectFrom('stripe_customer')
        .where(sql<boolean>`coalesce(${statusOfAccount('stripe_customer.account_id')}, 'closed') = 'closed'`)
        .select('stripe_customer.id')
        .execute();
      await each(left, remove);
    },

    followSuspension: follow,

    async reconcile() {
      await follow();
      const forgotten = await db
        .selectFrom('stripe_checkout')
        .selectAll()
        .where('state', '=', 'open')
        .where('session', 'is not', null)
        .where('created_at', '<', before(CHECKOUT_AGE_MS))
        .orderBy('created_at')
        .limit(ROWS_AT_ONCE)
        .execute();
      await each(forgotten, checkout.look);
      const overdue = await db
        .selectFrom('stripe_subscription')
        .select('id')
        .where('status', 'in', [...LIVE])
        .where((where) =>
          where.or([
            where('seen_at', '<', before(SEEN_AGE_MS)),
            where.and([where('period_ends_at', '<', before(0)), where('seen_at', '<', before(OVERDUE_AGE_MS))]),
          ]),
        )
        .orderBy('seen_at')
        .limit(ROWS_AT_ONCE)
        .execute();
      await each(overdue, ({ id }) => sync(id));
    },
  };
}

const HOUR_MS = 3_600_000;
/** Most people who pay do so within minutes. */
const CHECKOUT_AGE_MS = HOUR_MS / 6;
const OVERDUE_AGE_MS = HOUR_MS;
const SEEN_AGE_MS = 24 * HOUR_MS;
const ROWS_AT_ONCE = 50;
