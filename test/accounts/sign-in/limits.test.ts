import { scryptSync } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccounts, createInvite } from '../../../src/accounts/index.ts';
import { LIMITS } from '../../../src/accounts/sign-in/attempts.ts';
import { refuseSignIn } from '../../../src/accounts/sign-in/refusals.ts';
import { readSecret } from '../../../src/accounts/sign-in/secret.ts';
import { temporaryFolder } from '../../support/database/store.ts';
import { createOperator } from '../../support/rigs/operator.ts';
import { openSignInRig, PASSWORD, type SignInRig, type TestBrowser, totpOf } from '../../support/rigs/sign-in.ts';
import { PATIENCE_MS } from '../../support/runs/patience.ts';

describe('guessing', () => {
  it('is slow for a password, from one network and from many, and shuts out nobody elsewhere', async () => {
    const rig = await openSignInRig({ limits: { signInFrom: { burst: 1_000, everyMs: 1 } } });
    await rig.join('ada@example.org');
    const guess = (address: string, password = 'a wrong password') =>
      rig.signIn.signIn(rig.openBrowser({ address }), { email: 'ada@example.org', password });
    for (let n = 0; n < 10; n++) expect(await guess('198.51.100.1')).toMatchObject({ reason: 'wrong_credentials' });
    expect(await guess('198.51.100.99', PASSWORD)).toMatchObject({ reason: 'too_many_passwords', retryAfterSeconds: 90 });
    expect(await guess('203.0.113.1', PASSWORD)).toMatchObject({ ok: true });
    for (let n = 0; n < 40; n++) await guess(`192.0.${n}.1`);
    expect(await guess('192.0.99.1')).toMatchObject({ reason: 'too_many_passwords' });
    rig.time.monotonic += 3_600_000;
    expect(await guess('198.51.100.1', PASSWORD)).toMatchObject({ ok: true });
    await rig.dispose();
  });

  it('is slow from one address, whoever is guessed at', async () => {
    const rig = await openSignInRig({ limits: LIMITS });
    const guess = (n: number) =>
      rig.signIn.signIn(rig.openBrowser(), { email: `person-${n}@example.org`, password: 'a wrong password' });
    for (let n = 0; n < 30; n++) expect(await guess(n)).toMatchObject({ reason: 'wrong_credentials' });
    expect(await guess(30)).toMatchObject({ reason: 'too_many_attempts', retryAfterSeconds: 10 });
    await rig.dispose();
  });

  it('is slow where a signed-in browser was left alone', async () => {
    const rig = await openSignInRig();
    const browser = await rig.join('ada@example.org');
    for (let n = 0; n < 10; n++) await rig.signIn.deleteAccount(browser, { current: `guess number ${n}` });
    expect(await rig.signIn.changePassword(browser, { current: PASSWORD, password: 'another good one' })).toMatchObject({
      reason: 'too_many_attempts',
    });
    await rig.dispose();
  });
});

