/** Failed keys for each address: a guesser is slowed down, a genuine key on the same address never is. */

import type { Clock } from '../clock.ts';
import { RollingMinute } from './rolling-minute.ts';

export interface Strangers {
  /** Records a failed key. Whole seconds (≥ 1) to wait when the address has used its minute up, else 0. */
  failed(address: string): number;
  /** Forgets addresses without a failure in the last minute. */
  releaseIdle(): void;
}

/** `monotonic` in milliseconds. At most `MOST_ADDRESSES` are watched; beyond, the one that failed least lately is forgotten. */
export function createStrangers(monotonic: Clock): Strangers {
  /** In the order of their last failure that counted. */
  const windows = new Map<string, RollingMinute>();
  const nowUs = (): number => Math.round(monotonic() * US_PER_MS);

  return {
    failed(address) {
      const window = windows.get(address) ?? new RollingMinute();
      const now = window.advance(nowUs());
      const wait = window.waitFor(FAILURES_PER_MINUTE, now);
      if (wait > 0) return Math.ceil(wait / US_PER_SECOND);
      window.add(now);
      windows.delete(address);
      windows.set(address, window);
      if (windows.size > MOST_ADDRESSES) windows.delete(windows.keys().next().value ?? '');
      return 0;
    },

    releaseIdle() {
      const now = nowUs();
      for (const [address, window] of windows) {
        if (!window.release(now)) return;
        windows.delete(address);
      }
    },
  };
}

const FAILURES_PER_MINUTE = 600;
/** With full rings about 40 MB. */
const MOST_ADDRESSES = 10_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
