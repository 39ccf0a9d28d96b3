// One engine is enough: nothing here needs a database.
import { describe, expect, it } from 'vitest';
import { simulateRedis } from '../../../bench/redis-simulation.ts';
import { HAS_REDIS } from '../../support/rigs/redis.ts';

describe.skipIf(!HAS_REDIS)('limits over one Redis', () => {
  it('admit nothing over and nothing under the limit on hostile schedules of three processes', async () => {
    const { decisions, asked, ...result } = await simulateRedis({ processes: 3, decisions: 30_000, seed: 7 });
    expect(decisions).toBe(30_000);
    // The others were refusals that hold from memory.
    expect(asked).toBeGreaterThan(3_000);
    expect(result).toEqual({ admitted: expect.any(Number), over: 0, under: 0, dishonest: 0, alone: 0 });
    expect(result.admitted).toBeGreaterThan(1_000);
  });
});
