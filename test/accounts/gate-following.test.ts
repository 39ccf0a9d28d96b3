/** Both engines: several processes follow one list through connections of their own. */

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { appendToList, type Database, openStore, renewHistory, type Store, StoreError, transact } from '../../src/store/index.ts';
import { countQueries } from '../support/database/counted-queries.ts';
import { connectionRefused, type GateRig, openGateRig, outcome } from '../support/rigs/gate.ts';
import { createOperator } from '../support/rigs/operator.ts';

const ADDRESS = '203.0.113.7';

let rig: GateRig;
beforeAll(async () => {
  rig = await openGateRig();
});
afterAll(() => rig.dispose());
beforeEach(() => rig.pass(61_000));
afterEach(async () => {
  // What they would say in the log is not to be taken for the word of the gate that a test asks.
  await rig.closeOthers();
  rig.faults.error = null;
  const said = (text: string) => rig.log.some((line) => line.includes(text));
  if (said('database unreachable')) await expect.poll(() => said('database reachable again')).toBe(true);
  rig.log.length = 0;
});

const ask = async (key: string) => outcome(await rig.gate.admit(key, ADDRESS));

describe('changes made elsewhere', () => {
  let elsewhere: Store;
  beforeAll(async () => {
    elsewhere = await openStore(rig.testStore.options);
  });
  afterAll(() => elsewhere.close());

  it('act here: a new key, a tier, a suspension, a revocation', async () => {
    const usual = await rig.openAnother({ pollEveryMs: 250 });
    const accounts = createAccounts({ db: elsewhere.db, now: () => rig.time.directory });
    const email = `ada-${rig.time.monotonic}@example.org`;
    await accounts.createAccount({ email, tier: 'starter' });
    const created = await accounts.createKey({ email });
    if (!created.ok) throw new Error(created.detail);
    const answer = async () => {
      const verdict = await usual.admit(created.key, ADDRESS);
      return verdict.ok ? `${verdict.accessStatus} ${verdict.caller.tier}` : verdict.reason;
    };
    expect(await answer()).toBe('active starter');
    const operator = createOperator(elsewhere.db, () => rig.time.directory);
    await operator.setTier(created.subscriptionId, 'enterprise');
    await expect.poll(answer).toBe('active enterprise');
    await operator.suspend(email);
    await expect.poll(answer).toBe('subscription_inactive enterprise');
    await accounts.revokeKey(created.id);
    await expect.poll(answer).toBe('revoked');
  });

  it('act here also when the gate is spared the questions that would find nothing', async () => {
    if (rig.testStore.store.kind !== 'embedded') return;
    const { db, asked } = countQueries(rig.testStore.store.db);
    const spared = await rig.openAnother({ db, commitWatcher: rig.testStore.store.createCommitWatcher(), pollEveryMs: 10 });
    const { key, id } = await rig.createKey();
    const answer = async () => outcome(await spared.admit(key, ADDRESS));
    expect(await answer()).toBe('active');
    await expect
      .poll(async () => {
        const before = asked();
        await delay(50);
        return asked() - before;
      })
      .toBe(0);
    // Without word from the list a key is not believed so long.
    rig.pass(60_000);
    await expect
      .poll(async () => {
        const before = asked();
        expect(await answer()).toBe('active');
        return asked() - before;
      })
      .toBe(0);
    await createAccounts({ db: elsewhere.db, now: () => rig.time.directory }).revokeKey(id);
    await expect.poll(answer).toBe('revoked');
  });

  it('act with the first look at the list that begins after them', async () => {
    // A look is due every quarter of a second. This is how a revocation acts within a second.
    const { db, asked } = countQueries(rig.testStore.store.db, /from "access_change"/);
    const looking = await rig.openAnother({ db });
    const { key, id } = await rig.createKey();
    expect(outcome(await looking.admit(key, ADDRESS))).toBe('active');
    await rig.accounts.revokeKey(id);
    const before = asked();
    while (outcome(await looking.admit(key, ADDRESS)) !== 'revoked') await nextTurn();
    // The first may have begun before the commit.
    expect(asked() - before).toBeLessThanOrEqual(2);
  });

  it('are never missed by a key that is looked up at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => rig.createKey()));
    const accounts = createAccounts({ db: elsewhere.db, now: () => rig.time.directory });
    await Promise.all(
      keys.map(async ({ key, id }, index) => {
        const asking = (async () => {
          for (let time = 0; time < 10; time += 1) {
            await ask(key);
            await delay(index % 4);
          }
        })();
        await accounts.revokeKey(id);
        await asking;
      }),
    );
    for (const { key } of keys) await expect.poll(() => ask(key)).toBe('revoked');
  });

  it('are taken up again when the list was cut by a restored database', async () => {
    const { key, id } = await rig.createKey();
    expect(await ask(key)).toBe('active');
    await restore(elsewhere.db, id);
    await expect.poll(() => ask(key)).toBe('revoked');
  });

  it('are taken up again when the numbers begin another history, though the list is as long as before', async () => {
    const { key, id } = await rig.createKey();
    expect(await ask(key)).toBe('active');
    await transact(elsewhere.db, async (trx) => {
      await trx.updateTable('api_key').set({ revoked_at: new Date() }).where('id', '=', id).execute();
      await renewHistory(trx);
    });
    await expect.poll(() => ask(key)).toBe('revoked');
  });

  it('are taken up also where their entries were deleted for their age, before this process had seen them', async () => {
    const { key, id, subscriptionId } = await rig.createKey();
    expect(await ask(key)).toBe('active');
    await transact(elsewhere.db, async (trx) => {
      await trx.updateTable('api_key').set({ revoked_at: new Date() }).where('id', '=', id).execute();
      const other = { subscription_id: crypto.randomUUID() };
      const { first } = await appendToList(trx, 'access_change', [{ subscription_id: subscriptionId }, other], new Date());
      await trx.deleteFrom('access_change').where('seq', '<=', String(first)).execute();
      await trx
        .insertInto('clean_up')
        .values({ name: 'access_change', position: String(first) })
        .execute();
    });
    await expect.poll(() => ask(key)).toBe('revoked');
    await elsewhere.db.deleteFrom('clean_up').execute();
  });

  it('are taken up from the new end, also when the list is cut just after it was read', async () => {
    const own = await openGateRig();
    onTestFinished(() => own.dispose());
    const { id } = await own.createKey();
    const afterHead = [() => own.createKey(), () => restore(own.testStore.store.db, id)];
    const interrupted = own.testStore.store.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        const tellsHead = 'seq' in ((result.rows[0] as object | undefined) ?? {});
        if (tellsHead) await afterHead.shift()?.();
        return result;
      },
    });
    const { db, asked } = countQueries(interrupted);
    const gate = await own.openAnother({ db, pollEveryMs: 20 });
    await expect.poll(() => afterHead.length).toBe(0);
    const { key } = await own.createKey('enterprise');
    const questions = async () => {
      const before = asked();
      expect(outcome(await gate.admit(key, ADDRESS))).toBe('active');
      return asked() - before;
    };
    await expect.poll(questions).toBe(0);
  });
});

