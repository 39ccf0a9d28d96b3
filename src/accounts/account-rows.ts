/** Accounts and their subscriptions for rooms that keep something of an account: feeds, exports, webhooks, plans. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { appendToList, type Database } from '../store/index.ts';

/** Held until the commit: changes of one account wait for each other, and so does who suspends it. */
export async function lockAccount(trx: Transaction<Database>, accountId: string): Promise<void> {
  await trx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
}

/** Where to write to the owner; null unless the account is active. */
export async function loadActiveEmail(db: Kysely<Database>, accountId: string): Promise<string | null> {
  const owner = await db.selectFrom('account').select(['email', 'status']).where('id', '=', accountId).executeTakeFirst();
  return owner?.status === 'active' ? owner.email : null;
}

/** SQL: the status of an account, by its id; null where there is none. */
export const statusOfAccount = (accountId: string): RawBuilder<string | null> =>
  sql<string | null>`(select account.status from account where account.id = ${sql.ref(accountId)})`;

/** Whoever remembers what belongs to an account follows the list of changes of access. The last act of its transaction. */
export async function announceAccount(trx: Transaction<Database>, accountId: string, at: Date): Promise<void> {
  const plans = await trx.selectFrom('subscription').select('id').where('account_id', '=', accountId).execute();
  const entries = plans.map(({ id }) => ({ subscription_id: id }));
  if (entries.length > 0) await appendToList(trx, 'access_change', entries, at);
}

/** Every subscription but those of test keys, with its account: rows for statements of other rooms, which join them as `.as('owned')`. */
export const ownedSubscriptions = (db: Kysely<Database>) =>
  db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('subscription.status', '<>', 'test')
    .select(['subscription.id', 'subscription.tier', 'subscription.status'])
    .select(['account.id as accountId', 'account.email', 'account.status as accountStatus']);

/** One of them; `subscriptionId` is a UUID. */
export async function loadOwnedSubscription(db: Kysely<Database>, subscriptionId: string) {
  return (await ownedSubscriptions(db).where('subscription.id', '=', subscriptionId).executeTakeFirst()) ?? null;
}

/** The subscriptions of an account but those of test keys, the oldest first. */
export async function loadSubscriptions(db: Kysely<Database>, accountId: string) {
  return await db
    .selectFrom('subscription')
    .where('account_id', '=', accountId)
    .where('status', '<>', 'test')
    .select(['id', 'tier', 'status', 'trial_ends_at', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The keys of these subscriptions, the oldest first. */
export async function loadKeysOf(db: Kysely<Database>, subscriptionIds: readonly string[]) {
  return await db
    .selectFrom('api_key')
    .where('subscription_id', 'in', subscriptionIds)
    .select(['id', 'subscription_id', 'name', 'last4', 'expires_at', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Those of these sessions that have not ended and whose account is active. */
export async function loadLivingSessions(db: Kysely<Database>, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .where('session.id', 'in', sessionIds)
    .where('session.expires_at', '>', new Date())
    .where('account.status', '=', 'active')
    .select('session.id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
