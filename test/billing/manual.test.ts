import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '../../src/accounts/index.ts';
import { type Actor, type Billing, createManualBilling, createRequests, type Requests } from '../../src/billing/index.ts';
import { type GateRig, openGateRig, outcome } from '../support/rigs/gate.ts';

let rig: GateRig;
let billing: Billing;
let requests: Requests;
const operator: Actor = { accountId: '01900000-0000-7000-8000-0000000000aa', email: 'op@example.org', address: '192.0.2.1' };

beforeAll(async () => {
  rig = await openGateRig();
  const { db } = rig.testStore.store;
  billing = createManualBilling({ db, now: () => rig.time.directory });
  requests = createRequests({ db, now: () => rig.time.directory });
});
afterAll(() => rig.dispose());

async function developer(tier = 'starter') {
  const created = await rig.createKey(tier);
  const { db } = rig.testStore.store;
  const account = await db.selectFrom('account').select('id').where('email', '=', created.email).executeTakeFirstOrThrow();
  const by: Actor = { accountId: account.id, email: created.email };
  const input = { by, subscriptionId: created.subscriptionId, token: 't' };
  const view = async () => (await billing.plansOf(by.accountId)).find((plan) => plan.subscriptionId === created.subscriptionId)!;
  const open = async () => (await requests.waiting(by.accountId))[0]!;
  return { ...created, by, input, view, open };
}

/** An account that begins with its trial. */
async function trial(email: string) {
  const account = await rig.accounts.createAccount({ email });
  const created = await rig.accounts.createKey({ email });
  if (!account.ok || !created.ok) throw new Error('no trial');
  return { ...created, input: { by: { accountId: account.id, email }, subscriptionId: created.subscriptionId, token: 't' } };
}

const admit = async (key: string) => outcome(await rig.gate.admit(key, '203.0.113.9'));
const tierOf = async (key: string) => {
  const verdict = await rig.gate.inspect(key, '203.0.113.9');
  return verdict.ok ? verdict.allowance.tier : null;
};

