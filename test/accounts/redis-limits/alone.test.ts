import { expect, it } from 'vitest';
import type { LimitDecision } from '../../../src/accounts/index.ts';
import { createRedisCounters } from '../../../src/accounts/limits/redis/redis-counters.ts';
import type { RedisLink } from '../../../src/accounts/limits/redis/redis-link.ts';

/** A process that Redis is out of reach of; `generation` says how often it was back for a moment. */
function openLonely({ place, now }: { place: number; now(): number }) {
  let generation = 1;
  const link: Partial<RedisLink> = {
    isShared: () => false,
    generation: () => generation,
    now,
    aloneSince: now,
    onReturn: () => undefined,
  };
  const processes = () => ({ count: 2, place });
  const counters = createRedisCounters({ link: link as RedisLink, readUse: async () => 0, processes, wall: Date.now });
  return {
    async admit(times: number): Promise<LimitDecision[]> {
      const decisions: LimitDecision[] = [];
      for (let n = 0; n < times; n += 1) decisions.push(await counters.decide('one', 'starter'));
      return decisions.filter(({ ok }) => ok);
    },
    comeBackForAMoment() {
      generation += 1;
    },
    close: counters.close,
  };
}

const realTime = () => Math.round(performance.now() * 1_000);

it('a Redis that comes back and is lost again, before it was told what was admitted, gives no second share', async () => {
  const { admit, comeBackForAMoment, close } = openLonely({ place: 0, now: realTime });
  expect(await admit(100)).toHaveLength(30);
  comeBackForAMoment();
  expect(await admit(100)).toHaveLength(0);
  close();
});

it('two processes that admit at the same instants give no two admissions one time', async () => {
  const both = [0, 1].map((place) => openLonely({ place, now: () => 1_000_000 }));
  const admitted = await Promise.all(both.map(({ admit }) => admit(30)));
  const times = admitted.flat().map((decision) => decision.ok && decision.admission.at);
  expect(times).toHaveLength(60);
  expect(new Set(times).size).toBe(60);
  for (const { close } of both) close();
});
