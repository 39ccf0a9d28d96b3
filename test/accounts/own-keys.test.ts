import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Accounts, createAccounts, listAudit, TIER_NAMES } from '../../src/accounts/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

let opened: TestStore;
let accounts: Accounts;
let time = NOON;
let people = 0;
beforeAll(async () => {
  opened = await openTestStore();
  accounts = createAccounts({ db: opened.store.db, now: () => time });
});
afterAll(() => opened.dispose());

async function person(tier?: string) {
  time = NOON;
  const email = `own-${people++}@example.org`;
  const account = await accounts.createAccount({ email, ...(tier && { tier }) });
  if (!account.ok) throw new Error(account.detail);
  return { email, owner: { accountId: account.id, actor: { id: account.id, name: email }, address: '203.0.113.9' } };
}
const form = () => crypto.randomUUID();
const free = (name = 'site') => ({ form: form(), name, plan: { kind: 'free' as const } });

async function withKey(tier = 'growth') {
  const someone = await person(tier);
  const created = await accounts.own.create(someone.owner, free());
  if (!created.ok) throw new Error(created.detail);
  return { ...someone, ...created };
}

describe('a second test key of a tier', () => {
  const test = (tier: string) => ({ form: form(), name: 'again', plan: { kind: 'test' as const, tier } });
  const refusal = (name: string, id: string) => ({
    ok: false,
    reason: 'test_key_exists',
    detail: `This account already has a test key of this tier: "${name}" (${id}). Rotate or revoke that key instead.`,
  });

  it('is refused with the name and the id of the first, at the dashboard and on the command line', async () => {
    const { owner, email } = await person();
    await accounts.own.create(owner, { ...test('starter'), name: 'other tier' });
    const first = await accounts.own.create(owner, { ...test('growth'), name: 'first' });
    if (!first.ok) throw new Error(first.detail);
    for (const ask of [
      () => accounts.own.create(owner, test('growth')),
      () => accounts.createKey({ email, tier: 'growth', test: true }),
    ]) {
      expect(await ask()).toEqual(refusal('first', first.id));
    }
    const rotated = await accounts.own.rotate(owner, { form: form(), id: first.id, grace: '24h' });
    if (!rotated.ok) throw new Error(rotated.detail);
    const again = await accounts.own.create(owner, test('growth'));
    expect(again).toEqual(refusal('first', rotated.id));
    expect(JSON.stringify(again)).not.toContain(rotated.key.slice(-49));
    await accounts.own.revoke(owner, rotated.id);
    expect(await accounts.own.create(owner, test('growth'))).toMatchObject({ ok: true });
  });

  it('is refused with the id of the first, too, when both are created at once', async () => {
    const { email } = await person();
    const made = await Promise.all(['a', 'b', 'c'].map((name) => accounts.createKey({ email, name, test: true })));
    const [created, ...others] = made.flatMap((each, index) => (each.ok ? [{ id: each.id, name: 'abc'[index] ?? '' }] : []));
    expect(others).toEqual([]);
    const refused = made.filter(({ ok }) => !ok);
    expect(refused).toEqual(Array(2).fill(refusal(created?.name ?? '', created?.id ?? '')));
  });
});

