import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createRecentUsage } from '../../src/accounts/access/recent-usage.ts';
import type { Gate } from '../../src/accounts/index.ts';
import { connectionRefused, type GateRig, NOON, openGateRig } from '../support/rigs/gate.ts';

const ADDRESS = '203.0.113.7';
const NEVER_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let rig: GateRig;
let gate: Gate;
beforeAll(async () => {
  rig = await openGateRig({ flushEveryMs: NEVER_MS, pollEveryMs: NEVER_MS });
});
afterAll(() => rig.dispose());
beforeEach(async () => {
  rig.time.directory = NOON;
  rig.time.limits = NOON;
  gate = await rig.openAnother();
});

async function ask(through: Gate, key: string, times: number) {
  const verdicts = [];
  for (let time = 0; time < times; time += 1) verdicts.push(await through.admit(key, ADDRESS));
  return verdicts;
}

async function usedToday(through: Gate, key: string) {
  const verdict = await through.inspect(key, ADDRESS);
  return verdict.ok ? verdict.allowance.day.used : verdict.reason;
}

const written = async (subscriptionId: string) => {
  const rows = await rig.testStore.store.db
    .selectFrom('usage_day')
    .select(['day', 'requests'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('day')
    .execute();
  return rows.map(({ day, requests }) => [day, Number(requests)]);
};

describe('the count of a day', () => {
  it('survives a restart', async () => {
    const { key } = await rig.createKey();
    await ask(gate, key, 25);
    await gate.close();
    const next = await rig.openAnother();
    expect(await usedToday(next, key)).toBe(25);
    await ask(next, key, 5);
    expect(await usedToday(next, key)).toBe(30);
  });

  it('loses to a crash only what was not written yet, and never what was', async () => {
    const { key } = await rig.createKey();
    await ask(gate, key, 25);
    await gate.flush();
    await ask(gate, key, 5);
    rig.faults.error = connectionRefused();
    await gate.close();
    rig.faults.error = null;
    expect(await usedToday(await rig.openAnother(), key)).toBe(25);
  });

  it('is written by itself within the time set', async () => {
    const quick = await rig.openAnother({ flushEveryMs: 20 });
    const { key, subscriptionId } = await rig.createKey();
    await ask(quick, key, 3);
    await expect.poll(() => written(subscriptionId)).toEqual([['2026-11-21', 3]]);
  });

  it('is kept for the next attempt when it cannot be written, and written once', async () => {
    const { key, subscriptionId } = await rig.createKey();
    await ask(gate, key, 10);
    rig.faults.error = connectionRefused();
    await expect(gate.flush()).rejects.toThrow('ECONNREFUSED');
    await ask(gate, key, 5);
    await expect(gate.flush()).rejects.toThrow('ECONNREFUSED');
    rig.faults.error = null;
    await Promise.all([gate.flush(), gate.flush(), gate.flush()]);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 15]]);
  });

  it('is written over another connection when one has gone silent, and once when that one speaks after all', async () => {
    const { key, subscriptionId } = await rig.createKey();
    await ask(gate, key, 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.faults.hold = promise;
    await expect(gate.flush()).rejects.toThrow('no answer within 3000 ms');
    rig.faults.hold = null;
    await ask(gate, key, 5);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 15]]);
    resolve();
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 15]]);
  });

  it('is whole after every flush that succeeds, however the ones before it failed', async () => {
    const { key, subscriptionId } = await rig.createKey();
    for (const fault of ['error', 'deaf', 'deaf', 'error'] as const) {
      await ask(gate, key, 1);
      if (fault === 'error') rig.faults.error = connectionRefused();
      rig.faults.deaf = fault === 'deaf';
      await expect(gate.flush()).rejects.toThrow('ECONNREFUSED');
      rig.faults.error = null;
      rig.faults.deaf = false;
    }
    await ask(gate, key, 1);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 5]]);
  });

  it('is corrected when requests are given back, before they were written and after', async () => {
    const { key, subscriptionId } = await rig.createKey();
    const verdicts = await ask(gate, key, 4);
    const giveBack = (index: number) => {
      const verdict = verdicts[index]!;
      if (verdict.ok) verdict.recordOutcome('', 500);
    };
    giveBack(0);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 3]]);
    giveBack(1);
    giveBack(2);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([['2026-11-21', 1]]);
    expect(await usedToday(gate, key)).toBe(1);
  });

  it('keeps days apart over midnight', async () => {
    const { key, subscriptionId } = await rig.createKey();
    rig.pass(DAY_MS / 2 - 1);
    const [late] = await ask(gate, key, 2);
    rig.pass(1);
    await ask(gate, key, 3);
    if (late?.ok) late.recordOutcome('', 500);
    await gate.flush();
    expect(await written(subscriptionId)).toEqual([
      ['2026-11-21', 1],
      ['2026-11-22', 3],
    ]);
  });

  it('adds up what several gates write', async () => {
    const other = await rig.openAnother();
    const keys = await Promise.all(Array.from({ length: 10 }, () => rig.createKey('growth')));
    for (const { key } of keys) {
      await ask(gate, key, 3);
      await ask(other, key, 4);
    }
    await Promise.all([gate.flush(), other.flush()]);
    for (const { subscriptionId } of keys) expect(await written(subscriptionId)).toEqual([['2026-11-21', 7]]);
  });
});

