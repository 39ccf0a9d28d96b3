/**
 * What one process knows of a subscription whose requests are counted in Redis, and how that and what Redis has are brought in step:
 * before the first decision about it, and again after each time without Redis. The minute becomes the union of what both have; of the
 * day the larger count holds, the ledger's or Redis's.
 */

import { DAY_MS } from '../../values/duration.ts';
import { withTimeout } from '../../values/waiting/with-timeout.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import type { LimitCounts } from './allowances.ts';
import type { Admission, RequestMinute } from './counters.ts';
import type { RedisLink } from './redis-link.ts';
import { RollingMinute } from './rolling-minute.ts';

export interface KnownCount {
  subscriptionId: string;
  keys: readonly [ring: string, day: string];
  /** The admissions of this process, in Redis's time: brought to a Redis that has lost them. */
  own: RollingMinute;
  /** As Redis said last. */
  day: number;
  usedOfDay: number;
  /** Requests of the other processes in the minute before `notedAt` (Redis's time, µs). */
  othersOfMinute: number;
  notedAt: number;
  /** What the ledger had when the key was read; `at` in monotonic ms. */
  ledger: { day: number; requests: number; at: number } | null;
  /** Of the link, when this was last compared with Redis. 0: never. */
  generation: number;
  /** Changes when Redis has lost its data; 0: not known. */
  birth: number;
  /** Whether Redis does not have all that it had. */
  isLost: boolean;
  /** When to compare again, because the ledger could not be read; monotonic ms. */
  recheckAt: number;
  joining: Promise<void> | null;
  refusal: RememberedRefusal | null;
  /** The one question while the others wait: a flood of refused calls costs one call. */
  asking: Promise<unknown> | null;
  /** While Redis is out of reach. */
  alone: AloneShare | null;
  /** Admissions to give back when Redis is back. */
  owed: Admission[];
}

interface RememberedRefusal {
  tier: TierName;
  allowance: Allowance;
  /** Monotonic ms: until then no process admits another request. */
  until: number;
  minuteFreesAt: number;
  dayFreesAt: number;
}

/** Both keys stand on one node of a cluster: what is in braces decides. */
export function createKnownCount(subscriptionId: string): KnownCount {
  return {
    subscriptionId,
    keys: [`marquee:{${subscriptionId}}:minute`, `marquee:{${subscriptionId}}:day`],
    own: new RollingMinute(),
    ...{ day: 0, usedOfDay: 0, othersOfMinute: 0, notedAt: 0, ledger: null },
    ...{ generation: 0, birth: 0, isLost: false, recheckAt: Number.POSITIVE_INFINITY, joining: null },
    ...{ refusal: null, asking: null, alone: null, owed: [] },
  };
}

/** The most that is known of a day: what Redis said, what the ledger had, what was admitted alone. */
export function knownUse({ day, usedOfDay, ledger, alone }: KnownCount, wanted: number): number {
  return Math.max(
    day === wanted ? usedOfDay : 0,
    ledger?.day === wanted ? ledger.requests : 0,
    alone?.day === wanted ? knownTotal(alone) : 0,
  );
}

/** Requests of this process in the minute. `now`: Redis's time, µs. */
export function countAt({ own }: KnownCount, now: number): number {
  own.advance(now);
  return own.count;
}

/** The admissions of this process, for one that takes over. `now`: Redis's time, µs. */
export function minuteOf({ subscriptionId, own }: KnownCount, now: number): RequestMinute {
  return { subscriptionId, agesUs: own.ages(own.advance(now)) };
}

/** Takes over what another process admitted, unless this one has admitted something. `now`: Redis's time, µs. */
export function continueMinute(count: KnownCount, agesUs: readonly number[], now: number): void {
  if (countAt(count, now) > 0) return;
  for (const age of agesUs.toSorted((left, right) => right - left)) count.own.add(count.own.advance(now - age));
}

/** The times of `own` as a ring of Redis holds them. `now`: Redis's time, µs. */
function packOwn({ own }: KnownCount, now: number): Buffer {
  const moment = own.advance(now);
  const ages = own.ages(moment);
  const packed = Buffer.alloc(ages.length * TIME_BYTES);
  for (const [index, age] of ages.entries()) packed.writeUInt32LE((moment - age) % TIME_MODULUS, index * TIME_BYTES);
  return packed;
}

