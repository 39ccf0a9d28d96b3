/**
 * The keys of the person who asks: everything is looked for among what is theirs, so that another's id is an unknown one. What is changed
 * is put on the audit list in the same transaction.
 */

import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import { createIdempotency } from '../../values/idempotency.ts';
import type { Refusal } from '../../values/refusal.ts';
import { recordAudit } from '../audit.ts';
import { type AccountReason, refuse } from '../refusal.ts';
import { type KeyMode, parseKey } from './key-format.ts';
import { type CreatedKey, createKeyMaking, isKeyName, type KeyListing, type KeyMakingOptions, listKeysOf } from './key-making.ts';
import { createChooseSubscription, findAccount, type KeyChoices, type KeyPlanInput, loadChoices } from './key-subscriptions.ts';
import { createKeyring, type KeyOwner, type KeyringOptions, wasSent } from './keyring.ts';

export interface OwnKeys {
  /** All keys, oldest first. */
  list(accountId: string): Promise<KeyListing[]>;
  /** What a new key may be. */
  choices(accountId: string): Promise<KeyChoices>;
  /**
   * A key in a subscription of its own (of the free plan, or of a tier and then `inactive` until it is paid), or in a subscription that has lost its
   * key; or a test key, which costs nothing. Refuses `invalid_name`, `unknown_tier`, `unknown_account`, `inactive_account`, `unverified_account`, `trial_used`,
   * `trial_network_full`, `unknown_subscription`, `key_exists`, `test_key_exists`, `too_many_keys`, `form_used`.
   */
  create(
    owner: KeyOwner,
    input: { form: string; name: string; plan: KeyPlanInput },
  ): Promise<CreatedKey | Refusal<AccountReason>>;
  /** Refuses `unknown_key`, `invalid_name`. */
  rename(owner: KeyOwner, id: string, name: string): Promise<{ ok: true } | Refusal<AccountReason>>;
  /** As `Keyring.rotateKey`. */
  rotate(owner: KeyOwner, input: { form: string; id: string; grace: string }): Promise<CreatedKey | Refusal<AccountReason>>;
  /** As `Keyring.revokeKey`. */
  revoke(owner: KeyOwner, id: string): Promise<{ ok: true; subscriptionId: string } | Refusal<AccountReason>>;
}

interface OwnKeysOptions extends KeyMakingOptions {
  db: Kysely<Database>;
  /** For how long a form sent twice is answered alike. */
  monotonic?: Clock;
}

