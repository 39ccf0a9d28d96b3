/** What `scripts/decide.lua` answers. */

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

export function readReply(numbers: readonly number[]): ScriptReply {
  const [
    status = 0,
    usedOfDay = 0,
    usedOfMinute = 0,
    freesInUs = 0,
    minuteWaitUs = 0,
    dayWaitUs = 0,
    now = 0,
    day = 0,
    birth = 0,
  ] = numbers;
  return {
    status: STATUSES[status] ?? 'refused',
    ...{ usedOfDay, usedOfMinute, freesInUs, minuteWaitUs, dayWaitUs, now, day, birth },
  };
}

const STATUSES = ['refused', 'admitted', 'unknown'] as const;
