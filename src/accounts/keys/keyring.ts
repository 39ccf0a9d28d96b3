/** The keys of accounts: created, listed, rotated, revoked. A secret leaves once, when its key is made; the store has its hash. */

import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type AuditEntry, recordAudit } from '../audit.ts';
import { type Email, readEmail } from '../email.ts';
import { type AccountReason, refuse } from '../refusal.ts';
import { isTierName, type TierName } from '../tiers.ts';
import {
  type CreatedKey,
  createKeyMaking,
  DEFAULT_GRACE,
  DEFAULT_NAME,
  GRACES_MS,
  isGrace,
  isKeyName,
  type KeyListing,
  type KeyMakingOptions,
  listKeysOf,
  type NewSubscription,
  stateOf,
  TRIAL_MS,
} from './key-making.ts';
import { chooseTest } from './key-subscriptions.ts';

/** On whose behalf a key is changed. */
export interface KeyOwner {
  /** Someone else's key is unknown to them. */
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

export interface CreateKeyInput {
  email: string;
  name?: string | undefined;
  tier?: string | undefined;
  /** A test key with the limits of the tier, Starter unless told. Refuses `test_key_exists` too. */
  test?: boolean | undefined;
}

export interface Keyring {
  /**
   * A key with a subscription of its own. Without `tier` it gets the account's default: its tier, or the one trial.
   * Refuses `unknown_account`, `inactive_account`, `unverified_account`, `unknown_tier`, `invalid_name`, `trial_used`.
   */
  createKey(input: CreateKeyInput): Promise<CreatedKey | Refusal<AccountReason>>;
  /** All keys of the account, oldest first. Refuses `unknown_account`. */
  listKeys(email: string): Promise<{ ok: true; keys: KeyListing[] } | Refusal<AccountReason>>;
  /** Refuses `unknown_key`, `revoked_key`. With `owner` only what is theirs, and it is put on the audit list. */
  revokeKey(id: string, owner?: KeyOwner): Promise<{ ok: true; subscriptionId: string } | Refusal<AccountReason>>;
  /**
   * A new key in the same subscription, at once; the old one lives on for `grace` (`24h` unless told). Refuses `unknown_key`,
   * `revoked_key`, `expired_key`, `rotated_key` (it is in its grace), `inactive_account`, `unknown_grace`; `form_used` when the form (a
   * digest) has made a key before. `owner` as of `revokeKey`.
   */
  rotateKey(id: string, grace?: string, owner?: KeyOwner & { form: string }): Promise<CreatedKey | Refusal<AccountReason>>;
}

export interface KeyringOptions extends KeyMakingOptions {
  db: Kysely<Database>;
}

export function createKeyring({ db, ...making }: KeyringOptions): Keyring {
  const { now, announce } = making;
  const keyMaking = createKeyMaking(making);
  const { addKey, addSubscription } = keyMaking;
  const record = createRecordKey(now);

  return {
    async createKey({ email: text, name = DEFAULT_NAME, tier: wanted, test = false }) {
      if (wanted !== undefined && !isTierName(wanted)) return refuse('unknown_tier', wanted);
      if (!isKeyName(name)) return refuse('invalid_name');
      const email = readEmail(text);
      if (!email) return refuse('unknown_account', text);
      return transact(db, async (trx) => {
        // Held until the commit: who suspends the account meanwhile waits, and then announces this subscription too.
        const account = await accountOf(trx, email).forShare().executeTakeFirst();
        if (!account) return refuse('unknown_account', text);
        if (test) return addTestKey(trx, keyMaking, account, { email: text, name, tier: wanted ?? 'starter' });
        const plan = planOfNewKey(account, { wanted, email: text, moment: now() });
        if (!plan.ok) return plan;
        const { tier, trial } = plan;
        const added = await addSubscription(trx, { accountId: account.id, tier, trial });
        return added.ok ? addKey(trx, { subscriptionId: added.subscriptionId, tier, name }) : added;
      });
    },

    async listKeys(text) {
      const email = readEmail(text);
      const account = email && (await accountOf(db, email).executeTakeFirst());
      if (!account) return refuse('unknown_account', text);
      return { ok: true, keys: await listKeysOf(db, account.id, now()) };
    },

    revokeKey: (id, owner) =>
      transact(db, async (trx) => {
        const key = await lockKey(trx, id, owner);
        if (!key) return refuse('unknown_key', id);
        if (key.revoked_at) return refuse('revoked_key', id);
        await trx
          .updateTable('api_key')
          .set({ revoked_at: new Date(now()) })
          .where('id', '=', id)
          .execute();
        await record(trx, owner, 'key.revoke', id, { name: key.name });
        await announce(trx, [key.subscription_id]);
        return { ok: true, subscriptionId: key.subscription_id };
      }),

    async rotateKey(id, grace = DEFAULT_GRACE, owner) {
      if (!isGrace(grace)) return refuse('unknown_grace', grace);
      return transact(db, async (trx) => {
        const old = await lockKey(trx, id, owner);
        if (!old || !isTierName(old.tier)) return refuse('unknown_key', id);
        if (owner && (await wasSent(trx, owner.form))) return refuse('form_used');
        const moment = now();
        const refused = refuseRotation(id, old, moment);
        if (refused) return refused;
        await trx
          .updateTable('api_key')
          .set({ expires_at: new Date(moment + GRACES_MS[grace]) })
          .where('id', '=', id)
          .execute();
        await record(trx, owner, 'key.rotate', id, { name: old.name, grace });
        return addKey(trx, {
          subscriptionId: old.subscription_id,
          tier: old.tier,
          name: old.name,
          mode: old.plan === 'test' ? 'test' : 'live',
          form: owner?.form ?? null,
        });
      });
    },
  };
}

async function addTestKey(
  trx: Transaction<Database>,
  { addKey, addSubscription }: ReturnType<typeof createKeyMaking>,
  { id, status, email_verified_at: verifiedAt }: { id: string; status: string; email_verified_at: Date | null },
  { email, name, tier }: { email: string; name: string; tier: TierName },
): Promise<CreatedKey | Refusal<AccountReason>> {
  if (status !== 'active') return refuse('inactive_account', email);
  if (!verifiedAt) return refuse('unverified_account', email);
  const chosen = await chooseTest(trx, id, tier, addSubscription);
  return chosen.ok ? addKey(trx, { subscriptionId: chosen.subscriptionId, tier, name, mode: 'test' }) : chosen;
}

type RecordKey = (
  trx: Transaction<Database>,
  owner: KeyOwner | undefined,
  action: string,
  id: string,
  detail: NonNullable<AuditEntry['detail']>,
) => Promise<void>;

/** Only what an owner does is on the audit list. */
const createRecordKey =
  (now: Clock): RecordKey =>
  async (trx, owner, action, id, detail) => {
    if (!owner) return;
    const { actor, address = null } = owner;
    await recordAudit(trx, { actor, address, action, subject: 'key', subjectId: id, detail }, { now });
  };

/** What a new key of the account gets: the tier that was asked for, the tier of the account, or its one trial. */
function planOfNewKey(
  account: { status: string; email_verified_at: Date | null; default_tier: string | null },
  { wanted, email, moment }: { wanted: TierName | undefined; email: string; moment: number },
): ({ ok: true } & Pick<NewSubscription, 'tier' | 'trial'>) | Refusal<AccountReason> {
  const { status, email_verified_at: verifiedAt, default_tier: given } = account;
  if (status !== 'active') return refuse('inactive_account', email);
  if (!verifiedAt) return refuse('unverified_account', email);
  const asked = wanted ?? given;
  if (asked) return { ok: true, tier: isTierName(asked) ? asked : 'starter', trial: null };
  if (moment >= verifiedAt.getTime() + TRIAL_MS) return refuse('trial_used', email);
  return { ok: true, tier: 'starter', trial: { from: verifiedAt, email } };
}

function refuseRotation(
  id: string,
  key: { revoked_at: Date | null; expires_at: Date | null; accountStatus: string; email: string },
  moment: number,
): Refusal<AccountReason> | null {
  const state = stateOf(key, moment);
  if (state !== 'active') return refuse(state === 'revoked' ? 'revoked_key' : 'expired_key', id);
  if (key.accountStatus !== 'active') return refuse('inactive_account', key.email);
  // One subscription has one key beside those in their grace.
  return key.expires_at ? refuse('rotated_key', id) : null;
}

/** Whether the form (a digest) has made a key. */
export async function wasSent(trx: Transaction<Database>, form: string): Promise<boolean> {
  return (await trx.selectFrom('api_key').select('id').where('form', '=', form).executeTakeFirst()) !== undefined;
}

/** The key with its subscription and account; held until the transaction ends. */
function lockKey(trx: Transaction<Database>, id: string, owner: KeyOwner | undefined) {
  const key = trx
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('api_key.id', '=', id)
    .select(['api_key.name', 'api_key.expires_at', 'api_key.revoked_at', 'api_key.subscription_id', 'subscription.tier'])
    .select(['subscription.status as plan', 'account.status as accountStatus', 'account.email'])
    .forUpdate('api_key');
  return (owner ? key.where('account.id', '=', owner.accountId) : key).executeTakeFirst();
}

function accountOf(db: Kysely<Database>, email: Email) {
  return db
    .selectFrom('account')
    .select(['id', 'status', 'email_verified_at', 'default_tier'])
    .where('email_lower', '=', email.lower);
}
