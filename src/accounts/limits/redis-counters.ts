/** Requests counted in Redis: one script call decides minute and day for all processes. Out of reach of it, each process has a share. */

import type { Clock } from '../../clock.ts';
import { HOUR_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import { toAllowance, toRefusal } from './allowances.ts';
import { type AloneCounters, createAloneCounters } from './alone-counters.ts';
import type { Counters, LimitDecision, RequestMinute } from './counters.ts';
import {
  type AloneMoment,
  continueMinute,
  createJoin,
  createKnownCount,
  type Join,
  type KnownCount,
  MAX_RING,
  minuteOf,
  readReply,
  type ScriptReply,
} from './known-count.ts';
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
  const redis = createAskRedis(link, join, alone, shiftMs);

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
    const refused = recallRefusal(count, tier);
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

/** Decisions that Redis makes. `shiftMs`: how far the limits' clock is from real time. */
function createAskRedis(link: RedisLink, join: Join, alone: AloneCounters, shiftMs: number) {
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
    /** Decides alone if Redis does not answer in time. Never rejects. */
    decide: (count: KnownCount, tier: TierName): Promise<LimitDecision> =>
      join.isInStep(count) ? ask(count, tier) : joinAndAsk(count, tier),

    /** Rejects if Redis does not answer in time. */
    async look(count: KnownCount, tier: TierName): Promise<Allowance> {
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
  };
}

interface Refused {
  tier: TierName;
  allowance: Allowance;
  reply: Pick<ScriptReply, 'minuteWaitUs' | 'dayWaitUs'>;
  /** Monotonic ms. */
  sentAt: number;
}

/** A refusal that Redis made holds for a while without asking it again. */
function rememberRefusal(count: KnownCount, { tier, allowance, reply, sentAt }: Refused): LimitDecision {
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
function recallRefusal({ refusal }: KnownCount, tier: TierName): LimitDecision | null {
  const now = performance.now();
  if (!refusal || refusal.tier !== tier || now >= refusal.until) return null;
  const waitUs = (at: number) => Math.max(0, (at - now) * US_PER_MS);
  return toRefusal(refusal.allowance, { minuteUs: waitUs(refusal.minuteFreesAt), dayUs: waitUs(refusal.dayFreesAt) });
}

/** `late` takes an answer that comes after the deadline. Rejects with a `RedisFault`. */
type AskInTurn = (count: KnownCount, tier: TierName, late: (reply: ScriptReply) => void) => Promise<ScriptReply>;

/** Asks for the decisions of one turn of the event loop in one call, or in one for each subscription of a cluster. */
function createTurnDecisions(link: RedisLink, shiftMs: number): AskInTurn {
  let waiting: Asked[] = [];

  function sendAll(): void {
    const calls = callsOf(waiting, link.isCluster);
    waiting = [];
    const sendEach = () => {
      for (const call of calls) send(call);
    };
    if (calls.length === 1) sendEach();
    else link.inOneWrite(sendEach);
  }

  function send(asked: readonly Asked[]): void {
    const keys: string[] = [];
    const values: number[] = [MAX_RING, shiftMs];
    for (const { count, tier } of asked) {
      keys.push(count.keys[0], count.keys[1]);
      values.push(TIERS[tier].perMinute, TIERS[tier].perDay);
    }
    const late = (numbers: number[]) => {
      for (const [place, each] of asked.entries()) each.late(readReply(numbers, place));
    };
    link.call('decide', keys, values, { late }).then(
      (numbers) => {
        for (const [place, each] of asked.entries()) each.resolve(readReply(numbers, place));
      },
      (fault: unknown) => {
        for (const each of asked) each.reject(fault);
      },
    );
  }

  return (count, tier, late) =>
    new Promise((resolve, reject) => {
      waiting.push({ count, tier, late, resolve, reject });
      // After everything that has arrived was read.
      if (waiting.length === 1) setImmediate(sendAll);
    });
}

interface Asked {
  count: KnownCount;
  tier: TierName;
  late(reply: ScriptReply): void;
  resolve(reply: ScriptReply): void;
  reject(fault: unknown): void;
}

function callsOf(asked: readonly Asked[], isCluster: boolean): (readonly Asked[])[] {
  const groups = isCluster ? [...Map.groupBy(asked, ({ count }) => count.subscriptionId).values()] : [asked];
  return groups.flatMap((group) =>
    group.length <= MAX_IN_CALL
      ? [group]
      : Array.from({ length: Math.ceil(group.length / MAX_IN_CALL) }, (_, part) =>
          group.slice(part * MAX_IN_CALL, (part + 1) * MAX_IN_CALL),
        ),
  );
}

/** While a call runs, Redis answers nobody else. */
const MAX_IN_CALL = 50;
/** A request may be given back in another process. */
const REMEMBERED_MS = 1_000;
const US_PER_MS = 1_000;