/** What this process may admit, and has admitted, while Redis is out of reach. */
export interface AloneShare {
  /** Redis's time when the sharing ended, µs. */
  since: number;
  /** Requests of this process in the minute then. */
  hadInMinute: number;
  /** Requests of all processes in the minute then. */
  usedOfMinute: number;
  /** UTC, days since 1970. */
  day: number;
  /** Of that day, by all processes, when the sharing ended. */
  usedAtEnd: number;
  /** Of that day, by this process since then. */
  own: number;
  /** What the ledger had of that day when it was last read, and `own` at the end of that read. */
  read: { used: number; own: number };
  /** Of that day, by all processes, when what was left was last divided. */
  usedBefore: number;
  /** Of that day, by this process since. */
  taken: number;
}

/** The most that is known of the day. A request that was admitted during a read may be in the ledger, too, and counts once. */
const knownTotal = ({ usedAtEnd, own, read }: AloneShare): number => Math.max(usedAtEnd + own, read.used + own - read.own);

/** What `usedAtEnd`, `usedBefore` and all that follows from them are when a day begins. */
export const beginDay = (day: number, used: number) => ({
  ...{ day, usedAtEnd: used, own: 0, read: { used: 0, own: 0 } },
  ...{ usedBefore: used, taken: 0 },
});

export interface AloneMoment {
  /** Which of them this one is: tells its times from those of the others. */
  place: number;
  /** Redis's time, µs. */
  now: number;
  /** The limits' time, ms. */
  wall: number;
  processes: number;
}

/** What `scripts/decide.lua` and `scripts/compare.lua` answer. */
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

interface JoinOptions extends CompareOptions {
  counts: ReadonlyMap<string, KnownCount>;
}

/** Brings what this process knows and what Redis has in step. */
export interface Join {
  isInStep(count: KnownCount): boolean;
  /** Rejects if Redis fails. Callers share one. */
  join(count: KnownCount, tier: TierName): Promise<void>;
  /** What Redis has. Counts nothing; rejects if Redis fails. */
  look(count: KnownCount, tier: TierName): Promise<ScriptReply>;
  /** Takes note of what Redis said. */
  note(count: KnownCount, reply: ScriptReply): void;
  /** This process has admitted a request without Redis. */
  noteAlone(count: KnownCount, tier: TierName): void;
  /** Whether Redis does not have these yet. */
  isUnmerged(count: KnownCount): boolean;
  /** Gives an admission of a request that failed back to Redis, now or when it is back. Never rejects. */
  giveBack(count: KnownCount, admission: Admission): Promise<void>;
  close(): void;
}

export function createJoin({ counts, ...options }: JoinOptions): Join {
  const { link } = options;
  const { readBase, look, divideAgain } = createCompare(options);
  /** Those that this process has admitted requests of without Redis. */
  const unmerged = new Map<KnownCount, TierName>();
  const refreshing = setInterval(() => void divideAgain(unmerged.keys()), REFRESH_EVERY_MS).unref();

  async function bring(count: KnownCount, tier: TierName): Promise<void> {
    const generation = link.generation();
    for (const admission of count.owed.splice(0)) await giveBack(link, count, admission);
    let base = await readBase(count, PATIENCE_MS);
    let reply = await look(count, tier, base, true);
    if (reply.status === 'unknown') {
      count.isLost = true;
      base = await readBase(count, PATIENCE_MS);
      reply = await look(count, tier, base, true);
    }
    // If Redis failed meanwhile, requests may have been admitted that it was not told of.
    if (!link.isShared() || link.generation() !== generation) return;
    Object.assign(count, { generation, isLost: false, alone: null, birth: reply.birth });
    count.recheckAt = base.isSure ? Number.POSITIVE_INFINITY : performance.now() + RECHECK_MS;
    unmerged.delete(count);
    note(count, reply);
  }

  function join(count: KnownCount, tier: TierName): Promise<void> {
    count.joining ??= bring(count, tier).finally(() => {
      count.joining = null;
    });
    return count.joining;
  }

  function note(count: KnownCount, { day, usedOfDay, usedOfMinute, birth, now }: ScriptReply): void {
    const othersOfMinute = Math.max(0, usedOfMinute - countAt(count, now));
    Object.assign(count, { day, usedOfDay, othersOfMinute, notedAt: now });
    // Redis has begun anew without a word.
    if (birth !== count.birth) count.isLost = true;
  }

  /** What was admitted in the last minute, brought while everybody is still alone. */
  async function bringAll(): Promise<void> {
    const now = link.now();
    const active = [...counts.values()].filter((count) => countAt(count, now) > 0);
    for (let from = 0; from < active.length; from += AT_ONCE) {
      await Promise.all(
        active.slice(from, from + AT_ONCE).map(async (count) => {
          const base = await readBase(count, LONG_PATIENCE_MS);
          await look(count, unmerged.get(count) ?? 'starter', base, false);
        }),
      );
    }
  }

  link.onReturn(async () => {
    if (!link.isShared()) return bringAll();
    // Of those where nothing was admitted, there is nothing to tell.
    for (const count of counts.values()) if (!unmerged.has(count)) count.alone = null;
    await Promise.all([...unmerged].map(([count, tier]) => join(count, tier)));
  });

  return {
    isInStep: ({ generation, isLost, recheckAt }) =>
      generation === link.generation() && !isLost && (recheckAt === Number.POSITIVE_INFINITY || performance.now() < recheckAt),
    join,
    look: (count, tier) => look(count, tier, null, true),
    note,
    noteAlone: (count, tier) => void unmerged.set(count, tier),
    isUnmerged: (count) => unmerged.has(count),
    giveBack: (count, admission) => giveBack(link, count, admission),
    close: () => clearInterval(refreshing),
  };
}

