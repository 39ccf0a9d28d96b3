/** What one process knows of a subscription whose requests are counted in Redis. */

import type { TierName } from '../../tiers.ts';
import type { Allowance } from '../../verdict.ts';
import type { Admission, RequestMinute } from '../counters.ts';
import { RollingMinute } from '../rolling-minute.ts';
import type { AloneShare } from './alone-share.ts';

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

export interface RememberedRefusal {
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
    alone?.day === wanted ? alone.usedBefore + alone.taken : 0,
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
export function packOwn({ own }: KnownCount, now: number): Buffer {
  const moment = own.advance(now);
  const ages = own.ages(moment);
  const packed = Buffer.alloc(ages.length * TIME_BYTES);
  for (const [index, age] of ages.entries()) packed.writeUInt32LE((moment - age) % TIME_MODULUS, index * TIME_BYTES);
  return packed;
}

const TIME_BYTES = 4;
const TIME_MODULUS = 2 ** 32;
