/** Accounts as customers of Stripe. An account has at most one. */

import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import type { Actor } from '../model.ts';

export interface Customers {
  /** Stripe's id of the customer; undefined without one. */
  find(accountId: string): Promise<string | undefined>;
  /** Finds the customer of the payer, or makes one. `checkoutId`: of the row that needs it. */
  ensure(by: Actor, checkoutId: string): Promise<string>;
  /** The customer was removed at Stripe by hand. */
  forget(accountId: string): Promise<void>;
}

export interface CustomersOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'customers'>;
  now: Clock;
}

export function createCustomers({ db, stripe, now }: CustomersOptions): Customers {
  async function find(accountId: string): Promise<string | undefined> {
    const row = await db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).executeTakeFirst();
    return row?.id;
  }

  return {
    find,

    async ensure({ accountId, email }, checkoutId) {
      const found = await find(accountId);
      if (found !== undefined) return found;
      const made = await stripe.customers.create(
        { email, metadata: { marquee_account: accountId } },
        // Of the row, not of the account: a customer who was removed must not come back from Stripe's memory.
        { idempotencyKey: `customer-${checkoutId}` },
      );
      await db
        .insertInto('stripe_customer')
        .values({ id: made.id, account_id: accountId, created_at: new Date(now()) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const customer = (await find(accountId)) ?? made.id;
      // Two plans were chosen at once, and the other one's customer was noted first.
      if (customer !== made.id) await stripe.customers.del(made.id);
      return customer;
    },

    async forget(accountId) {
      await db.deleteFrom('stripe_customer').where('account_id', '=', accountId).execute();
    },
  };
}
