import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccounts, readTrial, sendTrialEmails } from '../../src/accounts/index.ts';
import { createLog } from '../../src/log.ts';
import { createOperator } from '../support/rigs/operator.ts';
import { NOON, openSignInRig, type SignInRig } from '../support/rigs/sign-in.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let rig: SignInRig;
beforeEach(async () => {
  rig = await openSignInRig();
});
afterEach(() => rig.dispose());

const send = () =>
  sendTrialEmails({
    db: rig.testStore.store.db,
    mailer: rig.mailer,
    publicUrl: 'https://events.example.org',
    now: () => rig.time.directory,
    log: createLog('silent'),
  });
const subjects = (email: string) =>
  rig.mailer
    .recent()
    .filter(({ to, subject }) => to === email && /trial/i.test(subject))
    .map(({ subject }) => subject)
    .reverse();
const accounts = () => createAccounts({ db: rig.testStore.store.db, now: () => rig.time.directory });
const operator = () => createOperator(rig.testStore.store.db, () => rig.time.directory);
const idOf = async (email: string) =>
  (await rig.testStore.store.db.selectFrom('account').select('id').where('email_lower', '=', email).executeTakeFirstOrThrow()).id;
const trial = async (email: string) => readTrial(rig.testStore.store.db, await idOf(email), rig.time.directory);

describe('e-mails about a trial', () => {
  it('come 3 days before its end, 1 day before, and when it has ended, each once', async () => {
    await rig.join('ada@example.org');
    await accounts().createKey({ email: 'ada@example.org' });
    const counts: number[] = [];
    for (let hour = 0; hour <= 10 * 24; hour += 1) {
      rig.time.directory = NOON + hour * HOUR;
      if ((await send()) > 0) counts.push(hour);
    }
    expect(counts).toEqual([4 * 24, 6 * 24, 7 * 24]);
    expect(subjects('ada@example.org')).toEqual([
      'Your trial ends in 3 days',
      'Your trial ends tomorrow',
      'Your trial has ended',
    ]);
    expect(rig.emailTo('ada@example.org')?.text).toContain('https://events.example.org/dashboard/plans');
  });

  it('are sent once, however many workers look at the same moment', async () => {
    await rig.join('ada@example.org');
    rig.time.directory = NOON + 4 * DAY;
    const counts = await Promise.all(Array.from({ length: 10 }, send));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    expect(await send()).toBe(0);
  });

  it('that are late do not come all at once, and old ones not at all', async () => {
    for (const email of ['ada@example.org', 'grace@example.org']) await rig.join(email);
    rig.time.directory = NOON + 6.5 * DAY;
    expect(await send()).toBe(2);
    expect(subjects('ada@example.org')).toEqual(['Your trial ends tomorrow']);
    rig.time.directory = NOON + 9.5 * DAY;
    expect(await send()).toBe(0);
  });

  it('go to nobody who has another plan, no trial, or an account that is not active', async () => {
    const { db } = rig.testStore.store;
    for (const email of ['ada@example.org', 'grace@example.org', 'joan+1@example.org', 'joan+2@example.org'])
      await rig.join(email);
    const created = await accounts().createKey({ email: 'ada@example.org' });
    if (!created.ok) throw new Error(created.detail);
    await operator().setTier(created.id, 'growth');
    await operator().suspend('grace@example.org');
    await accounts().createKey({ email: 'joan+1@example.org' });
    await accounts().createAccount({ email: 'made@example.org', tier: 'growth' });
    await db
      .insertInto('account')
      .values({
        id: '018f0000-0000-7000-8000-00000000000a',
        email: 'x@example.org',
        email_lower: 'x@example.org',
        created_at: new Date(NOON),
        updated_at: new Date(NOON),
      })
      .execute();
    rig.time.directory = NOON + 6.5 * DAY;
    expect(await send()).toBe(1);
    expect(subjects('joan+1@example.org')).toHaveLength(1);
  });
});

describe('a trial', () => {
  it('runs from the confirmation of the address, with or without a key, for seven days', async () => {
    await rig.join('ada@example.org');
    const endsAt = new Date(NOON + 7 * DAY);
    expect(await trial('ada@example.org')).toEqual({ state: 'running', endsAt });
    rig.time.directory = NOON + 2 * DAY;
    await accounts().createKey({ email: 'ada@example.org' });
    expect(await trial('ada@example.org')).toEqual({ state: 'running', endsAt });
    rig.time.directory = NOON + 7 * DAY - 1;
    expect((await trial('ada@example.org')).state).toBe('running');
    rig.time.directory = NOON + 7 * DAY;
    expect(await trial('ada@example.org')).toEqual({ state: 'ended', endsAt });
  });

  it('is left for another plan, and not given again to a mailbox that had one', async () => {
    for (const email of ['ada@example.org', 'joan+1@example.org', 'joan+2@example.org']) await rig.join(email);
    const created = await accounts().createKey({ email: 'ada@example.org' });
    if (!created.ok) throw new Error(created.detail);
    await operator().setTier(created.id, 'growth');
    expect(await trial('ada@example.org')).toEqual({ state: 'left', endsAt: null });
    await accounts().createKey({ email: 'joan+1@example.org' });
    expect(await trial('joan+2@example.org')).toEqual({ state: 'mailbox_used', endsAt: null });
    await accounts().createAccount({ email: 'made@example.org', tier: 'growth' });
    expect(await trial('made@example.org')).toEqual({ state: 'none', endsAt: null });
  });
});