describe('a key that its owner creates', () => {
  it('is the trial at first, once', async () => {
    const { owner } = await person();
    expect(await accounts.own.choices(owner.accountId)).toEqual({ free: 'trial', keyless: [], test: TIER_NAMES });
    expect(await accounts.own.create(owner, free('  my site '))).toMatchObject({ ok: true, tier: 'starter' });
    expect(await accounts.own.create(owner, free())).toMatchObject({ ok: false, reason: 'trial_used' });
    const [key] = await accounts.own.list(owner.accountId);
    expect(key).toMatchObject({ name: 'my site', plan: 'trialing', state: 'active', trialEndsAt: new Date(NOON + 7 * DAY_MS) });
    expect((await accounts.own.choices(owner.accountId)).free).toBeNull();
  });

  it('is no trial when seven days have passed since the address was verified', async () => {
    const { owner } = await person();
    time = NOON + 7 * DAY_MS;
    expect((await accounts.own.choices(owner.accountId)).free).toBeNull();
    expect(await accounts.own.create(owner, free())).toMatchObject({ reason: 'trial_used' });
  });

  it('is no trial when the mailbox had its own with another account', async () => {
    const { owner, email } = await person();
    await accounts.own.create(owner, free());
    const tagged = await accounts.createAccount({ email: email.replace('@', '+again@') });
    if (!tagged.ok) throw new Error(tagged.detail);
    const again = { ...owner, accountId: tagged.id };
    expect((await accounts.own.choices(tagged.id)).free).toBeNull();
    expect(await accounts.own.create(again, free())).toMatchObject({ reason: 'trial_used' });
  });

  it('has the tier that the operator gave, in one subscription only', async () => {
    const { owner } = await withKey('enterprise');
    expect(await accounts.own.create(owner, free())).toMatchObject({ reason: 'trial_used' });
    expect((await accounts.own.list(owner.accountId)).map(({ tier, plan }) => [tier, plan])).toEqual([['enterprise', 'active']]);
  });

  it('of a chosen tier waits to be paid', async () => {
    const { owner } = await person();
    const plan = { kind: 'tier' as const, tier: 'growth' };
    expect(await accounts.own.create(owner, { form: form(), name: 'shop', plan })).toMatchObject({ ok: true, tier: 'growth' });
    expect(await accounts.own.list(owner.accountId)).toMatchObject([{ tier: 'growth', plan: 'inactive' }]);
    const wrong = { kind: 'tier' as const, tier: 'gold' };
    expect(await accounts.own.create(owner, { form: form(), name: 'shop', plan: wrong })).toMatchObject({
      reason: 'unknown_tier',
    });
  });

  it('goes into a subscription that has lost its key, and nowhere else', async () => {
    const { owner, id, subscriptionId } = await withKey();
    const plan = { kind: 'subscription' as const, subscriptionId };
    expect(await accounts.own.create(owner, { form: form(), name: 'new', plan })).toMatchObject({ reason: 'key_exists' });
    await accounts.own.revoke(owner, id);
    expect((await accounts.own.choices(owner.accountId)).keyless).toEqual([{ subscriptionId, tier: 'growth', plan: 'active' }]);
    const stranger = await person();
    expect(await accounts.own.create(stranger.owner, { form: form(), name: 'new', plan })).toMatchObject({
      reason: 'unknown_subscription',
    });
    expect(await accounts.own.create(owner, { form: form(), name: 'new', plan })).toMatchObject({ ok: true, subscriptionId });
  });

  it('is one, however often its form is sent at once, and every answer shows it', async () => {
    const { owner } = await person('growth');
    const input = free();
    const created = await Promise.all(Array.from({ length: 20 }, () => accounts.own.create(owner, input)));
    expect(new Set(created.map((each) => (each.ok ? each.key : each.reason))).size).toBe(1);
    expect(await accounts.own.list(owner.accountId)).toHaveLength(1);
  });

  it('is one also when the forms reach several processes, and is shown by one of them alone', async () => {
    const { owner } = await person('growth');
    const input = { form: form(), name: 'shop', plan: { kind: 'tier' as const, tier: 'starter' } };
    const processes = Array.from({ length: 20 }, () => createAccounts({ db: opened.store.db, now: () => time }));
    const created = await Promise.all(processes.map(({ own }) => own.create(owner, input)));
    expect(created.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(created.flatMap((each) => (each.ok ? [] : [each.reason])))).toEqual(new Set(['form_used']));
    expect(await accounts.own.list(owner.accountId)).toHaveLength(1);
  });

  it.each(['', '   ', 'x'.repeat(101), 'a\u0000b', 'a\nb'])('is not named %j', async (name) => {
    const { owner } = await person('growth');
    expect(await accounts.own.create(owner, { ...free(), name })).toMatchObject({ reason: 'invalid_name' });
  });
});

describe('a key that its owner changes', () => {
  it('is renamed', async () => {
    const { owner, id } = await withKey();
    expect(await accounts.own.rename(owner, id, '=HYPERLINK("x")')).toEqual({ ok: true });
    expect(await accounts.own.list(owner.accountId)).toMatchObject([{ name: '=HYPERLINK("x")' }]);
  });

  it.each(['0', '1h', '24h', '7d'])('is rotated with %s of grace, once for each form', async (grace) => {
    const { owner, id, subscriptionId } = await withKey();
    const input = { form: form(), id, grace };
    const rotated = await Promise.all(Array.from({ length: 5 }, () => accounts.own.rotate(owner, input)));
    expect(new Set(rotated.map((each) => (each.ok ? each.key : each.reason))).size).toBe(1);
    expect(rotated[0]).toMatchObject({ ok: true, subscriptionId });
    expect(await accounts.own.list(owner.accountId)).toHaveLength(2);
    expect(await accounts.own.rotate(owner, { form: form(), id, grace: '2h' })).toMatchObject({ reason: 'unknown_grace' });
  });

  it('is another’s to nobody: every act answers that there is no such key', async () => {
    const mine = await withKey();
    const { owner } = await withKey();
    expect(await accounts.own.rename(owner, mine.id, 'stolen')).toMatchObject({ reason: 'unknown_key' });
    expect(await accounts.own.rotate(owner, { form: form(), id: mine.id, grace: '0' })).toMatchObject({ reason: 'unknown_key' });
    expect(await accounts.own.revoke(owner, mine.id)).toMatchObject({ reason: 'unknown_key' });
    expect(await accounts.own.list(mine.owner.accountId)).toMatchObject([{ name: 'site', state: 'active' }]);
  });

  it('is on the audit list with all that was done, and no secret is', async () => {
    const { owner, id, key } = await withKey();
    await accounts.own.rename(owner, id, 'shop');
    await accounts.own.rotate(owner, { form: form(), id, grace: '1h' });
    await accounts.own.revoke(owner, id);
    const { rows } = await listAudit(opened.store.db, { subject: 'key', subjectId: id });
    expect(rows.map(({ action }) => action).sort()).toEqual(['key.create', 'key.rename', 'key.revoke', 'key.rotate']);
    expect(rows.every(({ actorId, address }) => actorId === owner.accountId && address === '203.0.113.9')).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(key.slice(21));
  });
});