interface CompareOptions {
  link: RedisLink;
  /** What the ledger has of a day, with all that this process has counted. Rejects with the store's error. */
  readUse(subscriptionId: string, day: number): Promise<number>;
  shiftMs: number;
  moment(): AloneMoment;
}

/** What Redis is told of a day. */
interface Base {
  day: number;
  used: number;
  /** Whether it may stand where Redis has nothing. */
  isFresh: boolean;
  /** Whether it has what other processes have written. */
  isSure: boolean;
}

/** Tells Redis what this process and the ledger know of a subscription, and hears what it has. Counts nothing. */
function createCompare({ link, readUse, shiftMs, moment }: CompareOptions) {
  /** UTC, days since 1970, by Redis's time. */
  const today = (): number => Math.floor(moment().wall / DAY_MS);

  /** Never rejects. */
  async function readBase(count: KnownCount, patienceMs: number): Promise<Base> {
    const day = today();
    const known = knownUse(count, day);
    // Nothing can have been lost since this process began: what Redis has is right, and more than the ledger had then.
    if (link.generation() === 1 && !count.isLost) {
      return { day, used: known, isFresh: count.ledger !== null && performance.now() - count.ledger.at < FRESH_MS, isSure: true };
    }
    try {
      const used = await withTimeout(readUse(count.subscriptionId, day), patienceMs);
      return { day, used: Math.max(used, known), isFresh: true, isSure: true };
    } catch {
      return { day, used: known, isFresh: true, isSure: false };
    }
  }

  /** Without `base`, Redis is told nothing. */
  async function look(count: KnownCount, tier: TierName, base: Base | null, isUrgent: boolean): Promise<ScriptReply> {
    const { perMinute, perDay } = TIERS[tier];
    const told = base ? [base.day, base.used, packOwn(count, link.now()), base.isFresh ? 1 : 0] : ['', '', '', 0];
    const values = [MAX_RING, shiftMs, perMinute, perDay, 0, ...told];
    return readReply(await link.call('compare', count.keys, values, { isUrgent }));
  }

  /** The ledger knows what the others have admitted: what is left for those without Redis is divided again. */
  async function divideAgain(counts: Iterable<KnownCount>): Promise<void> {
    if (link.isShared()) return;
    const day = today();
    for (const { subscriptionId, alone } of counts) {
      if (alone?.day !== day) continue;
      const { taken } = alone;
      const known = knownTotal(alone);
      const used = await readUse(subscriptionId, day).catch(() => 0);
      if (alone.day !== day) continue;
      alone.usedBefore = Math.max(used, known);
      alone.taken -= taken;
      if (used > 0) alone.read = { used, own: alone.own };
    }
  }

  return { readBase, look, divideAgain };
}

async function giveBack(link: RedisLink, count: KnownCount, { at, day }: Admission): Promise<void> {
  if (link.isShared()) {
    try {
      await link.call('refund', count.keys, [at % TIME_MODULUS, day, MAX_RING]);
      return;
    } catch {
      // When it is back.
    }
  }
  if (count.owed.length < MAX_OWED) count.owed.push({ at, day, hour: 0 });
}

/** A ring is as long as the largest minute of all tiers. */
export const MAX_RING = Math.max(...Object.values(TIERS).map(({ perMinute }) => perMinute));
const MAX_OWED = 1_000;
const FRESH_MS = 1_000;
/** So long a request waits for the ledger, the first one after a time without Redis. */
const PATIENCE_MS = 250;
const LONG_PATIENCE_MS = 2_000;
const RECHECK_MS = 5_000;
const REFRESH_EVERY_MS = 2_000;
const AT_ONCE = 500;
const STATUSES = ['refused', 'admitted', 'unknown'] as const;
/** Of one decision. */
const NUMBERS = 9;
const TIME_BYTES = 4;
const TIME_MODULUS = 2 ** 32;
