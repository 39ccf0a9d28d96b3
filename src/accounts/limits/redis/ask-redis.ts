/** Decisions that Redis makes, and refusals that are known to hold without asking it. */

import type { TierName } from '../../tiers.ts';
import type { Allowance } from '../../verdict.ts';
import type { LimitDecision } from '../counters.ts';
import { toAllowance } from '../limit-decision.ts';
import type { AloneCounters } from './alone-counters.ts';
import type { Join } from './join-counts.ts';
import type { KnownCount } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';
import { recallRefusal, rememberRefusal } from './refusals.ts';
import type { ScriptReply } from './script-reply.ts';
import { createTurnDecisions } from './turn-decisions.ts';

export interface AskRedis {
  /** Decides alone if Redis does not answer in time. Never rejects. */
  decide(count: KnownCount, tier: TierName): Promise<LimitDecision>;
  /** Rejects if Redis does not answer in time. */
  look(count: KnownCount, tier: TierName): Promise<Allowance>;
  /** A refusal that still holds. */
  recall(count: KnownCount, tier: TierName): LimitDecision | null;
}

export interface AskRedisOptions {
  link: RedisLink;
  join: Join;
  alone: AloneCounters;
  /** How far the limits' clock is from real time. */
  shiftMs: number;
}

export function createAskRedis({ link, join, alone, shiftMs }: AskRedisOptions): AskRedis {
  const askInTurn = createTurnDecisions(link, shiftMs);

  function ask(count: KnownCount, tier: TierName): Promise<LimitDecision> {
    const sentAt = performance.now();
    let decided: LimitDecision | null = null;
    const late = (reply: ScriptReply) => {
      if (decided) settleLate(count, reply, decided);
    };
    return askInTurn(count, tier, late).then(
      (reply) => {
        if (reply.status !== 'unknown') return conclude(count, tier, reply, sentAt);
        count.isLost = true;
        return joinAndAsk(count, tier);
      },
      () => {
        decided = alone.decide(count, tier);
        return decided;
      },
    );
  }

  const joinAndAsk = (count: KnownCount, tier: TierName): Promise<LimitDecision> =>
    join.join(count, tier).then(
      () => (link.isShared() ? ask(count, tier) : alone.decide(count, tier)),
      () => alone.decide(count, tier),
    );

  function conclude(count: KnownCount, tier: TierName, reply: ScriptReply, sentAt: number): LimitDecision {
    link.noteTime(reply.now, sentAt);
    const allowance = toAllowance(tier, reply);
    const isAdmitted = reply.status === 'admitted';
    if (isAdmitted) count.own.add(count.own.advance(reply.now));
    join.note(count, reply);
    if (!isAdmitted) return rememberRefusal(count, { tier, allowance, reply, sentAt });
    count.refusal = null;
    const hour = Math.floor((reply.now / US_PER_MS + shiftMs) / HOUR_MS);
    return { ok: true, allowance, admission: { at: reply.now, day: reply.day, hour } };
  }

  /** Redis has decided after all, when this process had already decided alone. */
  function settleLate(count: KnownCount, reply: ScriptReply, decided: LimitDecision): void {
    if (reply.status !== 'admitted') return;
    const counted = { at: reply.now, day: reply.day };
    // One request, counted there and here: what Redis has of it stays.
    const madeAt = decided.ok ? alone.passOn(decided.admission, counted) : null;
    if (madeAt === null) return void join.giveBack(count, { ...counted, hour: 0 });
    count.own.remove(madeAt);
    count.own.add(count.own.advance(reply.now));
  }

  return {
    decide: (count, tier) => (join.isInStep(count) ? ask(count, tier) : joinAndAsk(count, tier)),

    async look(count, tier) {
      for (;;) {
        if (!join.isInStep(count)) await join.join(count, tier);
        const sentAt = performance.now();
        const reply = await join.look(count, tier);
        link.noteTime(reply.now, sentAt);
        if (reply.status !== 'unknown') {
          join.note(count, reply);
          return toAllowance(tier, reply);
        }
        count.isLost = true;
      }
    },

    recall: recallRefusal,
  };
}

const US_PER_MS = 1_000;
const HOUR_MS = 3_600_000;