describe('a request', () => {
  it('waits for the operator, one per plan, however often it is sent', async () => {
    const me = await developer();
    const answers = await Promise.all(Array.from({ length: 20 }, () => billing.choose({ ...me.input, tier: 'growth' })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"ok":true,"outcome":"requested"}']));
    expect(await requests.waiting(me.by.accountId)).toMatchObject([
      { from: { tier: 'starter', status: 'active' }, tier: 'growth' },
    ]);
    expect(await me.view()).toMatchObject({ tier: 'starter', request: { tier: 'growth' }, payment: null, checkout: null });
  });

  it('gives way to a later one, and can be taken back', async () => {
    const me = await developer();
    await billing.choose({ ...me.input, tier: 'growth' });
    await billing.choose({ ...me.input, tier: 'enterprise' });
    expect((await requests.waiting(me.by.accountId)).map(({ tier }) => tier)).toEqual(['enterprise']);
    expect(await billing.keep(me.input)).toMatchObject({ ok: true });
    expect(await requests.waiting(me.by.accountId)).toEqual([]);
    expect(await billing.keep(me.input)).toMatchObject({ reason: 'nothing_to_keep' });
    expect((await me.view()).answer).toBeNull();
  });

  it('of another account is refused as unknown, like an id that is none', async () => {
    const me = await developer();
    const other = await developer();
    const unknown = { reason: 'unknown_subscription' };
    for (const subscriptionId of [me.subscriptionId, '01900000-0000-7000-8000-00000000ffff', 'x', ''])
      for (const act of [billing.end, billing.keep, (input: typeof me.input) => billing.choose({ ...input, tier: 'growth' })])
        expect(await act({ ...other.input, subscriptionId })).toMatchObject(unknown);
    expect(await billing.plansOf(other.by.accountId)).toHaveLength(1);
  });
});

describe('the operator', () => {
  it('approves: the API follows, and two operators approve once', async () => {
    const me = await developer();
    await admit(me.key);
    await billing.choose({ ...me.input, tier: 'growth' });
    const { id } = await me.open();
    const both = await Promise.all([1, 2].map(() => requests.approve({ by: operator, id, tier: 'growth' })));
    expect(both.map((answer) => (answer.ok ? 'ok' : answer.reason)).sort()).toEqual(['ok', 'settled_already']);
    await expect.poll(() => tierOf(me.key)).toBe('growth');
    const trail = await listAudit(rig.testStore.store.db, { subject: 'account', subjectId: me.by.accountId });
    expect(trail.rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['plan.change', operator.email],
      ['plan.request', me.email],
    ]);
  });

  it('does not approve what was asked for before the request changed', async () => {
    const me = await developer();
    await billing.choose({ ...me.input, tier: 'growth' });
    const { id } = await me.open();
    await billing.choose({ ...me.input, tier: 'enterprise' });
    expect(await requests.approve({ by: operator, id, tier: 'growth' })).toMatchObject({ reason: 'settled_already' });
    const { id: next } = await me.open();
    expect(await requests.approve({ by: operator, id: next, tier: 'growth' })).toMatchObject({ reason: 'changed_meanwhile' });
    expect(await requests.approve({ by: operator, id: 'x', tier: 'growth' })).toMatchObject({ reason: 'unknown_request' });
    expect((await me.view()).tier).toBe('starter');
  });

  it('declines with a word to the developer, and nothing changes', async () => {
    const me = await developer();
    await billing.choose({ ...me.input, tier: 'growth' });
    const { id } = await me.open();
    expect(await requests.decline({ by: operator, id, note: ' Write to us first.\0 ' })).toEqual({ ok: true });
    expect(await me.view()).toMatchObject({
      tier: 'starter',
      request: null,
      answer: { state: 'declined', tier: 'growth', note: 'Write to us first.' },
    });
  });

  it('never declines without a word', async () => {
    const me = await developer();
    await billing.choose({ ...me.input, tier: 'growth' });
    const { id } = await me.open();
    for (const note of ['', ' ', ' \0 \n'])
      expect(await requests.decline({ by: operator, id, note })).toMatchObject({ ok: false, reason: 'missing_note' });
    expect(await me.view()).toMatchObject({ request: { tier: 'growth' }, answer: null });
  });

  it('ends a plan on request: 402 subscription_inactive; a tier brings it back', async () => {
    const me = await developer();
    expect(await admit(me.key)).toBe('active');
    await billing.end(me.input);
    await requests.approve({ by: operator, id: (await me.open()).id, tier: null });
    await expect.poll(() => admit(me.key)).toBe('subscription_inactive');
    expect(await billing.end(me.input)).toMatchObject({ reason: 'nothing_to_end' });
    await billing.choose({ ...me.input, tier: 'starter' });
    await requests.approve({ by: operator, id: (await me.open()).id, tier: 'starter' });
    await expect.poll(() => admit(me.key)).toBe('active');
  });

  it('turns a trial into a plan at once, before or after its end', async () => {
    const me = await trial('trial@example.org');
    rig.pass(8 * 86_400_000);
    expect(await admit(me.key)).toBe('trial_expired');
    await billing.choose({ ...me.input, tier: 'growth' });
    const [request] = await requests.waiting(me.input.by.accountId);
    await requests.approve({ by: operator, id: request!.id, tier: 'growth' });
    await expect.poll(() => admit(me.key)).toBe('active');
    expect(await tierOf(me.key)).toBe('growth');
  });

  it('sets a tier only over what was seen; a second click finds it done', async () => {
    const me = await developer();
    const input = { ...me.input, by: operator, expect: { tier: 'starter', status: 'active' } as const };
    const all = await Promise.all(
      (['growth', 'growth', 'enterprise', 'enterprise'] as const).map((tier) => billing.assign({ ...input, tier })),
    );
    const said = all.map((answer) => (answer.ok ? answer.outcome : answer.reason)).sort();
    expect(said).toEqual(['changed', 'changed_meanwhile', 'changed_meanwhile', 'unchanged']);
    const winner = all.findIndex((answer) => answer.ok && answer.outcome === 'changed') < 2 ? 'growth' : 'enterprise';
    expect((await me.view()).tier).toBe(winner);
  });
});

it('a downgrade in the middle of a minute is refused until the window has room for the smaller tier', async () => {
  const me = await developer('growth');
  for (let n = 0; n < 200; n++) expect(await admit(me.key)).toBe('active');
  const seen = { tier: 'growth', status: 'active' } as const;
  await billing.assign({ ...me.input, by: operator, tier: 'starter', expect: seen });
  await expect.poll(() => tierOf(me.key)).toBe('starter');
  const verdict = await rig.gate.admit(me.key, '203.0.113.9');
  expect(verdict).toMatchObject({
    ok: false,
    reason: 'minute',
    allowance: { tier: 'starter', minute: { limit: 60, remaining: 0 } },
  });
  rig.pass(61_000);
  for (let n = 0; n < 60; n++) expect(await admit(me.key)).toBe('active');
  expect(await admit(me.key)).toBe('minute');
});
