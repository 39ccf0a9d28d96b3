/** Decisions of one process while Redis is out of reach. */

import { DAY_MS } from '../../../values/duration.ts';
import type { TierName } from '../../tiers.ts';
import type { Allowance } from '../../verdict.ts';
import type { Admission, LimitDecision } from '../counters.ts';
import { MINUTE_US } from '../rolling-minute.ts';
import { type AloneMoment, decideAlone, peekAlone } from './alone-share.ts';
import type { Join } from './join-counts.ts';
import { countAt, type KnownCount, knownUse } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';

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
      day,
      usedBefore: knownUse(count, day),
      taken: 0,
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
      if (count.alone?.day === admission.day) count.alone.taken -= 1;
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
