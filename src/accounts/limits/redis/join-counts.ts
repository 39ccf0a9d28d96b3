/**
 * Brings what this process knows and what Redis has in step: before the first decision about a subscription, and again after each time
 * without Redis. The minute becomes the union of what both have; of the day the larger count holds, the ledger's or Redis's.
 */

import type { TierName } from '../../tiers.ts';
import { type CompareOptions, createCompare } from './compare-counts.ts';
import { createGiveBack, type GiveBack } from './give-back.ts';
import { countAt, type KnownCount } from './known-count.ts';
import type { ScriptReply } from './script-reply.ts';

export interface JoinOptions extends CompareOptions {
  counts: ReadonlyMap<string, KnownCount>;
}

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
  giveBack: GiveBack;
  close(): void;
}

export function createJoin({ counts, ...options }: JoinOptions): Join {
  const { link } = options;
  const { readBase, look, divideAgain } = createCompare(options);
  const giveBack = createGiveBack(link);
  /** Those that this process has admitted requests of without Redis. */
  const unmerged = new Map<KnownCount, TierName>();
  const refreshing = setInterval(() => void divideAgain(unmerged.keys()), REFRESH_EVERY_MS).unref();

  async function bring(count: KnownCount, tier: TierName): Promise<void> {
    const generation = link.generation();
    for (const admission of count.owed.splice(0)) await giveBack(count, admission);
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
    giveBack,
    close: () => clearInterval(refreshing),
  };
}

/** So long a request waits for the ledger, the first one after a time without Redis. */
const PATIENCE_MS = 250;
const LONG_PATIENCE_MS = 2_000;
const RECHECK_MS = 5_000;
const REFRESH_EVERY_MS = 2_000;
const AT_ONCE = 500;
