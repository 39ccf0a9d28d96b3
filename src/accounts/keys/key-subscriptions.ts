/** Which subscription a new key of a person gets: a trial, a tier, or one of theirs that has lost its key. */

import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type AccountReason, refuse } from '../refusal.ts';
import { isTierName, TIER_NAMES, type TierName } from '../tiers.ts';
import { hasHadTrial } from '../trial-eligibility.ts';
import { type KeyListing, type KeyMaking, TRIAL_MS } from './key-making.ts';
import type { KeyOwner } from './keyring.ts';

/** `free`: the trial, or the tier that the operator gave the account. */
export type KeyPlanInput =
  | { kind: 'free' }
  | { kind: 'tier'; tier: string }
  | { kind: 'subscription'; subscriptionId: string }
  /** A test key with the limits of the tier. */
  | { kind: 'test'; tier: string };

export interface KeyChoices {
  /** What costs nothing more: the trial, the tier given by the operator, or null when it has been had. */
  free: 'trial' | TierName | null;
  /** Subscriptions that have no key but one in its grace. */
  keyless: { subscriptionId: string; tier: TierName; plan: KeyListing['plan'] }[];
  /** Tiers that have no test key yet. */
  test: TierName[];
}

/** `now`: instant, ms. */
export async function loadChoices(db: Kysely<Database>, accountId: string, now: number): Promise<KeyChoices> {
  const account = await findAccount(db, accountId).executeTakeFirst();
  if (!account) return { free: null, keyless: [], test: [] };
  const all = await loadKeySubscriptions(db, accountId);
  const subscriptions = all.filter(({ plan }) => plan !== 'test');
  const tested = new Set(all.filter(({ plan, hasKey }) => plan === 'test' && hasKey).map(({ tier }) => tier));
  const keyless = subscriptions.filter(({ hasKey }) => !hasKey);
  return {
    free: await freePlan(db, account, subscriptions, now),
    keyless: keyless.map(({ subscriptionId, tier, plan }) => ({ subscriptionId, tier, plan })),
    test: TIER_NAMES.filter((tier) => !tested.has(tier)),
  };
}

export type KeySubscription = { ok: true; subscriptionId: string; tier: TierName };
type AddSubscription = KeyMaking['addSubscription'];

/** Within the transaction that makes the key. */
export type ChooseSubscription = (
  trx: Transaction<Database>,
  owner: Pick<KeyOwner, 'accountId' | 'address'>,
  plan: KeyPlanInput,
) => Promise<KeySubscription | Refusal<AccountReason>>;

export function createChooseSubscription(
  { addSubscription }: Pick<KeyMaking, 'addSubscription'>,
  now: Clock,
): ChooseSubscription {
  async function chooseFree(trx: Transaction<Database>, { accountId, address = null }: Pick<KeyOwner, 'accountId' | 'address'>) {
    const account = await findAccount(trx, accountId).executeTakeFirstOrThrow();
    const free = await freePlan(trx, account, await loadPlans(trx, accountId), now());
    if (!free || !account.email_verified_at) return refuse('trial_used', account.email);
    const tier = free === 'trial' ? 'starter' : free;
    const trial = free === 'trial' ? { from: account.email_verified_at, email: account.email, address } : null;
    return addSubscription(trx, { accountId, tier, trial });
  }

  return async (trx, owner, plan) => {
    const { accountId } = owner;
    if (plan.kind === 'free') return chooseFree(trx, owner);
    if (plan.kind === 'subscription') return chooseOwn(await loadPlans(trx, accountId), plan.subscriptionId);
    if (!isTierName(plan.tier)) return refuse('unknown_tier', plan.tier);
    if (plan.kind === 'test') return chooseTest(trx, accountId, plan.tier, addSubscription);
    return addSubscription(trx, { accountId, tier: plan.tier, trial: null, status: 'inactive' });
  };
}

