/**
 * The keys of the person who asks: everything is looked for among what is theirs, so that another's id is an unknown one. What is changed
 * is put on the audit list in the same transaction.
 */

import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import { recordAudit } from '../audit.ts';
import { type AccountRefusal, refuse } from '../refusal.ts';
import { isTierName, type TierName } from '../tiers.ts';
import { hasHadTrial } from '../trial-eligibility.ts';
import {
  type CreatedKey,
  createKeyMaking,
  isKeyName,
  type KeyListing,
  type KeyMakingOptions,
  listKeysOf,
  TRIAL_MS,
} from './key-making.ts';
import { createKeyring, type KeyOwner, wasSent } from './keyring.ts';

export interface OwnKeys {
  /** All keys, oldest first. */
  list(accountId: string): Promise<KeyListing[]>;
  /** What a new key may be. */
  choices(accountId: string): Promise<KeyChoices>;
  /**
   * A key in a subscription of its own (of the free plan, or of a tier and then `inactive` until it is paid), or in a subscription that has lost its
   * key. Refuses `invalid_name`, `unknown_tier`, `unknown_account`, `inactive_account`, `unverified_account`, `trial_used`,
   * `trial_network_full`, `unknown_subscription`, `key_exists`, `too_many_keys`, `form_used`.
   */
  create(owner: KeyOwner, input: { form: string; name: string; plan: KeyPlanInput }): Promise<CreatedKey | AccountRefusal>;
  /** Refuses `unknown_key`, `invalid_name`. */
  rename(owner: KeyOwner, id: string, name: string): Promise<{ ok: true } | AccountRefusal>;
  /** As `Keyring.rotateKey`. */
  rotate(owner: KeyOwner, input: { form: string; id: string; grace: string }): Promise<CreatedKey | AccountRefusal>;
  /** As `Keyring.revokeKey`. */
  revoke(owner: KeyOwner, id: string): Promise<{ ok: true; subscriptionId: string } | AccountRefusal>;
}

/** `free`: the trial, or the tier that the operator gave the account. */
export type KeyPlanInput = { kind: 'free' } | { kind: 'tier'; tier: string } | { kind: 'subscription'; subscriptionId: string };

export interface KeyChoices {
  /** What costs nothing more: the trial, the tier given by the operator, or null when it has been had. */
  free: 'trial' | TierName | null;
  /** Subscriptions that have no key but one in its grace. */
  keyless: { subscriptionId: string; tier: TierName; plan: KeyListing['plan'] }[];
}

export interface OwnKeysOptions extends KeyMakingOptions {
  db: Kysely<Database>;
  /** For how long a form sent twice is answered alike. */
  monotonic?: Clock;
}

