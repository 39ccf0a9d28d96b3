import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/accounts/index.ts';
import { eventually } from '../../support/processes/child-process.ts';
import { createOperator } from '../../support/rigs/operator.ts';
import { openSignInRig, PASSWORD, type SignInRig } from '../../support/rigs/sign-in.ts';

let rig: SignInRig;
let people = 0;
const freshEmail = () => `person-${people++}@example.org`;
beforeAll(async () => {
  rig = await openSignInRig();
});
afterAll(() => rig.dispose());

async function signedIn(email: string) {
  const browser = rig.openBrowser();
  const answer = await rig.signIn.signIn(browser, { email, password: PASSWORD });
  expect(answer).toMatchObject({ ok: true, secondFactor: false });
  browser.take(answer);
  return browser;
}

describe('signing in', () => {
  it('gives a session of its own each time, and the one before is worth nothing', async () => {
    const email = freshEmail();
    const browser = await rig.join(email);
    const before = new Headers(browser.headers);
    const old = await rig.signIn.readSession(before);
    browser.take(await rig.signIn.signIn(browser, { email, password: PASSWORD }));
    const fresh = await rig.signIn.readSession(browser.headers);
    expect(fresh?.accountId).toBe(old?.accountId);
    expect(fresh?.sessionId).not.toBe(old?.sessionId);
    expect(await rig.signIn.readSession(before)).toBeNull();
  });

  it('takes no session that somebody else chose', async () => {
    const email = freshEmail();
    await rig.join(email);
    const planted = rig.openBrowser();
    planted.take({ setCookies: ['__Host-marquee_session=planted.c2lnbmF0dXJl; Path=/'] });
    expect(await rig.signIn.readSession(planted.headers)).toBeNull();
    planted.take(await rig.signIn.signIn(planted, { email, password: PASSWORD }));
    expect(planted.cookies.get('__Host-marquee_session')).not.toContain('planted');
  });

  it('says the same of a wrong password, an unknown address and an account without a password', async () => {
    const email = freshEmail();
    await rig.join(email);
    const unset = freshEmail();
    await createAccounts({ db: rig.testStore.store.db }).createAccount({ email: unset });
    const answers = await Promise.all(
      [email, unset, freshEmail()].map((each) =>
        rig.signIn.signIn(rig.openBrowser(), { email: each, password: 'a wrong password' }),
      ),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ reason: 'wrong_credentials' });
  });

  it.each([
    ['x'.repeat(1_000_000), 'long_password'],
    ['é'.repeat(65_536), 'long_password'],
    ['a\0b', 'unusable_password'],
    ['', 'wrong_credentials'],
  ])('refuses an impossible password without looking at it: %.5s', async (password, reason) => {
    expect(await rig.signIn.signIn(rig.openBrowser(), { email: 'ada@example.org', password })).toMatchObject({ reason });
  });

  it('from another site is rejected', async () => {
    const email = freshEmail();
    const browser = await rig.join(email);
    for (const [origin, site] of [
      ['https://evil.example', 'cross-site'],
      ['null', 'cross-site'],
    ] as const) {
      const victim = rig.openBrowser({ headers: new Headers({ origin, 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate' }) });
      expect(await rig.signIn.signIn(victim, { email, password: PASSWORD })).toMatchObject({ reason: 'foreign_origin' });
      const headers = new Headers(browser.headers);
      headers.set('origin', origin);
      headers.set('sec-fetch-site', site);
      expect(await rig.signIn.rename({ ...browser, headers }, { name: 'Eve' })).toMatchObject({ reason: 'foreign_origin' });
    }
  });

  it('is refused to suspended accounts, whose sessions are dead at once', async () => {
    const email = freshEmail();
    const browser = await rig.join(email);
    const operator = createOperator(rig.testStore.store.db);
    await operator.suspend(email);
    expect(await rig.signIn.readSession(browser.headers)).toBeNull();
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({
      reason: 'inactive_account',
    });
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: 'a wrong password' })).toMatchObject({
      reason: 'wrong_credentials',
    });
    await operator.resume(email);
    expect(await rig.signIn.readSession(browser.headers)).not.toBeNull();
  });
});

