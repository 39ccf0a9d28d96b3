/** `createPace`: one request a second and host or fewer, and the quiet that a host asks for. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './model.ts';

/** `elapsed` in milliseconds; a clock that never goes back. */
export function createPace(
  elapsed: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): Pace {
  const free = new Map<string, number>();
  const gaps = new Map<string, number>();
  const gapOf = (host: string): number => gaps.get(host) ?? GAP_MS;
  const waiting = new Map<string, Promise<unknown>>();

  async function turn(host: string, most: number): Promise<boolean> {
    const at = free.get(host) ?? 0;
    if (at > most) return false;
    for (let left = at - elapsed(); left > 0; left = (free.get(host) ?? 0) - elapsed()) await wait(left);
    // Until the answer comes, nobody else asks: `answered` ends that.
    free.set(host, elapsed() + gapOf(host));
    return true;
  }

  return {
    elapsed,
    slowDown(host, gapMs) {
      const more = Math.min(gapMs, MAX_GAP_MS) - gapOf(host);
      if (more <= 0) return;
      gaps.set(host, gapOf(host) + more);
      const at = free.get(host);
      if (at !== undefined) free.set(host, at + more);
    },
    take(host, most) {
      const before = waiting.get(host) ?? Promise.resolve();
      const taken = before.then(() => turn(host, most));
      waiting.set(host, taken);
      return taken;
    },
    answered(host, retryAfterMs = 0) {
      free.set(host, Math.max(free.get(host) ?? 0, elapsed() + Math.max(gapOf(host), retryAfterMs)));
    },
  };
}

const GAP_MS = 1_000;
/** The longest gap that a host gets: a site is looked at within two minutes. */
const MAX_GAP_MS = 10_000;
