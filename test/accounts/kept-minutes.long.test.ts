import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLimiter, type Gate, type LimitDecision } from '../../src/accounts/index.ts';
import { openStore } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { eventually } from '../support/processes/child-process.ts';
import { connectionRefused, type GateRig, openGateRig, outcome } from '../support/rigs/gate.ts';
import { ask as askService, keysIn, startService } from '../support/rigs/service.ts';

const ADDRESS = '203.0.113.7';

let rig: GateRig;
beforeAll(async () => {
  rig = await openGateRig({ flushEveryMs: 3_600_000 });
});
afterAll(() => rig.dispose());
beforeEach(() => rig.pass(61_000));

/** A process of its own: its monotonic clock begins anywhere. */
const open = (origin: number) => rig.openAnother({ monotonic: () => rig.time.monotonic + origin });
const askTimes = async (gate: Gate, key: string, times: number) => {
  const outcomes: string[] = [];
  for (let request = 0; request < times; request += 1) outcomes.push(outcome(await gate.admit(key, ADDRESS)));
  return outcomes.filter((word) => word === 'active').length;
};
const usedOf = async (gate: Gate, key: string) => {
  const verdict = await gate.inspect(key, ADDRESS);
  return verdict.ok ? verdict.allowance.minute : null;
};

describe('the rolling minute of a process that ends in order', () => {
  it('goes on in the next one, to the second', async () => {
    const { key } = await rig.createKey();
    const first = await open(5_000_000);
    expect(await askTimes(first, key, 20)).toBe(20);
    rig.pass(10_000);
    expect(await askTimes(first, key, 30)).toBe(30);
    rig.pass(5_000);
    await first.close();
    rig.pass(7_000);
    const second = await open(-40_000);
    expect(await usedOf(second, key)).toMatchObject({ used: 50, freesInSeconds: 39 });
    expect(await askTimes(second, key, 20)).toBe(10);
    expect(await second.admit(key, ADDRESS)).toMatchObject({ ok: false, reason: 'minute', retryAfterSeconds: 39 });
    rig.pass(39_000);
    expect(await askTimes(second, key, 30)).toBe(20);
  });

  it('adds up what several left, in each process that begins, and nothing is handed on twice', async () => {
    const { key } = await rig.createKey();
    const before = await Promise.all([open(1), open(2)]);
    expect([await askTimes(before[0], key, 11), await askTimes(before[1], key, 13)]).toEqual([11, 13]);
    await Promise.all(before.map((gate) => gate.close()));
    const after = await Promise.all([open(3), open(4)]);
    expect(await Promise.all(after.map(async (gate) => (await usedOf(gate, key))?.used))).toEqual([24, 24]);
    expect(await Promise.all(after.map((gate) => askTimes(gate, key, 1)))).toEqual([1, 1]);
    await Promise.all(after.map((gate) => gate.close()));
    expect((await usedOf(await open(5), key))?.used).toBe(26);
  });

  it('is there up to the last write when the process is killed, also while others live', async () => {
    const { key, subscriptionId } = await rig.createKey();
    // Neither is ever closed in order.
    const killed = await rig.openAnother({ flushEveryMs: 5 });
    const living = await rig.openAnother({ flushEveryMs: 5 });
    const written = async () => {
      const { db } = rig.testStore.store;
      const rows = await db.selectFrom('request_minute').select('ages').where('subscription_id', '=', subscriptionId).execute();
      return rows.reduce((sum, { ages }) => sum + ages.length / 4, 0);
    };
    expect([await askTimes(killed, key, 7), await askTimes(living, key, 5)]).toEqual([7, 5]);
    rig.pass(1);
    await expect.poll(written).toBe(12);
    expect(await askTimes(killed, key, 3)).toBe(3);
    rig.pass(1);
    await expect.poll(written).toBe(15);
    const next = await open(9);
    expect(await usedOf(next, key)).toMatchObject({ used: 15 });
    expect(await askTimes(next, key, 60)).toBe(45);
    await Promise.all([killed.close(), living.close()]);
    expect(await written()).toBe(15);
  });

  it('is over after a minute, also if nobody began meanwhile', async () => {
    const { key } = await rig.createKey();
    const first = await open(0);
    expect(await askTimes(first, key, 60)).toBe(60);
    await first.close();
    rig.pass(60_002);
    const second = await open(0);
    expect(await usedOf(second, key)).toMatchObject({ used: 0 });
  });

  it('frees no request early when the wall clock is set back between the two', async () => {
    const { key } = await rig.createKey();
    const first = await open(0);
    expect(await askTimes(first, key, 60)).toBe(60);
    rig.pass(20_000);
    await first.close();
    rig.time.limits -= 7_200_000;
    const second = await open(0);
    expect(await usedOf(second, key)).toMatchObject({ used: 60, freesInSeconds: 40 });
  });

  it('is lost when the store does not answer, and the process ends all the same', async () => {
    const { key } = await rig.createKey();
    const first = await open(0);
    expect(await askTimes(first, key, 3)).toBe(3);
    await first.flush();
    rig.faults.error = connectionRefused();
    await first.close();
    rig.faults.error = null;
    expect(rig.log.join('')).toContain('cannot hand over the requests');
    const second = await open(0);
    expect(await usedOf(second, key)).toMatchObject({ used: 0 });
  });

  it('gains no request, whenever it restarts (twin)', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(40_000) }),
      fc.record({ kind: fc.constant('ask' as const), times: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ kind: fc.constant('restart' as const), downMs: fc.nat(70_000) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let now = 1_000_000;
        let origin = 0;
        const begin = () => createLimiter({ monotonic: () => now - origin, wall: () => 1_800_000_000_000 + now });
        const twin = createLimiter({ monotonic: () => now, wall: () => 1_800_000_000_000 + now });
        let limiter = begin();
        for (const action of steps) {
          if (action.kind === 'pass') now += action.ms;
          if (action.kind === 'restart') {
            const minutes = limiter.minutes?.() ?? [];
            now += action.downMs;
            origin = now;
            limiter = begin();
            const older = minutes.map(({ subscriptionId, agesUs }) => ({
              subscriptionId,
              agesUs: agesUs.map((age) => age + action.downMs * 1_000).filter((age) => age < 60_000_000),
            }));
            limiter.continueMinutes?.(older);
          }
          for (let time = 0; action.kind === 'ask' && time < action.times; time += 1) {
            const decisions = [limiter, twin].map((one) => one.decide('s', 'starter') as LimitDecision);
            const [mine, expected] = decisions.map(({ ok, allowance }) => ({ ok, minute: allowance.minute }));
            expect(mine).toEqual(expected);
          }
        }
      }),
    );
  });
});

describe('a service that is restarted', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)('by %s still refuses a key that has spent its minute', async (signal) => {
    const { folder, remove } = await copyDemoFolder();
    const env = { MARQUEE_DATA_DIR: folder };
    const { starter } = keysIn(folder);
    const first = await startService(['start'], env);
    const begun = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await askService(first, '/events', starter)).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    // Written at least once a second.
    if (signal === 'SIGKILL') await eventually(async () => (await writtenMinutes(folder)) === 60);
    await first.stop(signal);
    const second = await startService(['start'], env);
    const { status, headers } = await askService(second, '/events', starter);
    // On a very slow machine the minute is over before the second one listens.
    if (performance.now() - begun < 55_000)
      expect({ status, waits: Number(headers.get('Retry-After')) > 0 }).toEqual({ status: 429, waits: true });
    await second.stop();
    remove();
  });
});

/** How many requests of the last minute another process would find. */
async function writtenMinutes(dataDir: string): Promise<number> {
  const store = await openStore({ dataDir });
  const rows = await store.db.selectFrom('request_minute').select('ages').execute();
  await store.close();
  return rows.reduce((sum, { ages }) => sum + ages.length / 4, 0);
}
