import { expect, test } from 'vitest';
import { applyDecisions, createDecisionJob, storeDecision } from '../../src/ingest/index.ts';
import { now } from '../support/records/bundle.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const { signal } = new AbortController();

test('decisions that cannot be applied are tried again later and later, and those that can at once', async () => {
  await two.sayTheSame();
  let at = 0;
  let tries = 0;
  let isBroken = true;
  const job = createDecisionJob({
    store: two.store,
    monotonic: () => at,
    async apply() {
      tries += 1;
      if (isBroken) throw new Error('it cannot be planned');
      await applyDecisions({ store: two.store, now });
    },
  });
  await job(signal);
  expect(tries).toBe(0);
  const [left, right] = [await two.recordId('p1'), await two.recordId('r1')];
  await storeDecision({ store: two.store, left, right, verdict: 'different', by: 'ann', now });
  await expect(job(signal)).rejects.toThrow('it cannot be planned');
  const triedAt: number[] = [];
  for (at = 0; at < 120_000; at += 1_000) {
    const before = tries;
    await job(signal).catch(() => undefined);
    if (tries > before) triedAt.push(at);
  }
  expect(triedAt).toEqual([15_000, 45_000, 105_000]);
  isBroken = false;
  at = 300_000;
  await job(signal);
  expect(await two.listed()).toHaveLength(2);
});
