/** Tells Redis what this process and the ledger know of a subscription, and hears what it has. Counts nothing. */

import { DAY_MS } from '../../../values/duration.ts';
import { TIERS, type TierName } from '../../tiers.ts';
import type { AloneMoment } from './alone-share.ts';
import { type KnownCount, knownUse, packOwn } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';
import { readReply, type ScriptReply } from './script-reply.ts';

export interface CompareOptions {
  link: RedisLink;
  /** What the ledger has of a day, with all that this process has counted. Rejects with the store's error. */
  readUse(subscriptionId: string, day: number): Promise<number>;
  shiftMs: number;
  moment(): AloneMoment;
}

export interface Compare {
  /** UTC, days since 1970, by Redis's time. */
  today(): number;
  /** Never rejects. */
  readBase(count: KnownCount, patienceMs: number): Promise<Base>;
  look(count: KnownCount, tier: TierName, base: Base, isUrgent: boolean): Promise<ScriptReply>;
}

/** What Redis is told of a day. */
export interface Base {
  day: number;
  used: number;
  /** Whether it may stand where Redis has nothing. */
  isFresh: boolean;
  /** Whether it has what other processes have written. */
  isSure: boolean;
}

export function createCompare({ link, readUse, shiftMs, moment }: CompareOptions): Compare {
  const today = (): number => Math.floor(moment().wall / DAY_MS);

  async function readBase(count: KnownCount, patienceMs: number): Promise<Base> {
    const day = today();
    const known = knownUse(count, day);
    // Nothing can have been lost since this process began: what Redis has is right, and more than the ledger had then.
    if (link.generation() === 1 && !count.isLost) {
      return { day, used: known, isFresh: count.ledger !== null && performance.now() - count.ledger.at < FRESH_MS, isSure: true };
    }
    try {
      const used = await withPatience(readUse(count.subscriptionId, day), patienceMs);
      return { day, used: Math.max(used, known), isFresh: true, isSure: true };
    } catch {
      return { day, used: known, isFresh: true, isSure: false };
    }
  }

  async function look(count: KnownCount, tier: TierName, base: Base, isUrgent: boolean): Promise<ScriptReply> {
    const { perMinute, perDay } = TIERS[tier];
    const own = packOwn(count, link.now());
    const values = [perMinute, perDay, MAX_RING, '0', shiftMs, base.day, base.used, own, base.isFresh ? '1' : '0'];
    return readReply(await link.call('decide', count.keys, values, { isUrgent }));
  }

  return { today, readBase, look };
}

async function withPatience<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the ledger does not answer')), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A ring is as long as the largest minute of all tiers. */
export const MAX_RING = Math.max(...Object.values(TIERS).map(({ perMinute }) => perMinute));
const FRESH_MS = 1_000;