export function createOwnKeys(options: OwnKeysOptions): OwnKeys {
  const { db, now, monotonic = () => performance.now() } = options;
  const { addKey, addSubscription } = createKeyMaking(options);
  const chooseSubscription = createChooseSubscription({ addSubscription }, now);
  const keyring = createKeyring(options);
  const sendOnce = createSendOnce(monotonic);

  async function create(
    { accountId, actor, address = null }: KeyOwner,
    input: { form: string; name: string; plan: KeyPlanInput },
  ) {
    return transact(db, async (trx): Promise<CreatedKey | Refusal<AccountReason>> => {
      const account = await lockActiveAccount(trx, accountId);
      if (!account.ok) return account;
      if (await wasSent(trx, input.form)) return refuse('form_used');
      const mode = input.plan.kind === 'test' ? 'test' : 'live';
      if ((await countKeys(trx, accountId, mode)) >= MAX_KEYS) return refuse('too_many_keys');
      const subscription = await chooseSubscription(trx, { accountId, address }, input.plan);
      if (!subscription.ok) return subscription;
      const { subscriptionId, tier } = subscription;
      const { name, form } = input;
      return addKey(trx, { subscriptionId, tier, name, mode, form }, (id) =>
        recordAudit(
          trx,
          {
            actor,
            address,
            action: 'key.create',
            subject: 'key',
            subjectId: id,
            detail: { name, tier, ...(mode === 'test' && { mode }) },
          },
          { now },
        ),
      );
    });
  }

  return {
    list: (accountId) => listKeysOf(db, accountId, now()),

    choices: (accountId) => loadChoices(db, accountId, now()),

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

type MakeKey = () => Promise<CreatedKey | Refusal<AccountReason>>;

/**
 * Two clicks send one form twice, and a browser shows the answer to the second. For that moment, and no longer, a whole key is remembered;
 * later, and elsewhere, the store knows that the form was sent.
 */
function createSendOnce(monotonic: Clock): (form: string, make: MakeKey) => ReturnType<MakeKey> {
  const runOnce = createIdempotency({ now: monotonic, rememberedMs: DOUBLE_CLICK_MS });
  // What was refused may be put right and sent again.
  return (form, make) => runOnce(form, make, ({ ok }) => ok);
}

/** Held until the commit: creations of one account wait for each other, and so does who suspends it. */
async function lockActiveAccount(trx: Transaction<Database>, accountId: string): Promise<{ ok: true } | Refusal<AccountReason>> {
  const account = await findAccount(trx, accountId).forUpdate().executeTakeFirst();
  if (!account) return refuse('unknown_account', accountId);
  if (account.status !== 'active') return refuse('inactive_account', account.email);
  return account.email_verified_at ? { ok: true } : refuse('unverified_account', account.email);
}

async function countKeys(trx: Transaction<Database>, accountId: string, mode: KeyMode): Promise<number> {
  const { count } = await trx
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .where('subscription.account_id', '=', accountId)
    .where('subscription.status', mode === 'test' ? '=' : '<>', TEST)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

const digestOf = ({ accountId }: KeyOwner, form: string): string => hash('sha256', `${accountId}\n${form}`, 'hex');

/* Keys that were found where everybody can read them: revoked at once, whoever found them. */

export interface LeakedKeys {
  /**
   * Revokes the key if it is one of ours; `text` is what was found, `where` its address. `owner` only when this call revoked it: whom to
   * tell. Rejects with the store's error.
   */
  reportLeak(text: string, where: string): Promise<{ isOurs: boolean; owner: LeakOwner | null }>;
}

interface LeakOwner {
  email: string;
  /** Public id of the key. */
  keyId: string;
}

export function createLeakedKeys({
  db,
  now,
  announce,
}: Pick<KeyMakingOptions, 'now' | 'announce'> & Pick<KeyringOptions, 'db'>): LeakedKeys {
  return {
    async reportLeak(text, where) {
      if (parseKey(text) === null) return { isOurs: false, owner: null };
      return transact(db, async (trx) => {
        // The whole key must match: an id alone is public, and would let anybody revoke what they have not found.
        const key = await trx
          .selectFrom('api_key')
          .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
          .innerJoin('account', 'account.id', 'subscription.account_id')
          .where('api_key.secret_hash', '=', hash('sha256', text, 'buffer'))
          .select(['api_key.id', 'api_key.name', 'api_key.revoked_at', 'api_key.subscription_id', 'account.email'])
          .forUpdate('api_key')
          .executeTakeFirst();
        if (!key) return { isOurs: false, owner: null };
        if (key.revoked_at) return { isOurs: true, owner: null };
        await trx
          .updateTable('api_key')
          .set({ revoked_at: new Date(now()) })
          .where('id', '=', key.id)
          .execute();
        const detail = { name: key.name, found: where };
        const actor = { id: null, name: 'secret scanning' };
        await recordAudit(trx, { actor, action: 'key.revoke', subject: 'key', subjectId: key.id, detail }, { now });
        await announce(trx, [key.subscription_id]);
        return { isOurs: true, owner: { email: key.email, keyId: key.id } };
      });
    },
  };
}

const TEST = 'test';
/** Revoked ones included, test keys by themselves: nobody fills the store with keys. */
const MAX_KEYS = 1_000;
const DOUBLE_CLICK_MS = 10_000;
