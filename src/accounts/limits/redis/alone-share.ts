/**
 * What one process may admit while Redis is out of reach, so that all processes together stay within the limit.
 *
 * The minute: of the requests that filled it, each process had some. It may go on with as many as it had, and with its share of what
 * was left. Together that is the limit. After a minute all requests are of this time, and each process has an equal share:
 *
 *   end of sharing ──60 s──► the smaller of both ──60 s──► limit / processes
 *
 * In the middle minute others may still hold requests of a larger share, so nobody takes more yet.
 */

import { DAY_MS } from '../../../values/duration.ts';
import { TIERS, type TierName } from '../../tiers.ts';
import type { LimitDecision } from '../counters.ts';
import { toAllowance, toRefusal } from '../limit-decision.ts';
import { MINUTE_US, type RollingMinute } from '../rolling-minute.ts';

export interface AloneShare {
  /** Redis's time when the sharing ended, µs. */
  since: number;
  /** Requests of this process in the minute then. */
  hadInMinute: number;
  /** Requests of all processes in the minute then. */
  usedOfMinute: number;
  /** UTC, days since 1970. */
  day: number;
  /** Of that day, by all processes. */
  usedBefore: number;
  /** Of that day, by this process since. */
  taken: number;
}

export interface AloneMoment {
  /** Which of them this one is: tells its times from those of the others. */
  place: number;
  /** Redis's time, µs. */
  now: number;
  /** The limits' time, ms. */
  wall: number;
  processes: number;
}

/** Counts a request in `own` and `share`, or refuses it. */
export function decideAlone(own: RollingMinute, share: AloneShare, tier: TierName, moment: AloneMoment): LimitDecision {
  const now = own.advance(moment.now);
  turnDay(share, moment.wall);
  const quota = minuteQuota(share, TIERS[tier].perMinute, { now, processes: moment.processes });
  const left = dayLeft(share, TIERS[tier].perDay, moment.processes);
  const minuteUs = quota > 0 ? own.waitFor(quota, now) : Math.max(US_PER_SECOND, share.since + 2 * MINUTE_US - now);
  const allowance = (): ReturnType<typeof toAllowance> => describe(own, share, tier, { now, quota, processes: moment.processes });
  if (minuteUs > 0 || left <= 0) {
    const dayUs = left > 0 ? 0 : ((share.day + 1) * DAY_MS - moment.wall) * US_PER_MS;
    return toRefusal(allowance(), { minuteUs, dayUs });
  }
  const at = (Math.floor(now / STEP_US) + 1) * STEP_US + (moment.place % STEP_US);
  own.add(own.advance(at));
  share.taken += 1;
  return {
    ok: true,
    allowance: allowance(),
    admission: { at, day: share.day, hour: Math.floor(moment.wall / HOUR_MS) },
  };
}

/** The allowance alone; counts nothing. */
export function peekAlone(own: RollingMinute, share: AloneShare, tier: TierName, moment: AloneMoment) {
  const now = own.advance(moment.now);
  turnDay(share, moment.wall);
  const quota = minuteQuota(share, TIERS[tier].perMinute, { now, processes: moment.processes });
  return describe(own, share, tier, { now, quota, processes: moment.processes });
}

/** What is left is this process's share; the rest counts as used, because others may use it. */
function describe(
  own: RollingMinute,
  share: AloneShare,
  tier: TierName,
  { now, quota, processes }: { now: number; quota: number; processes: number },
) {
  const { perMinute, perDay } = TIERS[tier];
  return toAllowance(tier, {
    day: share.day,
    usedOfDay: perDay - Math.max(0, dayLeft(share, perDay, processes)),
    usedOfMinute: perMinute - Math.max(0, quota - own.count),
    freesInUs: own.freesIn(now),
  });
}

function minuteQuota(share: AloneShare, limit: number, { now, processes }: { now: number; processes: number }): number {
  const equal = Math.floor(limit / processes);
  const passed = now - share.since;
  if (passed >= 2 * MINUTE_US) return equal;
  const first = share.hadInMinute + Math.floor(Math.max(0, limit - share.usedOfMinute) / processes);
  return passed >= MINUTE_US ? Math.min(first, equal) : first;
}

const dayLeft = ({ usedBefore, taken }: AloneShare, limit: number, processes: number): number =>
  Math.floor(Math.max(0, limit - usedBefore) / processes) - taken;

/** A clock that is set back keeps the day. */
function turnDay(share: AloneShare, wall: number): void {
  const day = Math.floor(wall / DAY_MS);
  if (day > share.day) Object.assign(share, { day, usedBefore: 0, taken: 0 });
}

/** Two processes must not give an admission the same time: united, the two would be one. Times go up in steps, and each process has its own place in a step. */
const STEP_US = 256;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
const HOUR_MS = 3_600_000;
