/**
 * Brings what we know of a subscription to what Stripe says of it now. Messages only say which one to look at, so late, repeated and
 * reordered ones do no harm: whatever is written was fetched after all that was written before it.
 */

import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { type Database, transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { isMissing } from './client.ts';
import { createStoreSubscription, findKnown, type StoreSubscriptionOptions } from './store-subscription.ts';

export interface SyncOptions extends StoreSubscriptionOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'subscriptions'>;
}

/** Resolves when the store says what Stripe said after the call. Rejects with Stripe's or the store's error. `id`: Stripe's. */
export type Sync = (id: string) => Promise<void>;

export function createSync({ db, stripe, ...options }: SyncOptions): Sync {
  const store = createStoreSubscription(options);
  /** Looks of this process at one subscription, one after the other; who comes while one runs shares the next. */
  const looks = new Map<string, { running: Promise<void>; next: Promise<void> | null }>();

  async function look(id: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const known = await findKnown(db, id);
      const fetched = await fetch(id);
      const subscriptionId = known?.subscription_id ?? fetched?.metadata.marquee_subscription;
      // Other products may use the same account at Stripe.
      if (!subscriptionId || !isUuid(subscriptionId)) return;
      const done = await transact(db, (trx) => store(trx, { id, subscriptionId, version: known?.version ?? 0, fetched }));
      if (done) return;
    }
    throw new Error('concurrent writes to this subscription do not end');
  }

  async function fetch(id: string): Promise<Stripe.Subscription | null> {
    try {
      return await stripe.subscriptions.retrieve(id);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return function sync(id): Promise<void> {
    const current = looks.get(id);
    if (current) {
      current.next ??= current.running.then(
        () => sync(id),
        () => sync(id),
      );
      return current.next;
    }
    const running = look(id).finally(() => looks.delete(id));
    looks.set(id, { running, next: null });
    return running;
  };
}

/** Each failed one is another writer's success. */
const MAX_ATTEMPTS = 10;
