import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAudit } from '../../src/accounts/index.ts';
import { accountCommand } from '../../src/commands/account.ts';
import { keyCommand } from '../../src/commands/key.ts';
import type { Context } from '../../src/context.ts';
import { openSignInRig, PASSWORD, type SignInRig } from '../support/rigs/sign-in.ts';

let rig: SignInRig;
beforeAll(async () => {
  rig = await openSignInRig();
});
afterAll(() => rig.dispose());

const type = (...words: string[]) => typeIn(accountCommand, words);

async function typeIn(command: typeof accountCommand, words: string[]): Promise<{ printed: string[]; remarked: string[] }> {
  const [printed, remarked]: [string[], string[]] = [[], []];
  const context = {
    config: { publicUrl: 'https://events.example.org', clocks: { directory: () => rig.time.directory } },
    watched: false,
    print: (line: string) => void printed.push(line),
    remark: (line: string) => void remarked.push(line),
    withStore: (work: (store: unknown) => Promise<unknown>) => work(rig.testStore.store),
  } as unknown as Context;
  await command(context).exitOverride().parseAsync(words, { from: 'user' });
  return { printed, remarked };
}

const use = (link: string) =>
  rig.signIn.reset(rig.openBrowser(), { token: new URL(link).searchParams.get('token') ?? '', password: PASSWORD });

describe('account create', () => {
  it('says what it always said, and beside it a link with which the operator signs in', async () => {
    const { printed, remarked } = await type('create', '--email', 'op@example.org', '--operator');
    expect(printed).toEqual(['created op@example.org, tier starter']);
    const link = /https:\S+/.exec(remarked.join())?.[0] ?? '';
    expect(await use(link)).toMatchObject({ ok: true });
    const browser = rig.openBrowser();
    browser.take(await rig.signIn.signIn(browser, { email: 'op@example.org', password: PASSWORD }));
    expect(await rig.signIn.readSession(browser.headers)).toMatchObject({ isOperator: true });
  });

  it('gives the link in its JSON too, and none where the address cannot sign in', async () => {
    const { printed, remarked } = await type('create', '--email', 'Grace@example.org', '--tier', 'growth', '--json');
    expect(remarked).toEqual([]);
    const said = JSON.parse(printed.join());
    expect(said).toEqual({ id: expect.any(String), email: 'Grace@example.org', tier: 'growth', signInUrl: expect.any(String) });
    expect(await use(said.signInUrl)).toMatchObject({ ok: true });
    const local = await type('create', '--email', 'ada@localhost', '--operator');
    expect(local.printed).toEqual(['created ada@localhost, tier starter']);
    expect(local.remarked.join()).toContain('cannot sign in');
    expect((await type('create', '--email', 'script@example.org')).remarked).toEqual([]);
  });
});

describe('account link', () => {
  it('prints a link alone, for who got no e-mail', async () => {
    await type('create', '--email', 'joan@example.org');
    const { printed } = await type('link', '--email', 'joan@example.org');
    expect(printed).toHaveLength(1);
    expect(await use(printed.join())).toMatchObject({ ok: true });
    await expect(type('link', '--email', 'nobody@example.org')).rejects.toThrow('No active account');
  });
});

describe('account operator', () => {
  it('lets an account that exists use the desk, and no longer, also where somebody is signed in', async () => {
    const email = 'mary@example.org';
    const { signInUrl } = JSON.parse((await type('create', '--email', email, '--json')).printed.join());
    await use(signInUrl);
    const browser = rig.openBrowser();
    browser.take(await rig.signIn.signIn(browser, { email, password: PASSWORD }));
    const isOperator = async () => (await rig.signIn.readSession(browser.headers))?.isOperator;
    expect(await isOperator()).toBe(false);
    expect((await type('operator', '--email', 'Mary@example.org')).printed).toEqual([
      'Mary@example.org may use the operator desk',
    ]);
    expect(await isOperator()).toBe(true);
    expect((await type('operator', '--email', email)).printed).toEqual([`${email} may use the operator desk`]);
    expect((await type('operator', '--email', email, '--remove')).printed).toEqual([`${email} may not use the operator desk`]);
    expect(await isOperator()).toBe(false);
    const { rows } = await listAudit(rig.testStore.store.db, { actor: 'command line', limit: 2 });
    expect(rows.map(({ action, detail }) => [action, detail]).reverse()).toEqual([
      ['account.operator', { operator: true }],
      ['account.operator', { operator: false }],
    ]);
  });

  it('is refused in one sentence for an address that nobody has', async () => {
    await expect(type('operator', '--email', 'nobody@example.org')).rejects.toThrow(
      'No account has the e-mail address nobody@example.org.',
    );
    await expect(type('operator', '--email', 'no address')).rejects.toThrow('No account has the e-mail address no address.');
  });
});

describe('what is done to accounts and keys', () => {
  it('is on the audit list, without an address and without a secret', async () => {
    const { db } = rig.testStore.store;
    const email = 'audited@example.org';
    const { id: account } = JSON.parse((await type('create', '--email', email, '--tier', 'growth', '--json')).printed.join());
    await type('link', '--email', email);
    const key = async (...words: string[]) => (await typeIn(keyCommand, words)).printed.join();
    const idOf = (whole: string) => whole.slice(8, 20);
    const first = await key('create', '--account', email, '--name', 'site');
    const second = await key('rotate', idOf(first), '--grace', '1h');
    await key('revoke', idOf(second));
    const { rows } = await listAudit(db, { actor: 'command line', limit: 5 });
    expect(rows.map(({ action, subjectId, detail }) => [action, subjectId, detail]).reverse()).toEqual([
      ['account.create', account, { tier: 'growth', operator: false }],
      ['account.link', account, {}],
      ['key.create', idOf(first), { name: 'site', tier: 'growth' }],
      ['key.rotate', idOf(first), { grace: '1h', into: idOf(second) }],
      ['key.revoke', idOf(second), {}],
    ]);
    const all = JSON.stringify(rows);
    for (const secret of [email, first.slice(21), second.slice(21)]) expect(all).not.toContain(secret);
    await expect(key('revoke', idOf(second))).rejects.toThrow(/revoked/);
    expect((await listAudit(db, { actor: 'command line', limit: 1 })).rows[0]?.subjectId).toBe(idOf(second));
  });
});
