import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openSignInRig, PASSWORD, type SignInRig, type TestBrowser, totpOf } from '../../support/rigs/sign-in.ts';

let rig: SignInRig;
let people = 0;
const freshEmail = () => `person-${people++}@example.org`;
beforeAll(async () => {
  rig = await openSignInRig({ limits: { codesFrom: { burst: 1_000, everyMs: 1 } } });
});
afterAll(() => rig.dispose());
afterEach(() => void vi.useRealTimers());

async function joinWithTwoFactor() {
  const email = freshEmail();
  const browser = await rig.join(email);
  const begun = await rig.signIn.beginTwoFactor(browser, { current: PASSWORD });
  if (!begun.ok) throw new Error(begun.detail);
  const at = Date.now();
  const confirmed = await rig.signIn.confirmTwoFactor(browser, { code: totpOf(begun.secret, at) });
  if (!confirmed.ok) throw new Error(confirmed.detail);
  browser.take(confirmed);
  return { email, browser, at, ...begun };
}

/** What the app shows next: the code that switched two-factor sign-in on is used up. */
const nextCodeOf = (secret: string) => totpOf(secret, Date.now() + STEP_MS);

async function withPassword(email: string): Promise<TestBrowser> {
  const browser = rig.openBrowser();
  const answer = await rig.signIn.signIn(browser, { email, password: PASSWORD });
  expect(answer).toMatchObject({ ok: true, secondFactor: true });
  browser.take(answer);
  expect(await rig.signIn.readSession(browser.headers)).toBeNull();
  return browser;
}

describe('two-factor sign-in', () => {
  it('is on when the app has shown a code, and then a password alone is not enough', async () => {
    const email = freshEmail();
    const browser = await rig.join(email);
    expect(await rig.signIn.beginTwoFactor(browser, { current: 'a wrong password' })).toMatchObject({ reason: 'wrong_password' });
    const begun = await rig.signIn.beginTwoFactor(browser, { current: PASSWORD });
    if (!begun.ok) throw new Error(begun.detail);
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Marquee:/);
    expect(begun.backupCodes).toHaveLength(10);
    expect((await rig.signIn.readSession(browser.headers))?.twoFactor).toBe(false);
    expect(await rig.signIn.confirmTwoFactor(browser, { code: '000000' })).toMatchObject({ reason: 'wrong_code', field: 'code' });
    const confirmed = await rig.signIn.confirmTwoFactor(browser, { code: ` ${totpOf(begun.secret)} ` });
    browser.take(confirmed);
    expect((await rig.signIn.readSession(browser.headers))?.twoFactor).toBe(true);
    expect(rig.emailTo(email)?.subject).toBe('Two-factor sign-in is on');
    const there = await withPassword(email);
    there.take(await rig.signIn.verifySecondFactor(there, { code: nextCodeOf(begun.secret) }));
    expect(await rig.signIn.readSession(there.headers)).toMatchObject({ email, twoFactor: true });
  });

  it('takes each code of the app once, whichever process is asked (RFC 6238, 5.2)', async () => {
    // However long it takes, no code becomes too old.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { email, secret, at: firstAt } = await joinWithTwoFactor();
    const another = await rig.openAnother();
    const first = await withPassword(email);
    const spent = totpOf(secret, firstAt);
    expect(await rig.signIn.verifySecondFactor(first, { code: spent })).toMatchObject({ reason: 'spent_code', field: 'code' });
    const code = totpOf(secret, firstAt + STEP_MS);
    const second = await withPassword(email);
    const answers = await Promise.all([
      rig.signIn.verifySecondFactor(first, { code }),
      another.verifySecondFactor(second, { code: `${code.slice(0, 3)} ${code.slice(3)}` }),
    ]);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(answers.find(({ ok }) => !ok)).toMatchObject({ reason: 'spent_code' });
    // Neither the one that was used nor one from before it.
    for (const at of [firstAt + STEP_MS, firstAt, firstAt - STEP_MS]) {
      const refused = await another.verifySecondFactor(await withPassword(email), { code: totpOf(secret, at) });
      expect(refused).toMatchObject({ reason: 'spent_code' });
    }
  });

  it('takes each backup code once', async () => {
    const { email, backupCodes } = await joinWithTwoFactor();
    const [code = '', another = ''] = backupCodes;
    const browser = await withPassword(email);
    browser.take(await rig.signIn.verifySecondFactor(browser, { code: code.replace('-', ' ') }));
    expect(await rig.signIn.readSession(browser.headers)).not.toBeNull();
    const again = await withPassword(email);
    expect(await rig.signIn.verifySecondFactor(again, { code })).toMatchObject({ reason: 'wrong_code' });
    expect(await rig.signIn.verifySecondFactor(again, { code: another })).toMatchObject({ ok: true });
  });

  it('ends a sign-in after five wrong codes, and shuts the second factor after ten', async () => {
    const { email, secret } = await joinWithTwoFactor();
    for (let round = 0; round < 2; round++) {
      const browser = await withPassword(email);
      for (let n = 0; n < 5; n++)
        expect(await rig.signIn.verifySecondFactor(browser, { code: '000000' })).toMatchObject({ reason: 'wrong_code' });
      const sixth = await rig.signIn.verifySecondFactor(browser, { code: nextCodeOf(secret) });
      expect(sixth).toMatchObject({ ok: false, field: 'code' });
    }
    const browser = await withPassword(email);
    expect(await rig.signIn.verifySecondFactor(browser, { code: nextCodeOf(secret) })).toMatchObject({ reason: 'locked' });
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', "' or 1=1"])('takes %j for no code', async (code) => {
    const { email } = await joinWithTwoFactor();
    expect(await rig.signIn.verifySecondFactor(await withPassword(email), { code })).toMatchObject({ reason: 'wrong_code' });
  });

  it('needs the password first, in the same browser', async () => {
    const { secret } = await joinWithTwoFactor();
    expect(await rig.signIn.verifySecondFactor(rig.openBrowser(), { code: totpOf(secret) })).toMatchObject({
      reason: 'no_challenge',
    });
  });

  it('checks the code of who is signing in, not of who was signed in before', async () => {
    const ada = await joinWithTwoFactor();
    const eve = await joinWithTwoFactor();
    eve.browser.take(await rig.signIn.signIn(eve.browser, { email: ada.email, password: PASSWORD }));
    expect(await rig.signIn.verifySecondFactor(eve.browser, { code: nextCodeOf(eve.secret) })).toMatchObject({ ok: false });
    eve.browser.take(await rig.signIn.verifySecondFactor(eve.browser, { code: nextCodeOf(ada.secret) }));
    expect(await rig.signIn.readSession(eve.browser.headers)).toMatchObject({ email: ada.email });
  });

  it('is switched off and its codes renewed by the password only', async () => {
    const { email, browser, backupCodes } = await joinWithTwoFactor();
    expect(await rig.signIn.renewBackupCodes(browser, { current: 'a wrong password' })).toMatchObject({
      reason: 'wrong_password',
    });
    const renewed = await rig.signIn.renewBackupCodes(browser, { current: PASSWORD });
    expect(renewed.ok && renewed.backupCodes.some((code) => backupCodes.includes(code))).toBe(false);
    expect(await rig.signIn.verifySecondFactor(await withPassword(email), { code: backupCodes[0] ?? '' })).toMatchObject({
      ok: false,
    });
    expect(await rig.signIn.disableTwoFactor(browser, { current: 'a wrong password' })).toMatchObject({
      reason: 'wrong_password',
    });
    browser.take(await rig.signIn.disableTwoFactor(browser, { current: PASSWORD }));
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({ secondFactor: false });
    expect(rig.emailTo(email)?.subject).toBe('Two-factor sign-in is off');
  });

  it('keeps neither secret nor codes in the clear', async () => {
    const { secret, backupCodes } = await joinWithTwoFactor();
    const rows = JSON.stringify(await rig.testStore.store.db.selectFrom('two_factor').selectAll().execute());
    expect(rows).not.toContain(secret.replaceAll(' ', ''));
    for (const code of backupCodes) expect(rows).not.toContain(code);
  });
});

