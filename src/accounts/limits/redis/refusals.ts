/** Refusals that Redis made, and that hold for a while without asking it again. */

import type { TierName } from '../../tiers.ts';
import type { Allowance } from '../../verdict.ts';
import type { LimitDecision } from '../counters.ts';
import { toRefusal } from '../limit-decision.ts';
import type { KnownCount } from './known-count.ts';
import type { ScriptReply } from './script-reply.ts';

interface Refused {
  tier: TierName;
  allowance: Allowance;
  reply: Pick<ScriptReply, 'minuteWaitUs' | 'dayWaitUs'>;
  /** Monotonic ms. */
  sentAt: number;
}

export function rememberRefusal(count: KnownCount, { tier, allowance, reply, sentAt }: Refused): LimitDecision {
  const { minuteWaitUs: minuteUs, dayWaitUs: dayUs } = reply;
  count.refusal = {
    ...{ tier, allowance },
    // Reckoned from before the question: asked too early is better than refused too long.
    until: sentAt + Math.min(Math.max(minuteUs, dayUs) / US_PER_MS, REMEMBERED_MS),
    minuteFreesAt: sentAt + minuteUs / US_PER_MS,
    dayFreesAt: sentAt + dayUs / US_PER_MS,
  };
  return toRefusal(allowance, { minuteUs, dayUs });
}

/** A refusal that still holds. */
export function recallRefusal({ refusal }: KnownCount, tier: TierName): LimitDecision | null {
  const now = performance.now();
  if (!refusal || refusal.tier !== tier || now >= refusal.until) return null;
  const waitUs = (at: number) => Math.max(0, (at - now) * US_PER_MS);
  return toRefusal(refusal.allowance, { minuteUs: waitUs(refusal.minuteFreesAt), dayUs: waitUs(refusal.dayFreesAt) });
}

/** A request may be given back in another process. */
const REMEMBERED_MS = 1_000;
const US_PER_MS = 1_000;