describe('the report of usage', () => {
  it('shows the allowance and the days with requests, newest last, the current minute included', async () => {
    const { key, subscriptionId } = await rig.createKey();
    const day = (back: number) => new Date(NOON - back * DAY_MS).toISOString().slice(0, 10);
    await rig.testStore.store.db
      .insertInto('usage_day')
      .values([1, 5, 89, 90, 200].map((back) => ({ subscription_id: subscriptionId, day: day(back), requests: back })))
      .execute();
    const [verdict] = await ask(gate, key, 1);
    if (!verdict?.ok) throw new Error('refused');
    await ask(gate, key, 2);
    const report = (await gate.usage(verdict.caller)) ?? expect.fail('the store is there');
    expect(report.allowance).toMatchObject({ tier: 'starter', day: { used: 3, remaining: 997 }, minute: { used: 3 } });
    expect(report.days).toEqual([
      { date: day(89), requests: 89 },
      { date: day(5), requests: 5 },
      { date: day(1), requests: 1 },
      { date: day(0), requests: 3 },
    ]);
  });

  it('leaves out days without requests', async () => {
    const { key } = await rig.createKey();
    const verdict = await gate.inspect(key, ADDRESS);
    if (!verdict.ok) throw new Error('refused');
    expect((await gate.usage(verdict.caller))?.days).toEqual([]);
  });
});

describe('the report of usage while the database is away', () => {
  const YESTERDAY = { date: '2026-11-20', requests: 7 };

  async function createUsedKey() {
    const made = await rig.createKey();
    await rig.testStore.store.db
      .insertInto('usage_day')
      .values({ subscription_id: made.subscriptionId, day: YESTERDAY.date, requests: YESTERDAY.requests })
      .execute();
    return made;
  }

  const callerOf = async (key: string) => {
    const verdict = await gate.inspect(key, ADDRESS);
    if (!verdict.ok) throw new Error('refused');
    return verdict.caller;
  };

  /** What was asked of the database is answered. */
  const quiet = () => expect.poll(() => rig.faults.unanswered).toBe(0);

  beforeEach(async () => {
    // The gates of other tests ask by their own clocks.
    await rig.closeOthers();
    rig.faults.unanswered = 0;
    gate = await rig.openAnother();
  });
  afterEach(() => {
    rig.faults.error = null;
  });

  it('is whole for a key that was used and has never asked for it', async () => {
    const { key } = await createUsedKey();
    await ask(gate, key, 2);
    await quiet();
    rig.faults.error = connectionRefused();
    expect((await gate.usage(await callerOf(key)))?.days).toEqual([YESTERDAY, { date: '2026-11-21', requests: 2 }]);
  });

  it('waits for a database that restarts, if the days are not known', async () => {
    const { key } = await createUsedKey();
    const caller = await callerOf(key);
    rig.faults.error = connectionRefused();
    const asked = gate.usage(caller);
    await delay(300);
    rig.faults.error = null;
    expect((await asked)?.days).toEqual([YESTERDAY]);
  });

  it('is no part of the days as if they were all: it is refused after a moment', async () => {
    const { key } = await createUsedKey();
    const caller = await callerOf(key);
    rig.faults.error = connectionRefused();
    expect(await gate.usage(caller)).toBeNull();
  });

  it('lacks no day after midnight: it is refused until the day that has ended was read, which the next use does', async () => {
    const { key } = await createUsedKey();
    await ask(gate, key, 2);
    await gate.flush();
    await quiet();
    rig.time.limits += DAY_MS / 2 + MINUTE_MS;
    rig.time.monotonic += MINUTE_MS;
    rig.faults.error = connectionRefused();
    expect(await gate.usage(await callerOf(key))).toBeNull();
    rig.faults.error = null;
    await ask(gate, key, 1);
    await quiet();
    rig.faults.error = connectionRefused();
    expect((await gate.usage(await callerOf(key)))?.days).toEqual([
      YESTERDAY,
      { date: '2026-11-21', requests: 2 },
      { date: '2026-11-22', requests: 1 },
    ]);
  });
});

test('the report of usage waits for none of what is read in the background', async () => {
  const asked: (readonly string[])[] = [];
  const read = (ids: readonly string[]) => {
    asked.push(ids);
    return asked.length === 1 ? Promise.withResolvers<never>().promise : Promise.resolve([]);
  };
  const counters = { peek: () => Promise.reject(new Error('asked for today')) };
  const usage = createRecentUsage({ flush: async () => {}, read }, counters, () => NOON);
  usage.remember('used');
  const report = usage.report({ accountId: '', keyId: '', subscriptionId: 'asks', tier: 'starter', isTest: false } as never);
  await expect(report).rejects.toThrow('asked for today');
  expect(asked).toEqual([['used'], ['asks']]);
});

describe('the last use of a key', () => {
  it('is noted with the next flush, and at most once a minute', async () => {
    const { key, email } = await rig.createKey();
    const lastUsed = async () => {
      const listed = await rig.accounts.listKeys(email);
      return listed.ok ? listed.keys[0]?.lastUsedAt?.getTime() : null;
    };
    await ask(gate, key, 1);
    await gate.flush();
    expect(await lastUsed()).toBe(NOON);
    rig.pass(3_000);
    await ask(gate, key, 1);
    await gate.flush();
    expect(await lastUsed()).toBe(NOON);
    rig.pass(60_000);
    await ask(gate, key, 1);
    await gate.flush();
    expect(await lastUsed()).toBe(NOON + 63_000);
  });
});
