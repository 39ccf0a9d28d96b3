import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Allowance } from '../../src/accounts/index.ts';
import { type GateRig, openGateRig } from '../support/rigs/gate.ts';

let rig: GateRig;
beforeAll(async () => {
  rig = await openGateRig();
});
afterAll(() => rig.dispose());

const ask = async (key: string, times = 1) => {
  for (let time = 0; time < times; time += 1) await rig.gate.admit(key, '203.0.113.7');
};

it('who watches is told at once, then of every change, and of nothing when nothing changes', async () => {
  const { key, subscriptionId } = await rig.createKey();
  await ask(key, 2);
  const told: Allowance[] = [];
  const last = () => told.at(-1);
  const end = rig.gate.watch(subscriptionId, (allowance) => void told.push(allowance));
  await expect.poll(() => told.length).toBe(1);
  expect(last()).toMatchObject({ tier: 'starter', day: { used: 2 }, minute: { used: 2 } });
  await ask(key, 30);
  await expect.poll(last).toMatchObject({ day: { used: 32 }, minute: { used: 32, remaining: 28 } });
  // Not of each request.
  expect(told.length).toBeLessThan(20);
  const before = told.length;
  // The minute empties without a request.
  rig.pass(60_000);
  await expect.poll(last).toMatchObject({ day: { used: 32 }, minute: { used: 0 } });
  await rig.operator.setTier(subscriptionId, 'growth');
  await expect.poll(last).toMatchObject({ tier: 'growth', day: { limit: 10_000, used: 32 } });
  expect(told.length).toBe(before + 2);
  end();
  await ask(key);
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(told.length).toBe(before + 2);
});

it('who watches is told of requests while the store is away, whether it fails or does not answer', async () => {
  const { key, subscriptionId } = await rig.createKey('growth');
  const told: Allowance[] = [];
  const end = rig.gate.watch(subscriptionId, (allowance) => void told.push(allowance));
  await expect.poll(() => told.length).toBe(1);
  await ask(key, 2);
  await expect.poll(() => told.at(-1)).toMatchObject({ day: { used: 2 } });
  rig.faults.error = new Error('the store is away');
  await ask(key, 3);
  await expect.poll(() => told.at(-1)).toMatchObject({ day: { used: 5 } });
  rig.faults.error = null;
  const { promise, resolve } = Promise.withResolvers<void>();
  rig.faults.hold = promise;
  await ask(key, 3);
  await expect.poll(() => told.at(-1)).toMatchObject({ day: { used: 8 } });
  await ask(key, 1);
  await expect.poll(() => told.at(-1)).toMatchObject({ day: { used: 9 } });
  rig.faults.hold = null;
  resolve();
  end();
});

it('what is told is what the headers say, to each who watches', async () => {
  const { key, subscriptionId } = await rig.createKey('growth');
  const told: [Allowance[], Allowance[]] = [[], []];
  const ends = told.map((list) => rig.gate.watch(subscriptionId, (allowance) => void list.push(allowance)));
  await ask(key, 5);
  const verdict = await rig.gate.inspect(key, '203.0.113.7');
  for (const list of told) await expect.poll(() => list.at(-1)).toEqual(verdict.ok && verdict.allowance);
  for (const end of ends) end();
});

it('a subscription that does not exist tells nothing', async () => {
  const told: Allowance[] = [];
  const id = '01900000-0000-7000-8000-00000000ffff';
  const end = rig.gate.watch(id, (allowance) => void told.push(allowance));
  expect((await rig.gate.allowancesOf([id])).size).toBe(0);
  end();
  expect(told).toEqual([]);
});
