import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type AccountAdmin, createAccountAdmin, listAudit } from '../../src/accounts/index.ts';
import { type GateRig, NOON, openGateRig, outcome } from '../support/rigs/gate.ts';

let rig: GateRig;
let roster: AccountAdmin;
beforeAll(async () => {
  rig = await openGateRig();
  roster = createAccountAdmin({ db: rig.testStore.store.db, now: () => rig.time.directory });
});
afterAll(() => rig.dispose());

const idOf = async (email: string) => (await roster.find({ text: email })).rows[0]!.id;
const found = async (text: string) => (await roster.find({ text })).rows.map(({ email }) => email);

it('finds accounts by part of an address, by a key\u2019s id and by a whole key', async () => {
  const me = await rig.createKey();
  await rig.createKey();
  expect(await found(me.email.toUpperCase().slice(0, -2))).toEqual([me.email]);
  expect(await found(me.id)).toEqual([me.email]);
  expect(await found(` ${me.key} `)).toEqual([me.email]);
  expect(await found(`mq_live_${me.id}`)).toEqual([me.email]);
  for (const nothing of ['nobody@', '%', '_', "' or 1=1", '\0zzz', me.id.slice(0, 11)]) expect(await found(nothing)).toEqual([]);
});

it('shows plans, live keys and what was used, today and in 30 days', async () => {
  const me = await rig.createKey('growth');
  const { db } = rig.testStore.store;
  const day = (ago: number) => new Date(NOON - ago * 86_400_000).toISOString().slice(0, 10);
  const rows = [0, 1, 29, 30].map((ago, n) => ({ subscription_id: me.subscriptionId, day: day(ago), requests: 10 ** n }));
  await db.insertInto('usage_day').values(rows).execute();
  expect(await roster.read(await idOf(me.email))).toMatchObject({
    status: 'active',
    plans: [{ tier: 'growth', status: 'active', trialEndsAt: null }],
    liveKeys: 1,
    requestsToday: 1,
    requests30Days: 111,
  });
  await rig.accounts.revokeKey(me.id);
  expect(await roster.read(await idOf(me.email))).toMatchObject({ liveKeys: 0 });
  expect(await roster.read('x')).toBeNull();
});

it('counts no key of a plan that is not active, of a trial that is over or of a suspended account', async () => {
  const { db } = rig.testStore.store;
  const me = await rig.createKey();
  const live = async () => (await roster.read(await idOf(me.email)))?.liveKeys;
  const plan = (set: { status: string; trial_ends_at?: Date }) =>
    db
      .updateTable('subscription')
      .set({ ...set, ...(set.trial_ends_at && { trial_mailbox: hash('sha256', me.email) }) })
      .where('id', '=', me.subscriptionId)
      .execute();
  const endsIn = (ms: number) => ({ trial_ends_at: new Date(rig.time.directory + ms) });
  const counts = [await live()];
  for (const change of [
    () => plan({ status: 'inactive' }),
    () => plan({ status: 'trialing', ...endsIn(1) }),
    () => plan({ status: 'trialing', ...endsIn(0) }),
    () => plan({ status: 'active', ...endsIn(0) }),
    () => db.updateTable('account').set({ status: 'suspended' }).where('email', '=', me.email).execute(),
  ]) {
    await change();
    counts.push(await live());
  }
  expect(counts).toEqual([1, 0, 1, 0, 1, 0]);
});

it('pages through all of them without repeating or skipping', async () => {
  for (let n = 0; n < 7; n++) await rig.createKey();
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<AccountAdmin['find']>> = await roster.find({ after, limit: 3 });
    seen.push(...page.rows.map(({ id }) => id));
    after = page.next;
  } while (after);
  const all = await rig.testStore.store.db.selectFrom('account').select('id').execute();
  expect(seen).toHaveLength(all.length);
  expect(new Set(seen).size).toBe(all.length);
  expect((await roster.find({ after: 'nonsense', limit: 3 })).rows).toHaveLength(3);
});

it('suspends an account once, and lets it go on; a closed one stays closed', async () => {
  const me = await rig.createKey();
  const accountId = await idOf(me.email);
  const admit = async () => outcome(await rig.gate.admit(me.key, '203.0.113.9'));
  const actor = { id: null, name: 'op@example.org' };
  expect(await admit()).toBe('active');
  const twice = [1, 2].map(() => roster.setSuspended({ accountId, suspended: true, actor }));
  expect((await Promise.all(twice)).sort()).toEqual([false, true]);
  await expect.poll(admit).toBe('subscription_inactive');
  expect(await roster.setSuspended({ accountId, suspended: false, actor })).toBe(true);
  await expect.poll(admit).toBe('active');
  const { db } = rig.testStore.store;
  const trail = await listAudit(db, { subject: 'account', subjectId: accountId });
  expect(trail.rows.map(({ action }) => action)).toEqual(['account.resume', 'account.suspend']);
  await db.updateTable('account').set({ status: 'closed' }).where('id', '=', accountId).execute();
  expect(await roster.setSuspended({ accountId, suspended: false, actor })).toBe(false);
  expect(await roster.setSuspended({ accountId: 'x', suspended: true, actor })).toBe(false);
});