describe('sessions', () => {
  it('are listed with device and last use, and ended one by one or all others at once', async () => {
    const email = freshEmail();
    const here = await rig.join(email);
    const [there, elsewhere] = [await signedIn(email), await signedIn(email)];
    const listed = await rig.signIn.listSessions(here);
    if (!listed.ok) throw new Error(listed.detail);
    expect(listed.sessions).toHaveLength(3);
    expect(listed.sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect(listed.sessions[0]).toMatchObject({ device: 'Firefox on Linux', address: '203.0.113.7' });
    const id = (await rig.signIn.readSession(there.headers))?.sessionId ?? '';
    expect(await rig.signIn.revokeSession(here, id)).toMatchObject({ ok: true });
    expect(await rig.signIn.readSession(there.headers)).toBeNull();
    expect(await rig.signIn.revokeSession(here, id)).toMatchObject({ reason: 'unknown_session' });
    expect(await rig.signIn.revokeOtherSessions(here)).toMatchObject({ ok: true });
    expect(await rig.signIn.readSession(elsewhere.headers)).toBeNull();
    expect(await rig.signIn.readSession(here.headers)).not.toBeNull();
  });

  it('of others are unknown', async () => {
    const [ada, eve] = [await rig.join(freshEmail()), await rig.join(freshEmail())];
    const { sessionId = '' } = (await rig.signIn.readSession(ada.headers)) ?? {};
    for (const id of [sessionId, 'not-a-uuid', "'; drop table session"]) {
      expect(await rig.signIn.revokeSession(eve, id)).toMatchObject({ reason: 'unknown_session' });
    }
    expect(await rig.signIn.readSession(ada.headers)).not.toBeNull();
  });

  it('end when signed out, on the server too', async () => {
    const browser = await rig.join(freshEmail());
    const stolen = new Headers(browser.headers);
    browser.take(await rig.signIn.signOut(browser));
    // The device stays known.
    expect([...browser.cookies.keys()]).toEqual([expect.stringContaining('_device_')]);
    expect(await rig.signIn.readSession(stolen)).toBeNull();
    expect(await rig.signIn.signOut(rig.openBrowser())).toMatchObject({ ok: true });
  });

  it('end when they are 30 days old', async () => {
    const browser = await rig.join(freshEmail());
    const { sessionId = '' } = (await rig.signIn.readSession(browser.headers)) ?? {};
    const { db } = rig.testStore.store;
    const row = await db.selectFrom('session').selectAll().where('id', '=', sessionId).executeTakeFirstOrThrow();
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBeGreaterThan(29.9 * 86_400_000);
    await db
      .updateTable('session')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', sessionId)
      .execute();
    expect(await rig.signIn.readSession(browser.headers)).toBeNull();
  });

  it('note their last use, now and then', async () => {
    const browser = await rig.join(freshEmail());
    const { sessionId = '' } = (await rig.signIn.readSession(browser.headers)) ?? {};
    const { db } = rig.testStore.store;
    const old = new Date(Date.now() - 600_000);
    await db.updateTable('session').set({ updated_at: old }).where('id', '=', sessionId).execute();
    await rig.signIn.readSession(browser.headers);
    await eventually(async () => {
      const row = await db.selectFrom('session').select('updated_at').where('id', '=', sessionId).executeTakeFirstOrThrow();
      return row.updated_at > old;
    });
  });

  it.each([
    '',
    'marquee_session=x',
    '__Host-marquee_session=',
    '__Host-marquee_session=%zz.%zz',
    '__Host-marquee_session=a.b; __Host-marquee_session=c.d',
  ])('are not made of nothing: %j', async (cookie) => {
    expect(await rig.signIn.readSession(new Headers({ cookie }))).toBeNull();
  });
});

describe('a new password', () => {
  it('ends all other sessions, and the e-mail says so', async () => {
    const email = freshEmail();
    const [here, there] = [await rig.join(email), await signedIn(email)];
    const old = new Headers(here.headers);
    expect(await rig.signIn.changePassword(here, { current: 'a wrong password', password: 'another good one' })).toMatchObject({
      reason: 'wrong_password',
      field: 'current',
    });
    const changed = await rig.signIn.changePassword(here, { current: PASSWORD, password: 'another good one' });
    here.take(changed);
    expect(changed).toMatchObject({ ok: true });
    expect(await rig.signIn.readSession(here.headers)).not.toBeNull();
    for (const headers of [old, there.headers]) expect(await rig.signIn.readSession(headers)).toBeNull();
    expect(rig.emailTo(email)?.subject).toBe('Your password was changed');
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({
      reason: 'wrong_credentials',
    });
  });

  it('follows the same rules as the first', async () => {
    const browser = await rig.join(freshEmail());
    for (const [password, reason] of [
      ['short', 'short_password'],
      ['x'.repeat(257), 'long_password'],
    ] as const) {
      expect(await rig.signIn.changePassword(browser, { current: PASSWORD, password })).toMatchObject({
        reason,
        field: 'password',
      });
    }
    expect(await rig.signIn.changePassword(rig.openBrowser(), { current: PASSWORD, password: 'another good one' })).toMatchObject(
      {
        reason: 'not_signed_in',
      },
    );
  });
});

describe('on plain http', () => {
  it('cookies have plain names and are not Secure: a browser would drop them', async () => {
    const local = await openSignInRig({ publicUrl: 'http://127.0.0.1:3000' });
    const browser = await local.join('ada@example.org');
    expect([...browser.cookies.keys()]).toEqual(['marquee_session', expect.stringMatching(/^marquee_device_[\w-]{8}$/)]);
    const answer = await local.signIn.signIn(local.openBrowser(), { email: 'ada@example.org', password: PASSWORD });
    expect(answer.ok && answer.setCookies.join()).not.toContain('Secure');
    expect(local.signIn.passkeysWork).toBe(false);
    await local.dispose();
  });
});