describe('an account that strangers guess at', () => {
  let rig: SignInRig;
  const email = 'ada@example.org';
  beforeEach(async () => {
    rig = await openSignInRig({ limits: { signInFrom: LIMITS.signInFrom } });
  });
  afterEach(async () => {
    // Also where a test failed: other files run in the same process.
    vi.useRealTimers();
    await rig.dispose();
  });
  const attempt = (browser: TestBrowser, password = PASSWORD) => rig.signIn.signIn(browser, { email, password });

  /** 50 wrong passwords from five networks: nobody unknown gets in any more. */
  async function guessUntilFull() {
    for (let network = 0; network < 5; network += 1) {
      for (let n = 0; n < 10; n += 1) await attempt(rig.openBrowser({ address: `192.0.${network}.${n}` }), 'a wrong password');
    }
    const stranger = rig.openBrowser({ address: '198.51.100.1' });
    expect(await attempt(stranger)).toMatchObject({
      reason: 'too_many_passwords',
      detail: expect.stringContaining('To sign in now, request a link by email.'),
    });
  }

  it('lets its owner in from a browser that signed in before, also from the network of those who guess', async () => {
    const browser = await rig.join(email);
    browser.take(await rig.signIn.signOut(browser));
    await guessUntilFull();
    browser.address = '192.0.0.1';
    for (let n = 0; n < 30; n += 1) await attempt(rig.openBrowser({ address: '192.0.0.1' }), 'a wrong password');
    const answer = await attempt(browser);
    expect(answer).toMatchObject({ ok: true });
    browser.take(answer);
    expect(await rig.signIn.changePassword(browser, { current: PASSWORD, password: 'another good one' })).toMatchObject({
      ok: true,
    });
    expect(await attempt(browser, 'another good one')).toMatchObject({ ok: true });
  });

  it('lets its owner in after a new password by e-mail', async () => {
    await rig.join(email);
    await guessUntilFull();
    const elsewhere = rig.openBrowser({ address: '198.51.100.1' });
    await rig.signIn.requestReset(elsewhere, { email });
    elsewhere.take(await rig.signIn.reset(elsewhere, { token: rig.tokenTo(email), password: 'another good one' }));
    expect(await attempt(elsewhere, 'another good one')).toMatchObject({ ok: true });
    expect(await attempt(rig.openBrowser({ address: '198.51.100.1' }), 'another good one')).toMatchObject({
      reason: 'too_many_passwords',
    });
  });

  it('lets its owner in with the same password after a link by e-mail, and the link alone lets nobody in', async () => {
    const known = await rig.join(email);
    const begun = await rig.signIn.beginTwoFactor(known, { current: PASSWORD });
    known.take(await rig.signIn.confirmTwoFactor(known, { code: totpOf('secret' in begun ? begun.secret : '') }));
    await guessUntilFull();
    const elsewhere = rig.openBrowser({ address: '198.51.100.1' });
    await rig.signIn.requestReset(elsewhere, { email });
    const token = rig.tokenTo(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => rig.signIn.keepPassword(elsewhere, { token })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) elsewhere.take(answer);
    expect(await rig.signIn.readSession(elsewhere.headers)).toBeNull();
    expect(await rig.signIn.readResetLink(elsewhere, token)).toMatchObject({ isOpen: false });
    // Its own ten tries, and no more.
    for (let n = 0; n < 9; n += 1) {
      expect(await attempt(elsewhere, 'a wrong password')).toMatchObject({ reason: 'wrong_credentials' });
    }
    expect(await attempt(elsewhere)).toMatchObject({ ok: true, secondFactor: true });
    expect(await attempt(elsewhere, 'a wrong password')).toMatchObject({ reason: 'wrong_credentials' });
    expect(await attempt(elsewhere)).toMatchObject({ reason: 'too_many_attempts' });
    expect(await rig.signIn.readSession(known.headers)).not.toBeNull();
  });

  it('has a link that works whenever its owner asks, while strangers have all e-mails sent that they can', async () => {
    await rig.join(email);
    // One more address of the same mailbox, which the strangers cannot confirm.
    const alias = email.replace('@', '+more@');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const stranger = rig.openBrowser({ address: '198.51.100.1' });
    const tokens = new Set<string>();
    for (let minute = 0; minute <= 65; minute += 5) {
      for (const each of [email, alias]) await rig.signIn.signUp(stranger, { email: each, password: 'a password of a stranger' });
      for (const each of [alias, email, email]) await rig.signIn.requestReset(stranger, { email: each });
      await rig.signIn.requestReset(rig.openBrowser(), { email });
      for (const sent of rig.mailer.recent()) {
        if (sent.to === email) for (const [, token = ''] of sent.text.matchAll(/reset\?token=(\S+)/g)) tokens.add(token);
      }
      const open = await Promise.all([...tokens].map((token) => rig.signIn.readResetLink(rig.openBrowser(), token)));
      expect([minute, open.some(({ isOpen }) => isOpen)]).toEqual([minute, true]);
      vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
      rig.time.monotonic += 5 * MINUTE_MS;
    }
    // Four, and one more each quarter of an hour.
    expect(tokens.size).toBe(8);
  });

  it('lets somebody invited choose a first password, which no link keeps', async () => {
    const { db } = rig.testStore.store;
    await createAccounts({ db }).createAccount({ email, operator: true });
    await guessUntilFull();
    const { link = '' } = (await createInvite({ db, publicUrl: 'https://events.example.org' }, email)) ?? {};
    const token = new URL(link).searchParams.get('token') ?? '';
    const browser = rig.openBrowser({ address: '198.51.100.1' });
    expect(await rig.signIn.keepPassword(browser, { token })).toMatchObject({ reason: 'no_password' });
    browser.take(await rig.signIn.reset(browser, { token, password: PASSWORD }));
    expect(await attempt(browser)).toMatchObject({ ok: true });
  });

  it('lets its owner confirm the address in another browser by link and password', async () => {
    await rig.signIn.signUp(rig.openBrowser(), { email, password: PASSWORD });
    await guessUntilFull();
    const phone = rig.openBrowser({ address: '198.51.100.1' });
    expect(await rig.signIn.verifyEmail(phone, { token: rig.tokenTo(email), password: PASSWORD })).toMatchObject({ ok: true });
  });

  it('has ten tries for a known device, and then few', async () => {
    const browser = await rig.join(email);
    const thief = rig.openBrowser({ address: '198.51.100.1', headers: new Headers(browser.headers) });
    for (let n = 0; n < 10; n += 1) {
      expect(await attempt(thief, 'a wrong password')).toMatchObject({ reason: 'wrong_credentials' });
    }
    expect(await attempt(thief)).toMatchObject({ reason: 'too_many_attempts', retryAfterSeconds: 90 });
    rig.time.monotonic += 90_000;
    expect(await attempt(thief)).toMatchObject({ ok: true });
  });

  it.each(['forged', 'of another account', 'of another service', 'older than a year'])(
    'knows no device by a cookie that is %s',
    async (kind) => {
      const mine = await rig.join(email);
      const grace = await rig.join('grace@example.org');
      const name = deviceOf(mine);
      const genuine = mine.cookies.get(name) ?? '';
      const other =
        kind === 'of another service' ? await openSignInRig({ secret: 'another secret for tests, also long enough' }) : null;
      const values: Record<string, string> = {
        forged: genuine.replace(/^..../, 'AAAA'),
        'of another account': grace.cookies.get(deviceOf(grace)) ?? '',
        'of another service': other
          ? ([...(await other.join(email)).cookies].find(([key]) => key.includes('device'))?.[1] ?? '')
          : '',
        'older than a year': genuine,
      };
      await other?.dispose();
      await guessUntilFull();
      if (kind === 'older than a year') vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 366 * 86_400_000 });
      const browser = rig.openBrowser({ address: '198.51.100.1' });
      browser.take({ setCookies: [`${name}=${values[kind]}; Path=/`] });
      expect(await attempt(browser)).toMatchObject({ reason: 'too_many_passwords' });
    },
  );

  it('is limited alike if it does not exist', async () => {
    await guessUntilFull();
  });
});