export function createOwnKeys(options: OwnKeysOptions): OwnKeys {
  const { db, now, monotonic = () => performance.now() } = options;
  const { addKey, addSubscription } = createKeyMaking(options);
  const keyring = createKeyring(options);
  const sendOnce = createDoubleClicks<CreatedKey | AccountRefusal>(monotonic);

  async function create(
    { accountId, actor, address = null }: KeyOwner,
    input: { form: string; name: string; plan: KeyPlanInput },
  ) {
    return transact(db, async (trx): Promise<CreatedKey | AccountRefusal> => {
      // Held until the commit: creations of one account wait for each other, and so does who suspends it.
      const account = await accountOf(trx, accountId).forUpdate().executeTakeFirst();
      if (!account) return refuse('unknown_account', accountId);
      if (account.status !== 'active') return refuse('inactive_account', account.email);
      if (!account.email_verified_at) return refuse('unverified_account', account.email);
      if (await wasSent(trx, input.form)) return refuse('form_used');
      const { count } = await trx
        .selectFrom('api_key')
        .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
        .where('subscription.account_id', '=', accountId)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_KEYS) return refuse('too_many_keys');
      const subscription = await subscriptionFor(trx, { accountId, address }, input.plan);
      if (!subscription.ok) return subscription;
      const { subscriptionId, tier } = subscription;
      const { name, form } = input;
      return addKey(trx, { subscriptionId, tier, name, form }, (id) =>
        recordAudit(
          trx,
          { actor, address, action: 'key.create', subject: 'key', subjectId: id, detail: { name, tier } },
          { now },
        ),
      );
    });
  }

  type KeySubscription = { ok: true; subscriptionId: string; tier: TierName };

  async function subscriptionFor(
    trx: Transaction<Database>,
    { accountId, address = null }: Pick<KeyOwner, 'address'> & { accountId: string },
    plan: KeyPlanInput,
  ): Promise<KeySubscription | AccountRefusal> {
    if (plan.kind === 'subscription') {
      const subscriptions = await subscriptionsOf(trx, accountId);
      const found = subscriptions.find(({ subscriptionId }) => subscriptionId === plan.subscriptionId);
      if (!found) return refuse('unknown_subscription', plan.subscriptionId);
      return found.hasKey ? refuse('key_exists') : { ok: true, subscriptionId: found.subscriptionId, tier: found.tier };
    }
    if (plan.kind === 'tier') {
      if (!isTierName(plan.tier)) return refuse('unknown_tier', plan.tier);
      return addSubscription(trx, { accountId, tier: plan.tier, trial: null, status: 'inactive' });
    }
    const account = await accountOf(trx, accountId).executeTakeFirstOrThrow();
    const free = await freePlan(trx, account, await subscriptionsOf(trx, accountId), now());
    if (!free || !account.email_verified_at) return refuse('trial_used', account.email);
    const tier = free === 'trial' ? 'starter' : free;
    const trial = free === 'trial' ? { from: account.email_verified_at, email: account.email, address } : null;
    return addSubscription(trx, { accountId, tier, trial });
  }

  return {
    list: (accountId) => listKeysOf(db, accountId, now()),

    async choices(accountId) {
      const account = await accountOf(db, accountId).executeTakeFirst();
      if (!account) return { free: null, keyless: [] };
      const subscriptions = await subscriptionsOf(db, accountId);
      const keyless = subscriptions.filter(({ hasKey }) => !hasKey);
      return {
        free: await freePlan(db, account, subscriptions, now()),
        keyless: keyless.map(({ subscriptionId, tier, plan }) => ({ subscriptionId, tier, plan })),
      };
    },

    async create(owner, { form, name, plan }) {
      const wantedName = name.trim();
      if (!isKeyName(wantedName)) return refuse('invalid_name');
      const digest = digestOf(owner, form);
      return sendOnce(digest, () => create(owner, { form: digest, name: wantedName, plan }));
    },

    async rename({ accountId, actor, address = null }, id, name) {
      const wantedName = name.trim();
      if (!isKeyName(wantedName)) return refuse('invalid_name');
      return transact(db, async (trx) => {
        const key = await trx
          .selectFrom('api_key')
          .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
          .where('api_key.id', '=', id)
          .where('subscription.account_id', '=', accountId)
          .select('api_key.name')
          .forUpdate('api_key')
          .executeTakeFirst();
        if (!key) return refuse('unknown_key', id);
        await trx.updateTable('api_key').set({ name: wantedName }).where('id', '=', id).execute();
        const detail = { before: key.name, after: wantedName };
        await recordAudit(trx, { actor, address, action: 'key.rename', subject: 'key', subjectId: id, detail }, { now });
        return { ok: true };
      });
    },

    rotate(owner, { form, id, grace }) {
      const digest = digestOf(owner, form);
      return sendOnce(digest, () => keyring.rotateKey(id, grace, { ...owner, form: digest }));
    },

    revoke: (owner, id) => keyring.revokeKey(id, owner),
  };
}

/**
 * Two clicks send one form twice, and a browser shows the answer to the second. For that moment, and no longer, a whole key is remembered;
 * later, and elsewhere, the store knows that the form was sent.
 */
function createDoubleClicks<Outcome extends { ok: boolean }>(monotonic: Clock) {
  const sent = new Map<string, { at: number; outcome: Promise<Outcome> }>();
  return (form: string, work: () => Promise<Outcome>): Promise<Outcome> => {
    for (const [key, { at }] of sent) {
      if (monotonic() - at < DOUBLE_CLICK_MS) break;
      sent.delete(key);
    }
    const before = sent.get(form);
    if (before) return before.outcome;
    const outcome = work();
    sent.set(form, { at: monotonic(), outcome });
    const forget = () => void sent.delete(form);
    // What was refused may be put right and sent again.
    outcome.then(({ ok }) => ok || forget(), forget);
    setTimeout(forget, DOUBLE_CLICK_MS).unref();
    return outcome;
  };
}

function accountOf(db: Kysely<Database>, accountId: string) {
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

async function subscriptionsOf(db: Kysely<Database>, accountId: string): Promise<SubscriptionRow[]> {
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

const digestOf = ({ accountId }: KeyOwner, form: string): string => hash('sha256', `${accountId}\n${form}`, 'hex');

const DOUBLE_CLICK_MS = 10_000;
/** Revoked ones included: nobody fills the store with keys. */
const MAX_KEYS = 1_000;
