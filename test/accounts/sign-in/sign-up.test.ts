import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../../src/accounts/index.ts';
import { NOON, openSignInRig, PASSWORD, type SignInRig } from '../../support/rigs/sign-in.ts';

let rig: SignInRig;
let people = 0;
const freshEmail = () => `person-${people++}@example.org`;
beforeAll(async () => {
  rig = await openSignInRig();
});
afterAll(() => rig.dispose());
const accountOf = (lower: string) =>
  rig.testStore.store.db.selectFrom('account').selectAll().where('email_lower', '=', lower).execute();

describe('signing up', () => {
  it('sends an e-mail, and the same browser confirms the address with one click and is signed in', async () => {
    const browser = rig.openBrowser();
    const signedUp = await rig.signIn.signUp(browser, { email: 'Ada.Byron@Example.org', password: PASSWORD, name: 'Ada' });
    expect(signedUp).toMatchObject({ ok: true, email: 'Ada.Byron@Example.org' });
    browser.take(signedUp);
    const [account] = await accountOf('ada.byron@example.org');
    expect(account).toMatchObject({ email: 'Ada.Byron@Example.org', name: 'Ada', email_verified_at: null, is_operator: false });
    expect(account?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const token = rig.tokenTo('ada.byron@example.org');
    expect(await rig.signIn.readVerification(browser, token)).toEqual({
      state: 'open',
      email: 'Ada.Byron@Example.org',
      needsPassword: false,
      hasTrial: true,
    });
    expect(await rig.signIn.readSession(browser.headers)).toBeNull();
    rig.time.directory = NOON + 60_000;
    const verified = await rig.signIn.verifyEmail(browser, { token });
    expect(verified).toMatchObject({ ok: true });
    browser.take(verified);
    expect(await rig.signIn.readSession(browser.headers)).toMatchObject({
      accountId: account?.id,
      email: 'Ada.Byron@Example.org',
      name: 'Ada',
      verified: true,
      twoFactor: false,
      isOperator: false,
    });
    // The trial is reckoned from here.
    expect((await accountOf('ada.byron@example.org'))[0]?.email_verified_at).toEqual(new Date(NOON + 60_000));
    rig.time.directory = NOON;
  });

  it('gives cookies that scripts, other sites and other hosts do not get', async () => {
    const browser = await rig.join(freshEmail());
    expect([...browser.cookies.keys()]).toEqual([
      '__Host-marquee_session',
      expect.stringMatching(/^__Host-marquee_device_[\w-]{8}$/),
    ]);
    const again = await rig.signIn.signIn(rig.openBrowser(), { email: `person-${people - 1}@example.org`, password: PASSWORD });
    const [cookie = ''] = again.ok ? again.setCookies : [];
    expect(cookie).toMatch(/^__Host-marquee_session=/);
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/', 'Max-Age=2592000'])
      expect(cookie).toContain(`; ${attribute}`);
    expect(cookie).not.toContain('Domain');
  });

  it('needs the password where the link is opened in another browser: whoever signed up must be who confirms', async () => {
    const email = freshEmail();
    await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD });
    const phone = rig.openBrowser();
    const token = rig.tokenTo(email);
    expect(await rig.signIn.readVerification(phone, token)).toMatchObject({ state: 'open', needsPassword: true });
    expect(await rig.signIn.verifyEmail(phone, { token })).toMatchObject({ ok: false, reason: 'password_needed' });
    expect(await rig.signIn.verifyEmail(phone, { token, password: 'a wrong password' })).toMatchObject({
      reason: 'wrong_password',
      field: 'password',
    });
    expect((await accountOf(email))[0]?.email_verified).toBe(false);
    expect(await rig.signIn.verifyEmail(phone, { token, password: PASSWORD })).toMatchObject({ ok: true });
    expect(await rig.signIn.readVerification(phone, token)).toMatchObject({ state: 'done' });
  });

  it('leaves nothing to who signed up with an address of yours before you', async () => {
    const email = freshEmail();
    const thief = rig.openBrowser();
    thief.take(await rig.signIn.signUp(thief, { email, password: 'the password of a thief' }));
    const old = rig.tokenTo(email);
    const owner = rig.openBrowser();
    owner.take(await rig.signIn.signUp(owner, { email, password: PASSWORD }));
    expect(await rig.signIn.verifyEmail(owner, { token: old })).toMatchObject({ reason: 'bad_link' });
    owner.take(await rig.signIn.verifyEmail(owner, { token: rig.tokenTo(email) }));
    expect(await rig.signIn.readSession(owner.headers)).not.toBeNull();
    expect(await rig.signIn.signIn(thief, { email, password: 'the password of a thief' })).toMatchObject({
      reason: 'wrong_credentials',
    });
    expect(await accountOf(email)).toHaveLength(1);
  });

  it.each(['%', 'x.y.z', '', 'a~b'])('has no use for a link that is none: %j', async (token) => {
    expect(await rig.signIn.readVerification(rig.openBrowser(), token)).toMatchObject({ state: 'dead' });
    expect(await rig.signIn.verifyEmail(rig.openBrowser(), { token, password: PASSWORD })).toMatchObject({ reason: 'bad_link' });
  });

  it('answers a taken address as a free one, and tells its owner by e-mail', async () => {
    const email = freshEmail();
    await rig.join(email);
    const stranger = rig.openBrowser();
    const taken = await rig.signIn.signUp(stranger, { email: email.toUpperCase(), password: PASSWORD });
    const free = await rig.signIn.signUp(stranger, { email: freshEmail(), password: PASSWORD });
    const shape = (answer: object) => JSON.stringify(answer).replace(/(?<==)[\w-]{43}|person-\d+@example.org/gi, '…');
    expect(shape(taken)).toBe(shape(free));
    expect(rig.emailTo(email)?.subject).toBe('You already have an account');
    expect(rig.emailTo(email)?.text).not.toContain('token=');
  });

  it.each([
    ['ada@example', 'invalid_email'],
    ['ada', 'invalid_email'],
    ['a da@example.org', 'invalid_email'],
    ['ada@example.org\r\nBcc: eve@example.org', 'invalid_email'],
    ['адa@example.org', 'invalid_email'],
    ['"ada eve"@example.org', 'invalid_email'],
  ])('refuses the address %j', async (email, reason) => {
    expect(await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({
      ok: false,
      reason,
      field: 'email',
    });
  });

  it('takes addresses that look alike for one', async () => {
    const plain = 'grace.hopper@example.org';
    for (const email of [plain, 'GRACE.Hopper@example.org', 'ｇｒａｃｅ.hopper@example.org', ' grace.hopper@EXAMPLE.org ']) {
      expect(await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({ ok: true });
    }
    expect(await accountOf(plain)).toHaveLength(1);
  });

  it('makes one account of twenty at the same moment', async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD })),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(await accountOf(email)).toHaveLength(1);
  });

  it('makes one account when two processes are asked at the same moment', async () => {
    const processes = [rig.signIn, await rig.openAnother()];
    for (let round = 0; round < 5; round += 1) {
      const email = freshEmail();
      const answers = await Promise.all(processes.map(({ signUp }) => signUp(rig.openBrowser(), { email, password: PASSWORD })));
      expect(answers.every(({ ok }) => ok)).toBe(true);
      for (const each of processes) await each.onIdle();
      expect(await accountOf(email)).toHaveLength(1);
    }
  });

  it('gives one trial to one mailbox, plus tags and dots folded', async () => {
    const accounts = createAccounts({ db: rig.testStore.store.db, now: () => rig.time.directory });
    for (const email of ['joan.clarke+one@gmail.com', 'joanclarke+two@gmail.com']) await rig.join(email);
    expect(await accounts.createKey({ email: 'joan.clarke+one@gmail.com' })).toMatchObject({ ok: true, tier: 'starter' });
    expect(await accounts.createKey({ email: 'joanclarke+two@gmail.com' })).toMatchObject({ reason: 'trial_used' });
  });

  it('opens no key before the address is confirmed', async () => {
    const email = freshEmail();
    await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD });
    const accounts = createAccounts({ db: rig.testStore.store.db, now: () => rig.time.directory });
    expect(await accounts.createKey({ email })).toMatchObject({ reason: 'unverified_account' });
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({ reason: 'unverified' });
  });

  it('takes nothing but what it asks for', async () => {
    const email = freshEmail();
    const more = {
      isOperator: true,
      is_operator: true,
      tier: 'enterprise',
      emailVerified: true,
      status: 'active',
      trialEndsAt: '2099-01-01',
      default_tier: 'enterprise',
    };
    await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD, ...more });
    expect((await accountOf(email))[0]).toMatchObject({ is_operator: false, default_tier: null, email_verified: false });
  });
});

