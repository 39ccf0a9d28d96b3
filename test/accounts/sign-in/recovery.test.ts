import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAccounts, createInvite } from '../../../src/accounts/index.ts';
import { openSignInRig, PASSWORD, type SignInRig } from '../../support/rigs/sign-in.ts';

let rig: SignInRig;
let people = 0;
const freshEmail = () => `person-${people++}@example.org`;
beforeAll(async () => {
  rig = await openSignInRig();
});
afterAll(() => rig.dispose());
afterEach(() => void vi.useRealTimers());

async function askedFor(email: string): Promise<string> {
  await rig.signIn.requestReset(rig.openBrowser(), { email });
  return rig.tokenTo(email);
}
const reset = (token: string, password = 'another good one') => rig.signIn.reset(rig.openBrowser(), { token, password });

describe('a link to choose a new password', () => {
  it('works once, ends all sessions and every other link', async () => {
    const email = freshEmail();
    const browser = await rig.join(email);
    const [first, second] = [await askedFor(email), await askedFor(email)];
    expect(await rig.signIn.readResetLink(rig.openBrowser(), second)).toMatchObject({ isOpen: true });
    expect(await reset(second)).toMatchObject({ ok: true });
    expect(await rig.signIn.readResetLink(rig.openBrowser(), second)).toMatchObject({ isOpen: false });
    for (const token of [first, second]) expect(await reset(token)).toMatchObject({ reason: 'bad_link' });
    expect(await rig.signIn.readSession(browser.headers)).toBeNull();
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: 'another good one' })).toMatchObject({ ok: true });
    expect(rig.emailTo(email)?.subject).toBe('Your password was changed');
  });

  it('opened fifty times at once works once', async () => {
    const email = freshEmail();
    await rig.join(email);
    const token = await askedFor(email);
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => reset(token, `a good password ${n}`)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const winner = answers.findIndex(({ ok }) => ok);
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: `a good password ${winner}` })).toMatchObject({
      ok: true,
    });
  });

  it('works for 30 minutes', async () => {
    const email = freshEmail();
    await rig.join(email);
    const before = Date.now();
    const token = await askedFor(email);
    const after = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: before + 29.9 * 60_000 });
    expect(await rig.signIn.readResetLink(rig.openBrowser(), token)).toMatchObject({ isOpen: true });
    vi.setSystemTime(after + 30.1 * 60_000);
    expect(await rig.signIn.readResetLink(rig.openBrowser(), token)).toMatchObject({ isOpen: false });
    expect(await reset(token)).toMatchObject({ reason: 'bad_link' });
  });

  it('stands in the store as a digest only', async () => {
    const email = freshEmail();
    await rig.join(email);
    const token = await askedFor(email);
    const rows = await rig.testStore.store.db.selectFrom('verification').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('is asked for alike, whether there is an account or not', async () => {
    const email = freshEmail();
    await rig.join(email);
    const sent = rig.mailer.recent().length;
    const known = await rig.signIn.requestReset(rig.openBrowser(), { email });
    const unknown = await rig.signIn.requestReset(rig.openBrowser(), { email: freshEmail() });
    expect({ ...known, email: null }).toEqual({ ...unknown, email: null });
    expect(rig.mailer.recent().length).toBe(sent + 1);
  });

  it('is not wasted by a password that may not be used', async () => {
    const email = freshEmail();
    await rig.join(email);
    const token = await askedFor(email);
    expect(await reset(token, 'short')).toMatchObject({ reason: 'short_password', field: 'password' });
    expect(await reset(token)).toMatchObject({ ok: true });
  });

  it('confirms an address that never was, and the trial begins', async () => {
    const email = freshEmail();
    await rig.signIn.signUp(rig.openBrowser(), { email, password: 'the password of a thief' });
    expect(await reset(await askedFor(email), PASSWORD)).toMatchObject({ ok: true });
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: PASSWORD })).toMatchObject({ ok: true });
    expect(await rig.signIn.signIn(rig.openBrowser(), { email, password: 'the password of a thief' })).toMatchObject({
      ok: false,
    });
  });

  it.each(['', 'x', '../../etc/passwd', 'a'.repeat(10_000)])('that is none does nothing: %.20j', async (token) => {
    expect(await reset(token)).toMatchObject({ reason: 'bad_link' });
  });
});

describe('an account that an operator made', () => {
  it('gets its first password by a link, once', async () => {
    const email = freshEmail();
    await createAccounts({ db: rig.testStore.store.db }).createAccount({ email, operator: true });
    const place = { db: rig.testStore.store.db, publicUrl: 'https://events.example.org' };
    const { link } = (await createInvite(place, email)) ?? {};
    expect(link).toMatch(/^https:\/\/events\.example\.org\/reset\?token=[\w-]{32}$/);
    const token = new URL(link ?? '').searchParams.get('token') ?? '';
    expect(await rig.signIn.readResetLink(rig.openBrowser(), token)).toEqual({ isOpen: true, isFirst: true });
    expect(await reset(token, PASSWORD)).toMatchObject({ ok: true, isFirst: true });
    expect(rig.emailTo(email)?.subject).toBe('Your password is set');
    expect(await reset(token, PASSWORD)).toMatchObject({ reason: 'bad_link' });
    const browser = rig.openBrowser();
    browser.take(await rig.signIn.signIn(browser, { email, password: PASSWORD }));
    expect(await rig.signIn.readSession(browser.headers)).toMatchObject({ email, isOperator: true });
    for (const none of [freshEmail(), 'ada@localhost', 'no address']) expect(await createInvite(place, none)).toBeNull();
  });
});
