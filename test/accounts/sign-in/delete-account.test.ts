import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts, listAudit, openGate, recordAudit } from '../../../src/accounts/index.ts';
import { createLog } from '../../../src/log.ts';
import { eventually } from '../../support/processes/child-process.ts';
import { openSignInRig, PASSWORD, type SignInRig } from '../../support/rigs/sign-in.ts';

let rig: SignInRig;
const held: { fail: boolean } = { fail: false };
beforeAll(async () => {
  rig = await openSignInRig({
    beforeDelete: async () => {
      if (held.fail) throw new Error('payments cannot be ended now');
    },
  });
});
afterAll(() => rig.dispose());

/** Every text of every row of every table. */
async function wholeStore(): Promise<string> {
  const { db } = rig.testStore.store;
  const tables = await sql<{
    name: string;
  }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const texts = await Promise.all(
    tables.rows.map(async ({ name }) => JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows)),
  );
  return texts.join('\n');
}

describe('deleting an account', () => {
  it('ends everything in one step, and leaves nobody’s name or address', async () => {
    const { db, createCommitWatcher } = rig.testStore.store;
    const email = 'Ada.Lovelace+jobs@example.org';
    const browser = await rig.join(email);
    const accounts = createAccounts({ db, now: () => rig.time.directory });
    const created = await accounts.createKey({ email });
    if (!created.ok) throw new Error(created.detail);
    const { accountId = '' } = (await rig.signIn.readSession(browser.headers)) ?? {};
    await recordAudit(db, {
      actor: { id: null, name: 'operator@example.org' },
      action: 'account.note',
      subject: 'account',
      subjectId: email.toLowerCase(),
      detail: { wrote: `to ${email} twice` },
    });
    const gate = await openGate({
      db,
      commitWatcher: createCommitWatcher(),
      clocks: { directory: () => rig.time.directory, limits: Date.now },
      log: createLog('silent'),
      pollEveryMs: 20,
    });
    expect(await gate.admit(created.key, '203.0.113.7')).toMatchObject({ ok: true });

    expect(await rig.signIn.deleteAccount(browser, { current: 'a wrong password' })).toMatchObject({
      reason: 'wrong_password',
      field: 'current',
    });
    held.fail = true;
    await expect(rig.signIn.deleteAccount(browser, { current: PASSWORD })).rejects.toThrow('payments');
    expect(await rig.signIn.readSession(browser.headers)).not.toBeNull();
    held.fail = false;
    const stolen = new Headers(browser.headers);
    browser.take(await rig.signIn.deleteAccount(browser, { current: PASSWORD }));

    await eventually(async () => !(await gate.admit(created.key, '203.0.113.7')).ok);
    await gate.close();
    expect(browser.cookies.size).toBe(0);
    expect(await rig.signIn.readSession(stolen)).toBeNull();
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({
      reason: 'wrong_credentials',
    });
    expect(rig.emailTo(email)?.subject).toBe('Your account is deleted');
    const account = await db.selectFrom('account').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    expect(account).toMatchObject({ status: 'closed', name: '', email_verified_at: null, is_operator: false });
    expect((await wholeStore()).toLowerCase()).not.toMatch(/lovelace|203\.0\.113\.7/);
    const { rows } = await listAudit(db, { actor: accountId });
    expect(rows[0]).toMatchObject({ action: 'account.delete', actor: 'closed account' });
  });

  it('gives the mailbox no second trial', async () => {
    const email = 'ada.lovelace+again@example.org';
    await rig.join(email);
    const accounts = createAccounts({ db: rig.testStore.store.db, now: () => rig.time.directory });
    expect(await accounts.createKey({ email })).toMatchObject({ reason: 'trial_used' });
    expect(await accounts.createKey({ email, tier: 'starter' })).toMatchObject({ ok: true });
  });

  it('twenty times at once deletes once', async () => {
    const email = 'grace@example.org';
    const browser = await rig.join(email);
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () =>
        rig.signIn.deleteAccount({ ...browser, headers: new Headers(browser.headers) }, { current: PASSWORD }),
      ),
    );
    expect(answers.some((answer) => answer.status === 'fulfilled' && answer.value.ok)).toBe(true);
    const { rows } = await listAudit(rig.testStore.store.db, { action: 'account.delete', limit: 50 });
    expect(rows).toHaveLength(2);
    // The address is free again.
    await rig.join(email);
  });
});