describe('a name', () => {
  it.each(['x'.repeat(101), 'a\r\nb', 'a\0b'])('is refused: %j', async (name) => {
    expect(await rig.signIn.signUp(rig.openBrowser(), { email: freshEmail(), password: PASSWORD, name })).toMatchObject({
      reason: 'invalid_name',
      field: 'name',
    });
  });

  it('may hold markup, which stays text and never reaches an e-mail', async () => {
    const email = freshEmail();
    const browser = rig.openBrowser();
    const name = '<img src=x onerror=alert(1)> https://spam.example';
    browser.take(await rig.signIn.signUp(browser, { email, password: PASSWORD, name }));
    expect(rig.emailTo(email)?.html).not.toContain('spam');
    browser.take(await rig.signIn.verifyEmail(browser, { token: rig.tokenTo(email) }));
    expect((await rig.signIn.readSession(browser.headers))?.name).toBe(name);
  });
});

describe('links and passwords', () => {
  it('never reach the log or the audit list', async () => {
    const { rows } = { rows: await rig.testStore.store.db.selectFrom('audit').selectAll().execute() };
    const seen = `${rig.logged.join('\n')}${JSON.stringify(rows)}`;
    expect(seen.length).toBeGreaterThan(1_000);
    expect(seen).not.toContain(PASSWORD);
    for (const sent of rig.mailer.recent()) {
      const token = /token=(\S+)/.exec(sent.text)?.[1];
      if (token) expect(seen).not.toContain(token.slice(-20));
    }
  });
});
