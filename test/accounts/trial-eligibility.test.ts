import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { migrate, readMigrations } from '../../src/store/migrate.ts';
import { openNewTestStore, openTestStore, type TestStore } from '../support/database/store.ts';
import { cleanUpAt } from '../support/runs/clean-up.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;
let opened: TestStore;
let time = NOON;
let people = 0;
beforeEach(async () => {
  opened = await openTestStore();
  time = NOON;
});
afterEach(() => opened.dispose());

const openAccounts = () => createAccounts({ db: opened.store.db, now: () => time });

/** A new account asks for its trial. */
async function beginTrial(address: string, email = `dev-${people++}@example.org`, accounts = openAccounts()) {
  const account = await accounts.createAccount({ email });
  if (!account.ok) throw new Error(account.detail);
  const owner = { accountId: account.id, actor: { id: account.id, name: email }, address };
  return accounts.own.create(owner, { form: crypto.randomUUID(), name: 'site', plan: { kind: 'free' } });
}
const reasonOf = (answer: { ok: boolean; reason?: string }) => (answer.ok ? 'ok' : answer.reason);

describe('trials from one network', () => {
  it('are twenty a day, over all processes at the same moment, and others go on', async () => {
    const processes = [openAccounts(), openAccounts()];
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) => beginTrial(`203.0.113.${n}`, undefined, processes[n % 2])),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
    const [refused] = answers.filter(({ ok }) => !ok);
    expect(refused).toMatchObject({
      reason: 'trial_network_full',
      detail: expect.stringMatching(/from your network today\. Try again tomorrow/),
    });
    expect(reasonOf(await beginTrial('203.0.114.1'))).toBe('ok');
    time = NOON + DAY_MS / 2;
    expect(reasonOf(await beginTrial('203.0.113.1'))).toBe('ok');
  });

  it('are counted for the /48 of an IPv6 address, and on the machine itself, where a proxy may stand', async () => {
    for (let n = 0; n < 20; n += 1) await beginTrial(`2001:db8:1:${n}::7`);
    expect(reasonOf(await beginTrial('2001:db8:1:ffff::7'))).toBe('trial_network_full');
    expect(reasonOf(await beginTrial('2001:db8:2::7'))).toBe('ok');
    for (let n = 0; n < 20; n += 1) expect(reasonOf(await beginTrial('127.0.0.1'))).toBe('ok');
    expect(reasonOf(await beginTrial('127.0.0.1'))).toBe('trial_network_full');
  });

  it('that were refused for another reason are not counted, and old counts go', async () => {
    await beginTrial('203.0.113.1', 'ada@proton.me');
    for (let n = 0; n < 30; n += 1) expect(reasonOf(await beginTrial('203.0.113.1', `ada+${n}@pm.me`))).toBe('trial_used');
    const counts = () => opened.store.db.selectFrom('trial_network').selectAll().execute();
    expect(await counts()).toEqual([{ network: '203.0.113.0/24', day: '2026-11-21', trials: 1 }]);
    await cleanUpAt(opened.store, NOON + DAY_MS);
    expect(await counts()).toHaveLength(1);
    await cleanUpAt(opened.store, NOON + 2 * DAY_MS);
    expect(await counts()).toEqual([]);
  });
});

describe('one mailbox', () => {
  it.each([
    ['a.da@gmail.com', 'ada+two@googlemail.com'],
    ['a.da@proton.me', 'ada@protonmail.com'],
    ['ada@protonmail.ch', 'a-da+two@pm.me'],
    ['ada@me.com', 'ada+two@icloud.com'],
    ['ada+one@mac.com', 'ada@icloud.com'],
  ])('of %s and %s has one trial', async (first, second) => {
    expect(reasonOf(await beginTrial('203.0.113.1', first))).toBe('ok');
    expect(reasonOf(await beginTrial('198.51.100.1', second))).toBe('trial_used');
  });

  it('whose account was deleted before Proton was known here has no second trial', async () => {
    await beginTrial('203.0.113.1', 'grace@example.org');
    await opened.store.db
      .updateTable('subscription')
      .set({ trial_mailbox: hash('sha256', 'a.da@pm.me', 'hex') })
      .execute();
    expect(reasonOf(await beginTrial('198.51.100.1', 'a.da+again@pm.me'))).toBe('trial_used');
  });
});

it('a store from before: sessions go on as digests, trials move to the folded mailbox, the first of two stays', async () => {
  const old = await openNewTestStore();
  const { db } = old.store;
  const digest = (text: string) => hash('sha256', text, 'hex');
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  const migrations = readMigrations();
  await migrate(
    db,
    migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0019-session-digests'),
    ),
  );
  const trials = [
    ['a.da+x@pm.me', 'a.da@pm.me'],
    ['ad.a@proton.me', 'ad.a@proton.me'],
    ['ada@me.com', 'ada@me.com'],
    ['eve@proton.me', 'eve@proton.me'],
    ['e.ve@proton.me', 'e.ve@proton.me'],
    ['grace@example.org', 'grace@example.org'],
  ] as const;
  for (const [n, [email, mailbox]] of trials.entries()) {
    const id = `01900000-0000-7000-8000-00000000000${n}`;
    await sql`insert into account (id, email, email_lower, created_at, updated_at) values (${id}, ${email}, ${email}, now(), now())`.execute(
      db,
    );
    await sql`insert into subscription (id, account_id, tier, status, trial_ends_at, trial_mailbox, created_at)
      values (${id}, ${id}, 'starter', 'trialing', now(), ${digest(mailbox)}, now() + ${n} * interval '1 day')`.execute(db);
    await sql`insert into session (id, account_id, token, expires_at, created_at, updated_at)
      values (${id}, ${id}, ${`token of ${email}`}, now(), now(), now())`.execute(db);
  }
  await migrate(db, migrations);
  const rows = await db.selectFrom('subscription').select('trial_mailbox').orderBy('id').execute();
  expect(rows.map(({ trial_mailbox }) => trial_mailbox)).toEqual(
    ['ada@proton.me', 'ad.a@proton.me', 'ada@icloud.com', 'eve@proton.me', 'e.ve@proton.me', 'grace@example.org'].map(digest),
  );
  const sessions = await db.selectFrom('session').select('token').orderBy('id').execute();
  expect(sessions.map(({ token }) => token)).toEqual(trials.map(([email]) => digest(`token of ${email}`)));
  await old.dispose();
});