/** The list starts over, as when a backup is put in the place of the database; in it the key is revoked. */
function restore(db: Kysely<Database>, revokedId: string): Promise<void> {
  return db.transaction().execute(async (trx) => {
    await trx.updateTable('api_key').set({ revoked_at: new Date() }).where('id', '=', revokedId).execute();
    await trx.deleteFrom('access_change').execute();
    await trx.updateTable('list_head').set({ seq: 0 }).where('list', '=', 'access_change').execute();
  });
}

describe('after a start', () => {
  it('keys that were in use before are known, with what they used of the day, and are revoked like others', async () => {
    const used = await rig.createKey();
    const unused = await rig.createKey();
    expect([await ask(used.key), await ask(used.key)]).toEqual(['active', 'active']);
    await rig.gate.flush();
    const { db, asked } = countQueries(rig.testStore.store.db);
    const started = await rig.openAnother({ db, pollEveryMs: 20 });
    const questionsOf = async (key: string) => {
      const before = asked();
      const verdict = await started.admit(key, ADDRESS);
      return { asked: asked() - before, usedToday: verdict.ok ? verdict.allowance.day.used : verdict.reason };
    };
    let usedToday = 2;
    await expect
      .poll(async () => {
        // The first look at the list may be under way and ask, too.
        const answer = await questionsOf(used.key);
        usedToday += 1;
        expect(answer.usedToday).toBe(usedToday);
        return answer.asked;
      })
      .toBe(0);
    const first = await questionsOf(unused.key);
    expect(first.usedToday).toBe(1);
    // A look at the list may ask meanwhile.
    expect(first.asked).toBeGreaterThanOrEqual(1);

    const following = await rig.openAnother();
    expect(outcome(await following.admit(used.key, ADDRESS))).toBe('active');
    await rig.accounts.revokeKey(used.id);
    await expect.poll(async () => outcome(await following.admit(used.key, ADDRESS))).toBe('revoked');
  });
});

