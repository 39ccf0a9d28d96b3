import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts } from '../../src/accounts/index.ts';
import { parseKey } from '../../src/accounts/keys/key-format.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { createOperator, type TestOperator } from '../support/rigs/operator.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let testStore: TestStore;
let accounts: Accounts;
let operator: TestOperator;
let now = Date.UTC(2026, 10, 21, 12);
let people = 0;

beforeAll(async () => {
  testStore = await openTestStore();
  accounts = createAccounts({ db: testStore.store.db, now: () => now });
  operator = createOperator(testStore.store.db, () => now);
});
afterAll(() => testStore.dispose());

async function newAccount(tier?: string) {
  const email = `person-${people++}@example.org`;
  expect(await accounts.createAccount({ email, tier })).toMatchObject({ ok: true });
  return email;
}

async function newKey(tier = 'growth') {
  const created = await accounts.createKey({ email: await newAccount(tier) });
  if (!created.ok) throw new Error(created.detail);
  return created;
}

async function announced() {
  const rows = await testStore.store.db.selectFrom('access_change').select('subscription_id').orderBy('seq').execute();
  return rows.map((row) => row.subscription_id);
}

const refusal = (reason: string) => expect.objectContaining({ ok: false, reason, detail: expect.stringMatching(/\S.*[.]$/) });