/** An account has one test subscription of each tier, so that its test keys of a tier share one counter. */
export async function chooseTest(
  trx: Transaction<Database>,
  accountId: string,
  tier: TierName,
  addSubscription: AddSubscription,
): Promise<KeySubscription | Refusal<AccountReason>> {
  const find = async () =>
    (await loadKeySubscriptions(trx, accountId)).find((each) => each.plan === 'test' && each.tier === tier);
  const known = await find();
  if (!known) {
    const added = await addSubscription(trx, { accountId, tier, trial: null, status: 'test' });
    if (added.ok) return added;
  }
  // Where it is known only now, another transaction has made it a moment before.
  const found = known ?? (await find());
  const key = found && (await findCurrentKey(trx, found.subscriptionId));
  if (found && !key) return { ok: true, subscriptionId: found.subscriptionId, tier };
  return refuse('test_key_exists', key && `"${key.name}" (${key.id})`);
}

/** Neither revoked nor in the grace of a rotation. */
const findCurrentKey = (db: Kysely<Database>, subscriptionId: string) =>
  db
    .selectFrom('api_key')
    .select(['id', 'name'])
    .where('subscription_id', '=', subscriptionId)
    .where('revoked_at', 'is', null)
    .where('expires_at', 'is', null)
    .executeTakeFirst();

const loadPlans = async (db: Kysely<Database>, accountId: string): Promise<SubscriptionRow[]> =>
  (await loadKeySubscriptions(db, accountId)).filter(({ plan }) => plan !== 'test');

/** One that has lost its key. */
function chooseOwn(subscriptions: readonly SubscriptionRow[], subscriptionId: string): KeySubscription | Refusal<AccountReason> {
  const found = subscriptions.find((each) => each.subscriptionId === subscriptionId);
  if (!found) return refuse('unknown_subscription', subscriptionId);
  return found.hasKey ? refuse('key_exists') : { ok: true, subscriptionId: found.subscriptionId, tier: found.tier };
}

export function findAccount(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('account')
    .select(['id', 'status', 'email', 'email_verified_at', 'default_tier'])
    .where('id', '=', accountId);
}

interface SubscriptionRow {
  subscriptionId: string;
  tier: TierName;
  plan: KeyListing['plan'];
  isTrial: boolean;
  hasKey: boolean;
}

async function loadKeySubscriptions(db: Kysely<Database>, accountId: string): Promise<SubscriptionRow[]> {
  const rows = await db
    .selectFrom('subscription')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .select(['id', 'tier', 'status', 'trial_ends_at'])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom('api_key')
            .select('api_key.id')
            .whereRef('api_key.subscription_id', '=', 'subscription.id')
            .where('api_key.revoked_at', 'is', null)
            .where('api_key.expires_at', 'is', null),
        )
        .as('hasKey'),
    )
    .execute();
  return rows.flatMap(({ id, tier, status, trial_ends_at, hasKey }) => {
    if (!isTierName(tier)) return [];
    const plan = status as KeyListing['plan'];
    return [{ subscriptionId: id, tier, plan, isTrial: trial_ends_at !== null, hasKey: Boolean(hasKey) }];
  });
}

/** A tier given by the operator is for one subscription: another would double what was given. */
async function freePlan(
  db: Kysely<Database>,
  account: { email: string; default_tier: string | null; email_verified_at: Date | null },
  subscriptions: readonly SubscriptionRow[],
  moment: number,
): Promise<KeyChoices['free']> {
  const { default_tier: given, email_verified_at: verifiedAt } = account;
  if (given) return subscriptions.length === 0 && isTierName(given) ? given : null;
  const isOpen = verifiedAt !== null && moment < verifiedAt.getTime() + TRIAL_MS;
  if (!isOpen || subscriptions.some(({ isTrial }) => isTrial)) return null;
  return (await hasHadTrial(db, account.email)) ? null : 'trial';
}