describe('passkeys', () => {
  it('are offered to who is signed in, and refused when nothing was asked for', async () => {
    const browser = await rig.join(freshEmail());
    expect(rig.signIn.passkeysWork).toBe(true);
    expect(await rig.signIn.startPasskey(rig.openBrowser())).toMatchObject({ reason: 'not_signed_in' });
    const started = await rig.signIn.startPasskey(browser);
    expect(started).toMatchObject({
      ok: true,
      options: { rp: { id: 'events.example.org' }, authenticatorSelection: { userVerification: 'required' } },
    });
    expect(await rig.signIn.addPasskey(browser, { response: {}, name: '' })).toMatchObject({ reason: 'passkey_failed' });
    const asked = await rig.signIn.startPasskeySignIn(rig.openBrowser());
    expect(asked).toMatchObject({ ok: true, options: { userVerification: 'required' } });
    // Whose passkeys there are is told to nobody.
    expect(asked.ok && asked.options.allowCredentials).toBeUndefined();
    expect(await rig.signIn.signInWithPasskey(rig.openBrowser(), { response: { id: 'x' } })).toMatchObject({ ok: false });
    for (const id of ['x', '018f0000-0000-7000-8000-00000000000a']) {
      expect(await rig.signIn.removePasskey(browser, { id })).toMatchObject({ reason: 'passkey_unknown' });
      expect(await rig.signIn.renamePasskey(browser, { id, name: 'Mine' })).toMatchObject({ reason: 'passkey_unknown' });
    }
  });
});

const STEP_MS = 30_000;
