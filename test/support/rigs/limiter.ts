/** A limiter on clocks that stand until moved. */

import { createLimiter, type LimitDecision, type TierName } from '../../../src/accounts/index.ts';

export const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

export function setUpLimiter(wall = NOON) {
  const time = { monotonic: 0, wall };
  const limiter = createLimiter({ monotonic: () => time.monotonic, wall: () => time.wall });
  return {
    time,
    limiter,
    pass(ms: number) {
      time.monotonic += ms;
      time.wall += ms;
    },
    ask: (tier: TierName = 'starter', subscription = 's') => limiter.decide(subscription, tier) as LimitDecision,
    askTimes(times: number, tier: TierName = 'starter') {
      return Array.from({ length: times }, () => limiter.decide('s', tier) as LimitDecision);
    },
    peek: (tier: TierName = 'starter') => limiter.peek('s', tier) as LimitDecision['allowance'],
    restore: (requests: number) => void limiter.restore('s', Math.floor(time.wall / DAY_MS), requests),
  };
}
