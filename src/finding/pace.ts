/** `createPace`: one request a second and host, and the quiet that a host asks for. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from './model.ts';

/** `elapsed` in milliseconds; a clock that never goes back. */
export function createPace(
  elapsed: () => number = () => performance.now(),
  wait: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): Pace {
  const free = new Map<string, number>();
  const waiting = new Map<string, Promise<unknown>>();

  async function turn(host: string, most: number): Promise<boolean> {
    const at = free.get(host) ?? 0;
    if (at > most) return false;
    while (elapsed() < (free.get(host) ?? 0)) await wait((free.get(host) ?? 0) - elapsed());
    // Until the answer comes, nobody else asks: `answered` ends that.
    free.set(host, elapsed() + GAP_MS);
    return true;
  }

  return {
    elapsed,
    take(host, most) {
      const before = waiting.get(host) ?? Promise.resolve();
      const taken = before.then(() => turn(host, most));
      waiting.set(host, taken);
      return taken;
    },
    answered(host, retryAfterMs = 0) {
      free.set(host, Math.max(free.get(host) ?? 0, elapsed() + Math.max(GAP_MS, retryAfterMs)));
    },
  };
}

const GAP_MS = 1_000;
