/**
 * Decisions of one process while Redis is out of reach: what it may admit, so that all processes together stay within the limit.
 *
 * The minute: of the requests that filled it, each process had some. It may go on with as many as it had, and with its share of what
 * was left. Together that is the limit. After a minute all requests are of this time, and each process has an equal share:
 *
 *   end of sharing ──60 s──► the smaller of both ──60 s──► limit / processes
 *
 * In the middle minute others may still hold requests of a larger share, so nobody takes more yet.
 */

import { DAY_MS, HOUR_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import { toAllowance, toRefusal } from './allowances.ts';
import type { Admission, LimitDecision } from './counters.ts';
import { type AloneMoment, type AloneShare, beginDay, countAt, type Join, type KnownCount, knownUse } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';
import { MINUTE_US, type RollingMinute } from './rolling-minute.ts';

export interface AloneCounters {
  decide(count: KnownCount, tier: TierName): LimitDecision;
  peek(count: KnownCount, tier: TierName): Allowance;
  /** Takes an admission back that Redis was never told of; false if it was. */
  takeBack(count: KnownCount, admission: Admission): boolean;
  /** Redis has counted an admission after all. Gives the time that it had until now; null if it was taken back before. */
  passOn(admission: Admission, counted: Pick<Admission, 'at' | 'day'>): number | null;
  /** Since the start. */
  decisions(): number;
}

export function createAloneCounters(link: RedisLink, join: Join, moment: () => AloneMoment): AloneCounters {
  const madeHere = new WeakSet<Admission>();
  let decisions = 0;

  function shareOf(count: KnownCount, now: AloneMoment) {
    // Ends when Redis has been told of it: sharing that comes back and is lost again before that gives nothing new.
    if (count.alone) return count.alone;
    const day = Math.floor(now.wall / DAY_MS);
    const hadInMinute = countAt(count, now.now);
    const others = now.now - count.notedAt < MINUTE_US ? count.othersOfMinute : 0;
    count.alone = {
      // Of what Redis was never asked about, nothing is known: an equal share is all that is sure.
      since: count.generation === 0 ? now.now - 2 * MINUTE_US : link.aloneSince(),
      hadInMinute,
      usedOfMinute: hadInMinute + others,
      ...beginDay(day, knownUse(count, day)),
    };
    return count.alone;
  }

  return {
    decide(count, tier) {
      decisions += 1;
      count.refusal = null;
      const now = moment();
      const decision = decideAlone(count.own, shareOf(count, now), tier, now);
      if (!decision.ok) return decision;
      madeHere.add(decision.admission);
      join.noteAlone(count, tier);
      return decision;
    },
    peek(count, tier) {
      const now = moment();
      return peekAlone(count.own, shareOf(count, now), tier, now);
    },
    takeBack(count, admission) {
      if (!madeHere.has(admission) || !join.isUnmerged(count)) return false;
      madeHere.delete(admission);
      if (count.alone?.day === admission.day) noteOwn(count.alone, -1);
      return true;
    },
    passOn(admission, counted) {
      if (!madeHere.delete(admission)) return null;
      const { at } = admission;
      Object.assign(admission, counted);
      return at;
    },
    decisions: () => decisions,
  };
}

/** Counts a request in `own` and `share`, or refuses it. */
function decideAlone(own: RollingMinute, share: AloneShare, tier: TierName, moment: AloneMoment): LimitDecision {
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
  noteOwn(share, 1);
  return {
    ok: true,
    allowance: allowance(),
    admission: { at, day: share.day, hour: Math.floor(moment.wall / HOUR_MS) },
  };
}

/** The allowance alone; counts nothing. */
function peekAlone(own: RollingMinute, share: AloneShare, tier: TierName, moment: AloneMoment) {
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
  if (day > share.day) Object.assign(share, beginDay(day, 0));
}

function noteOwn(share: AloneShare, requests: 1 | -1): void {
  share.own += requests;
  share.taken += requests;
}

/** Two processes must not give an admission the same time: united, the two would be one. Times go up in steps, and each process has its own place in a step. */
const STEP_US = 256;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
