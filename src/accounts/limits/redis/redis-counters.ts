/** Requests counted in Redis: one script call decides minute and day for all processes. Out of reach of it, each process has a share. */

import type { Clock } from '../../../clock.ts';
import type { TierName } from '../../tiers.ts';
import type { Counters, LimitDecision, RequestMinute } from '../counters.ts';
import { createAloneCounters } from './alone-counters.ts';
import type { AloneMoment } from './alone-share.ts';
import { createAskRedis } from './ask-redis.ts';
import { createJoin } from './join-counts.ts';
import { continueMinute, createKnownCount, type KnownCount, minuteOf } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';

export interface RedisCountersOptions {
  link: RedisLink;
  /** What the ledger has of a day, with all that this process has counted. Rejects with the store's error. */
  readUse(subscriptionId: string, day: number): Promise<number>;
  /** How many processes count, this one included, and which of them it is, from 0 on. */
  processes(): { count: number; place: number };
  /** The limits' wall clock: how far it is from real time is added to Redis's time. */
  wall: Clock;
}

export interface RedisCounters extends Counters {
  /** Decisions made alone since the start. */
  aloneDecisions(): number;
  close(): void;
}

export function createRedisCounters({ link, readUse, processes, wall }: RedisCountersOptions): RedisCounters {
  const shiftMs = wall() - Date.now();
  const counts = new Map<string, KnownCount>();
  const moment = (): AloneMoment => {
    const now = link.now();
    const { count, place } = processes();
    return { now, wall: now / US_PER_MS + shiftMs, processes: count, place };
  };
  const join = createJoin({ link, counts, readUse, shiftMs, moment });
  const alone = createAloneCounters(link, join, moment);
  const redis = createAskRedis({ link, join, alone, shiftMs });

  const countOf = (subscriptionId: string): KnownCount => {
    const known = counts.get(subscriptionId);
    if (known) return known;
    const count = createKnownCount(subscriptionId);
    counts.set(subscriptionId, count);
    return count;
  };

  function decide(subscriptionId: string, tier: TierName): LimitDecision | Promise<LimitDecision> {
    const count = countOf(subscriptionId);
    if (!link.isShared()) return alone.decide(count, tier);
    const refused = redis.recall(count, tier);
    if (refused) return refused;
    if (!count.refusal) return redis.decide(count, tier);
    // The others of a flood wait for the one that asks whether there is room again.
    if (count.asking) return count.asking.then(() => decide(subscriptionId, tier));
    const asking = redis.decide(count, tier);
    count.asking = asking.finally(() => {
      count.asking = null;
    });
    return asking;
  }

  return {
    decide,

    async peek(subscriptionId, tier) {
      const count = countOf(subscriptionId);
      if (!link.isShared()) return alone.peek(count, tier);
      return await redis.look(count, tier).catch(() => alone.peek(count, tier));
    },

    async refund(subscriptionId, admission) {
      const count = countOf(subscriptionId);
      count.own.remove(admission.at);
      count.refusal = null;
      if (alone.takeBack(count, admission)) return;
      // What is known of the day has it; it must not be told to Redis again.
      if (count.day === admission.day) count.usedOfDay = Math.max(0, count.usedOfDay - 1);
      if (count.alone?.day === admission.day) count.alone.usedBefore = Math.max(0, count.alone.usedBefore - 1);
      await join.giveBack(count, admission);
    },

    restore(subscriptionId, day, requests) {
      countOf(subscriptionId).ledger = { day, requests, at: performance.now() };
    },

    minutes(): RequestMinute[] {
      // Redis has them.
      if (link.isShared()) return [];
      const now = link.now();
      return [...counts.values()].map((count) => minuteOf(count, now)).filter(({ agesUs }) => agesUs.length > 0);
    },

    continueMinutes(minutes) {
      const now = link.now();
      for (const { subscriptionId, agesUs } of minutes) continueMinute(countOf(subscriptionId), agesUs, now);
    },

    releaseIdle() {
      const now = link.now();
      for (const { own } of counts.values()) own.release(now);
    },

    aloneDecisions: alone.decisions,
    close: join.close,
  };
}

const US_PER_MS = 1_000;