describe('accounts', () => {
  it('are made active, with a verified address', async () => {
    const created = await accounts.createAccount({ email: ' Ada@Example.org ', tier: 'growth', operator: true });
    if (!created.ok) throw new Error(created.detail);
    const row = await testStore.store.db.selectFrom('account').selectAll().where('id', '=', created.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ email: 'Ada@Example.org', email_lower: 'ada@example.org', status: 'active', is_operator: true });
    expect(row.email_verified_at?.getTime()).toBe(now);
    expect(row.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('are one for each address in any case, but plus tags and dots may be other people', async () => {
    expect(await accounts.createAccount({ email: 'grace@example.org' })).toMatchObject({ ok: true });
    expect(await accounts.createAccount({ email: 'GRACE@example.ORG' })).toEqual(refusal('duplicate_email'));
    expect(await accounts.createAccount({ email: 'grace+2@example.org' })).toMatchObject({ ok: true });
    expect(await accounts.createAccount({ email: 'g.race@example.org' })).toMatchObject({ ok: true });
  });

  it('are made once when asked for twice at the same moment', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => accounts.createAccount({ email: 'race@example.org' })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('are refused with a bad address or tier', async () => {
    expect(await accounts.createAccount({ email: 'nobody' })).toEqual(refusal('invalid_email'));
    expect(await accounts.createAccount({ email: 'x@example.org', tier: 'gold' })).toEqual(refusal('unknown_tier'));
    expect(await accounts.createAccount({ email: 'x@example.org', tier: 'toString' })).toEqual(refusal('unknown_tier'));
  });
});

describe('keys', () => {
  it('are each a subscription of their own, on the tier of the account or the one asked for', async () => {
    const email = await newAccount('enterprise');
    const first = await accounts.createKey({ email: email.toUpperCase(), name: 'Production' });
    const second = await accounts.createKey({ email, tier: 'starter' });
    if (!first.ok || !second.ok) throw new Error('refused');
    expect(parseKey(first.key)).toBe(first.id);
    expect(first.subscriptionId).not.toBe(second.subscriptionId);
    expect([first.tier, second.tier]).toEqual(['enterprise', 'starter']);
    const listed = await accounts.listKeys(email);
    if (!listed.ok) throw new Error('refused');
    expect(listed.keys).toMatchObject([
      { id: first.id, name: 'Production', last4: first.key.slice(-4), tier: 'enterprise', state: 'active', lastUsedAt: null },
      { id: second.id, name: 'default', last4: second.key.slice(-4), tier: 'starter', state: 'active', trialEndsAt: null },
    ]);
    expect(JSON.stringify(listed)).not.toContain(first.key.slice(21, 64));
  });

  it('begin with one trial of 7 days from the verification of the address', async () => {
    const email = await newAccount();
    const verifiedAt = now;
    now += HOUR_MS;
    expect(await accounts.createKey({ email })).toMatchObject({ ok: true, tier: 'starter' });
    const listed = await accounts.listKeys(email);
    if (!listed.ok) throw new Error('refused');
    expect(listed.keys[0]?.trialEndsAt?.getTime()).toBe(verifiedAt + 7 * DAY_MS);
    expect(await accounts.createKey({ email })).toEqual(refusal('trial_used'));
    expect(await accounts.createKey({ email, tier: 'starter' })).toMatchObject({ ok: true });
  });

  it('give one trial to a mailbox, whatever its tags, dots and case, and one at a time', async () => {
    const addresses = ['t.rial@gmail.com', 'trial+2@gmail.com', 'TRIAL@googlemail.com', 'trial+x@gmail.com'];
    for (const email of addresses) await accounts.createAccount({ email });
    const results = await Promise.all([...addresses, ...addresses].map((email) => accounts.createKey({ email })));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(7).fill(refusal('trial_used')));
  });

  it('give no trial when its week is over', async () => {
    const email = await newAccount();
    now += 7 * DAY_MS;
    expect(await accounts.createKey({ email })).toEqual(refusal('trial_used'));
  });

  it('are refused to unknown, unverified and suspended accounts, on unknown tiers, under bad names', async () => {
    const email = await newAccount('growth');
    expect(await accounts.createKey({ email: 'nobody@example.org' })).toEqual(refusal('unknown_account'));
    expect(await accounts.createKey({ email: 'nobody' })).toEqual(refusal('unknown_account'));
    expect(await accounts.createKey({ email, tier: 'gold' })).toEqual(refusal('unknown_tier'));
    for (const name of ['', 'x'.repeat(101), 'two\nlines']) {
      expect(await accounts.createKey({ email, name })).toEqual(refusal('invalid_name'));
    }
    expect(await accounts.createKey({ email, name: '🎟'.repeat(100) })).toMatchObject({ ok: true });
    await operator.suspend(email);
    expect(await accounts.createKey({ email })).toEqual(refusal('inactive_account'));
    await testStore.store.db
      .updateTable('account')
      .set({ email_verified: false, email_verified_at: null, status: 'active' })
      .where('email', '=', email)
      .execute();
    expect(await accounts.createKey({ email })).toEqual(refusal('unverified_account'));
  });
});

describe('rotation and revocation', () => {
  it.each([
    ['0', 0],
    ['1h', HOUR_MS],
    [undefined, DAY_MS],
    ['7d', 7 * DAY_MS],
  ])('lets the old key live on for a grace of %s', async (grace, ms) => {
    const old = await newKey();
    const rotated = await accounts.rotateKey(old.id, grace);
    if (!rotated.ok) throw new Error(rotated.detail);
    expect(rotated).toMatchObject({ subscriptionId: old.subscriptionId, tier: old.tier });
    expect(rotated.key).not.toBe(old.key);
    const row = await testStore.store.db.selectFrom('api_key').selectAll().where('id', '=', old.id).executeTakeFirstOrThrow();
    expect(row.expires_at?.getTime()).toBe(now + ms);
  });

  it('is refused for a key in its grace: its subscription has another already, and the grace stays as it is', async () => {
    const old = await newKey();
    await accounts.rotateKey(old.id, '1h');
    for (const grace of ['0', '7d']) {
      expect(await accounts.rotateKey(old.id, grace)).toMatchObject({
        reason: 'rotated_key',
        detail: `The key ${old.id} was already rotated. Rotate its newer key instead.`,
      });
    }
    const keys = await testStore.store.db
      .selectFrom('api_key')
      .select('id')
      .where('subscription_id', '=', old.subscriptionId)
      .execute();
    expect(keys).toHaveLength(2);
    const row = await testStore.store.db.selectFrom('api_key').selectAll().where('id', '=', old.id).executeTakeFirstOrThrow();
    expect(row.expires_at?.getTime()).toBe(now + HOUR_MS);
  });

  it('are refused for keys unknown, revoked or expired, and for an unknown grace', async () => {
    const { id } = await newKey();
    expect(await accounts.rotateKey(id, '2h')).toEqual(refusal('unknown_grace'));
    expect(await accounts.rotateKey('AAAAAAAAAAAA')).toEqual(refusal('unknown_key'));
    expect(await accounts.revokeKey('AAAAAAAAAAAA')).toEqual(refusal('unknown_key'));
    expect(await accounts.revokeKey("'; drop table api_key; --")).toEqual(refusal('unknown_key'));
    expect(await accounts.rotateKey(id, '0')).toMatchObject({ ok: true });
    expect(await accounts.rotateKey(id)).toEqual(refusal('expired_key'));
    expect(await accounts.revokeKey(id)).toMatchObject({ ok: true });
    expect(await accounts.revokeKey(id)).toEqual(refusal('revoked_key'));
    expect(await accounts.rotateKey(id)).toEqual(refusal('revoked_key'));
  });

  it('make one key when asked for twice at the same moment, without grace', async () => {
    const { id, subscriptionId } = await newKey();
    const results = await Promise.all(Array.from({ length: 5 }, () => accounts.rotateKey(id, '0')));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const keys = await testStore.store.db
      .selectFrom('api_key')
      .select('id')
      .where('subscription_id', '=', subscriptionId)
      .execute();
    expect(keys).toHaveLength(2);
  });
});

describe('tiers', () => {
  it('make a subscription of a trial', async () => {
    const email = await newAccount();
    const trial = await accounts.createKey({ email });
    if (!trial.ok) throw new Error(trial.detail);
    await operator.setTier(trial.id, 'starter');
    expect(await accounts.listKeys(email)).toMatchObject({ keys: [{ tier: 'starter', trialEndsAt: null }] });
    expect(await accounts.createKey({ email })).toEqual(refusal('trial_used'));
  });
});

describe('the list of access changes', () => {
  it('names the subscription of every change, and nothing for what was refused', async () => {
    const email = await newAccount('growth');
    const before = (await announced()).length;
    const created = await accounts.createKey({ email });
    const other = await accounts.createKey({ email });
    if (!created.ok || !other.ok) throw new Error('refused');
    const { id, subscriptionId } = created;
    await accounts.rotateKey(id);
    await accounts.revokeKey(id);
    await accounts.revokeKey(id);
    await operator.setTier(subscriptionId, 'starter');
    await operator.setTier(subscriptionId, 'starter');
    const changes = [subscriptionId, other.subscriptionId, ...Array(3).fill(subscriptionId)];
    expect((await announced()).slice(before)).toEqual(changes);
    await operator.suspend(email);
    const suspended = (await announced()).slice(before + changes.length);
    expect(suspended.sort()).toEqual([subscriptionId, other.subscriptionId].sort());
  });
});
