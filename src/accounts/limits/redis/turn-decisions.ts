/** The decisions of one turn of the event loop: Redis is asked for all of them in one call, or in one for each subscription of a cluster. */

import { TIERS, type TierName } from '../../tiers.ts';
import { MAX_RING } from './compare-counts.ts';
import type { KnownCount } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';
import { readReply, type ScriptReply } from './script-reply.ts';

/** `late` takes an answer that comes after the deadline. Rejects with a `RedisFault`. */
export type AskInTurn = (count: KnownCount, tier: TierName, late: (reply: ScriptReply) => void) => Promise<ScriptReply>;

/** `shiftMs`: how far the limits' clock is from real time. */
export function createTurnDecisions(link: RedisLink, shiftMs: number): AskInTurn {
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
