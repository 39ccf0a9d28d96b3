/** Decisions of one process while Redis is out of reach. */

import { DAY_MS } from '../../../values/duration.ts';
import type { TierName } from '../../tiers.ts';
import type { Allowance } from '../../verdict.ts';
import type { Admission, LimitDecision } from '../counters.ts';
import { type AloneMoment, decideAlone, peekAlone } from './alone-share.ts';
import type { Join } from './join-counts.ts';
import { countAt, type KnownCount, knownUse } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';

export interface AloneCounters {
  decide(count: KnownCount, tier: TierName): LimitDecision;
  peek(count: KnownCount, tier: TierName): Allowance;
  /** Takes an admission back that Redis was never told of; false if it was. */
  takeBack(count: KnownCount, admission: Admission): boolean;
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
    count.alone = {
      since: link.aloneSince(),
      hadInMinute: countAt(count, now.now),
      usedOfMinute: count.usedOfMinute,
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
      if (count.alone?.day === admission.day) count.alone.taken -= 1;
      return true;
    },
    decisions: () => decisions,
  };
}