describe('while the store is out of reach', () => {
  it('known keys are believed for 5 minutes, others are told that the service is unavailable', async () => {
    const { key } = await rig.createKey('growth');
    const other = await rig.createKey();
    expect(await ask(key)).toBe('active');
    rig.faults.error = connectionRefused();
    await expect.poll(() => rig.log.join('')).toContain('database unreachable');
    for (const age of [4_000, 60_000, 200_000]) {
      rig.pass(age);
      expect(await ask(key)).toBe('active');
    }
    expect(await ask(other.key)).toBe('unavailable');
    expect(await ask(generateKey().key)).toBe('unavailable');
    expect(await ask('nonsense')).toBe('invalid');
    rig.pass(36_001);
    expect(await ask(key)).toBe('unavailable');
    rig.faults.error = null;
    expect(await ask(key)).toBe('active');
    expect(await ask(other.key)).toBe('active');
    expect(rig.log.join('')).not.toContain(key.slice(21, 64));
  });

  it('known keys are believed also where the list began another history a moment before', async () => {
    const { key, id } = await rig.createKey();
    expect(await ask(key)).toBe('active');
    await transact(rig.testStore.store.db, renewHistory);
    // Nobody is asked for the first key until the history is known to be another one.
    const later = await rig.createKey();
    expect(await ask(later.key)).toBe('active');
    rig.faults.error = connectionRefused();
    expect(await ask(key)).toBe('active');
    rig.pass(300_001);
    expect(await ask(key)).toBe('unavailable');
    rig.faults.error = null;
    await rig.accounts.revokeKey(id);
    await expect.poll(() => ask(key)).toBe('revoked');
    rig.faults.error = connectionRefused();
    expect(await ask(key)).toBe('revoked');
  });

  it('a key is not believed that was changed after the list began another history, and was not read since', async () => {
    const [{ key, id }, other] = [await rig.createKey(), await rig.createKey()];
    expect([await ask(key), await ask(other.key)]).toEqual(['active', 'active']);
    // What was changed before is known when a key is that was made later.
    const followed = async () => expect(await ask((await rig.createKey()).key)).toBe('active');
    await transact(rig.testStore.store.db, renewHistory);
    await followed();
    await rig.accounts.revokeKey(id);
    await followed();
    rig.faults.error = connectionRefused();
    expect([await ask(key), await ask(other.key)]).toEqual(['unavailable', 'active']);
    rig.faults.error = null;
    await expect.poll(() => ask(key)).toBe('revoked');
  });

  it('a trial and a grace end all the same', async () => {
    await rig.accounts.createAccount({ email: 'trial@example.org' });
    const trial = await rig.accounts.createKey({ email: 'trial@example.org' });
    const old = await rig.createKey();
    await rig.accounts.rotateKey(old.id, '1h');
    if (!trial.ok) throw new Error(trial.detail);
    expect([await ask(trial.key), await ask(old.key)]).toEqual(['active', 'active']);
    rig.faults.error = connectionRefused();
    rig.time.directory += 3_600_000;
    expect([await ask(trial.key), await ask(old.key)]).toEqual(['active', 'expired']);
    rig.time.directory += 7 * 86_400_000;
    expect(await ask(trial.key)).toBe('trial_expired');
  });

  const missingTable = Object.assign(new Error('relation "access_change" does not exist'), { code: '42P01' });
  const missingRight = new StoreError(
    'database_right_missing',
    { database: 'here', reason: 'permission denied' },
    Object.assign(new Error('permission denied'), { code: '42501' }),
  );
  it.each([missingTable, missingRight])('a store that answers, but with errors, is not out of reach: %s', async (error) => {
    const { key } = await rig.createKey();
    expect(await ask(key)).toBe('active');
    rig.faults.error = error;
    await expect.poll(() => rig.log.join('')).toContain('database unreachable');
    rig.pass(4_999);
    expect(await ask(key)).toBe('active');
    rig.pass(2);
    expect(await ask(key)).toBe('unavailable');
  });

  it('a store that hangs counts as one out of reach', async () => {
    const { key } = await rig.createKey();
    const other = await rig.createKey();
    expect(await ask(key)).toBe('active');
    const held = Promise.withResolvers<void>();
    rig.faults.hold = held.promise;
    await expect.poll(() => rig.log.join('')).toContain('no answer within');
    rig.pass(100_000);
    expect(await ask(key)).toBe('active');
    // Only now: a question waits no longer than the follower did.
    const waiting = ask(other.key);
    rig.faults.hold = null;
    held.resolve();
    expect(await waiting).toBe('active');
  });

  it('the gate refuses to open', async () => {
    rig.faults.error = connectionRefused();
    await expect(rig.openAnother()).rejects.toThrow('ECONNREFUSED');
  });
});