const MINUTE_MS = 60_000;
const deviceOf = ({ cookies }: TestBrowser): string => [...cookies.keys()].find((name) => name.includes('_device_')) ?? '';

describe('accounts by the hundred', () => {
  it('are slow from one network, and e-mails to one mailbox are few', async () => {
    const rig = await openSignInRig({ limits: LIMITS });
    const signUp = (email: string, address: string) =>
      rig.signIn.signUp(rig.openBrowser({ address }), { email, password: PASSWORD });
    const answers = [];
    for (let n = 0; n < 100; n++) answers.push(await signUp(`person-${n}@example.org`, `203.0.113.${n}`));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    expect(answers.at(-1)).toMatchObject({ reason: 'too_many_attempts', retryAfterSeconds: 360 });
    for (let n = 0; n < 9; n++) await signUp(`ada+${n}@example.org`, `198.51.${n}.1`);
    expect(rig.mailer.recent().filter(({ to }) => to.startsWith('ada+'))).toHaveLength(4);
    await rig.dispose();
  });
});

describe('known and unknown addresses', () => {
  /** Hashing that can be counted and held up. */
  function watchedHashing() {
    const watch = { hashes: 0, running: 0, peak: 0, held: Promise.resolve() };
    const derive = async (password: string, nonce: Buffer, length: number): Promise<Buffer> => {
      watch.hashes += 1;
      watch.running += 1;
      watch.peak = Math.max(watch.peak, watch.running);
      await watch.held;
      watch.running -= 1;
      return scryptSync(password.normalize('NFKC'), nonce, length, { N: 2 });
    };
    return { watch, derive };
  }

  it('are answered alike, before any of the work is done', async () => {
    const { watch, derive } = watchedHashing();
    const rig = await openSignInRig({ hashing: { derive } });
    await rig.join('ada@example.org');
    const mailed = rig.mailer.recent().length;
    const raw = await rig.openAnother();
    const release = Promise.withResolvers<void>();
    watch.held = release.promise;
    const answers = [];
    for (const email of ['ada@example.org', 'bob@example.org']) {
      answers.push(await raw.requestReset(rig.openBrowser(), { email }));
      answers.push(await raw.signUp(rig.openBrowser(), { email, password: PASSWORD }));
    }
    const shapes = answers.map((answer) => JSON.stringify(answer).replace(/(?<==)[\w-]{43}|\w+@example.org/g, '…'));
    expect(shapes.slice(0, 2)).toEqual(shapes.slice(2));
    // A sign-up needs a hash, whichever e-mail it leads to.
    expect(rig.mailer.recent().filter(({ subject }) => subject !== 'Sign in or choose a new password')).toHaveLength(mailed);
    release.resolve();
    await raw.onIdle();
    expect(rig.mailer.recent().length).toBe(mailed + 3);
    await rig.dispose();
  });

  it('wait for no crowd of strangers if a browser is known or asks for a link', async () => {
    const { derive } = watchedHashing();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let guesses = 0;
    const deriveSlowly = async (password: string, nonce: Buffer, length: number) => {
      if (password !== PASSWORD) {
        guesses += 1;
        await held;
      }
      return derive(password, nonce, length);
    };
    const rig = await openSignInRig({ hashing: { derive: deriveSlowly, atOnce: 4 }, turnPatienceMs: 2_000 });
    const known = await rig.join('ada@example.org');
    const crowd = Array.from({ length: 40 }, (_, n) =>
      rig.signIn.signIn(rig.openBrowser({ address: `192.0.${n}.1` }), { email: 'bob@example.org', password: 'a wrong password' }),
    );
    try {
      await expect.poll(() => guesses).toBe(3);
      await rig.signIn.requestReset(rig.openBrowser(), { email: 'ada@example.org' });
      expect(rig.emailTo('ada@example.org')?.text).toContain('/reset?token=');
      expect(await rig.signIn.signIn(known, { email: 'ada@example.org', password: PASSWORD })).toMatchObject({ ok: true });
    } finally {
      release();
      await Promise.all(crowd);
      await rig.dispose();
    }
  });

  it('cost one hash each to sign in, whatever is wrong, and few are computed at once', async () => {
    const { watch, derive } = watchedHashing();
    const rig = await openSignInRig({
      hashing: { derive, atOnce: 2 },
      limits: { passwords: { burst: 1_000, everyMs: 1 } },
      // On a busy machine nobody in the crowd loses patience.
      turnPatienceMs: PATIENCE_MS,
    });
    const accounts = createAccounts({ db: rig.testStore.store.db });
    for (const email of ['ada@example.org', 'suspended@example.org']) await rig.join(email);
    await createOperator(rig.testStore.store.db).suspend('suspended@example.org');
    await accounts.createAccount({ email: 'unset@example.org' });
    await rig.signIn.signUp(rig.openBrowser(), { email: 'unconfirmed@example.org', password: PASSWORD });
    const guess = (email: string, address = '203.0.113.7') =>
      rig.signIn.signIn(rig.openBrowser({ address }), { email, password: 'a wrong password' });
    for (const name of ['ada', 'nobody', 'suspended', 'unset', 'unconfirmed']) {
      const before = watch.hashes;
      expect(await guess(`${name}@example.org`)).toEqual(refuseSignIn('wrong_credentials'));
      expect([name, watch.hashes - before]).toEqual([name, 1]);
    }
    watch.peak = 0;
    const before = watch.hashes;
    await Promise.all(Array.from({ length: CROWD }, (_, n) => guess(`person-${n}@example.org`, `192.0.${n}.1`)));
    expect(watch.hashes - before).toBe(CROWD);
    expect(watch.peak).toBeLessThanOrEqual(2);
    await rig.dispose();
  });
});

const CROWD = 200;

describe('the secret', () => {
  it('is made once, kept readable to its owner alone, and gives way to the setting', () => {
    const { folder, remove } = temporaryFolder();
    const made = readSecret(folder, null);
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(readSecret(folder, null)).toBe(made);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'secret'), 'utf8').trim()).toBe(made);
    expect(readSecret(folder, 'x'.repeat(32))).toBe('x'.repeat(32));
    rmSync(join(folder, 'secret'));
    expect(readSecret(folder, null)).not.toBe(made);
    remove();
  });

  it('of another service opens no session', async () => {
    const rig = await openSignInRig();
    const other = await openSignInRig({ secret: 'another secret for tests, also long enough' });
    const browser = await rig.join('ada@example.org');
    await other.join('ada@example.org');
    expect(await other.signIn.readSession(browser.headers)).toBeNull();
    await Promise.all([rig.dispose(), other.dispose()]);
  });
});
