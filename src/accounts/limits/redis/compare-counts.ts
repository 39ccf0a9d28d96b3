/** Tells Redis what this process and the ledger know of a subscription, and hears what it has. Counts nothing. */

import { DAY_MS } from '../../../values/duration.ts';
import { withTimeout } from '../../../values/waiting/with-timeout.ts';
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
  /** Never rejects. */
  readBase(count: KnownCount, patienceMs: number): Promise<Base>;
  /** Without `base`, Redis is told nothing. */
  look(count: KnownCount, tier: TierName, base: Base | null, isUrgent: boolean): Promise<ScriptReply>;
  /** The ledger knows what the others have admitted: what is left for those without Redis is divided again. */
  divideAgain(counts: Iterable<KnownCount>): Promise<void>;
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
  /** UTC, days since 1970, by Redis's time. */
  const today = (): number => Math.floor(moment().wall / DAY_MS);

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

  async function look(count: KnownCount, tier: TierName, base: Base | null, isUrgent: boolean): Promise<ScriptReply> {
    const { perMinute, perDay } = TIERS[tier];
    const told = base ? [base.day, base.used, packOwn(count, link.now()), base.isFresh ? 1 : 0] : ['', '', '', 0];
    const values = [MAX_RING, shiftMs, perMinute, perDay, 0, ...told];
    return readReply(await link.call('compare', count.keys, values, { isUrgent }));
  }

  async function divideAgain(counts: Iterable<KnownCount>): Promise<void> {
    if (link.isShared()) return;
    const day = today();
    for (const { subscriptionId, alone } of counts) {
      if (alone?.day !== day) continue;
      const { taken } = alone;
      const used = await readUse(subscriptionId, day).catch(() => 0);
      if (alone.day !== day) continue;
      alone.usedBefore = Math.max(used, alone.usedBefore + taken);
      alone.taken -= taken;
    }
  }

  return { readBase, look, divideAgain };
}

/** A ring is as long as the largest minute of all tiers. */
export const MAX_RING = Math.max(...Object.values(TIERS).map(({ perMinute }) => perMinute));
const FRESH_MS = 1_000;
