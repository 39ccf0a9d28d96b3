/** What `scripts/decide.lua` and `scripts/compare.lua` answer. */

import type { LimitCounts } from '../limit-decision.ts';

export interface ScriptReply extends LimitCounts {
  /** `unknown`: Redis has nothing of the day, and was not told. */
  status: 'refused' | 'admitted' | 'unknown';
  minuteWaitUs: number;
  dayWaitUs: number;
  /** Redis's time, µs: of an admission its own, which no other one of the subscription has. */
  now: number;
  birth: number;
}

/** `place`: of the decision among those of one call, from 0. */
export function readReply(numbers: readonly number[], place = 0): ScriptReply {
  const at = place * NUMBERS;
  const number = (index: number): number => numbers[at + index] ?? 0;
  return {
    status: STATUSES[number(0)] ?? 'refused',
    usedOfDay: number(1),
    usedOfMinute: number(2),
    freesInUs: number(3),
    minuteWaitUs: number(4),
    dayWaitUs: number(5),
    now: number(6),
    day: number(7),
    birth: number(8),
  };
}

const STATUSES = ['refused', 'admitted', 'unknown'] as const;
/** Of one decision. */
const NUMBERS = 9;
