/** Rolling minutes of many things under one limit, such as networks or secret URLs. */

import { RollingMinute } from './rolling-minute.ts';

export interface MinuteWindows {
  /** `at`: microseconds of a clock that never steps back. `cost`: as how many it counts; 1 unless told. */
  of(
    name: string,
    at: number,
    cost?: number,
  ): {
    /** Microseconds until it fits; 0: now. */
    wait: number;
    /** Adds all of it. */
    add(): void;
  };
  /** Forgets what had nothing in the last minute. */
  releaseIdle(now: number): void;
}

/** Beyond `maxWatched` what was used least recently is forgotten. */
export function createMinuteWindows({ perMinute, maxWatched }: { perMinute: number; maxWatched: number }): MinuteWindows {
  /** In the order of the last recorded use. */
  const windows = new Map<string, RollingMinute>();
  return {
    of(name, at, cost = 1) {
      const window = windows.get(name) ?? new RollingMinute();
      const now = window.advance(at);
      return {
        // What costs more than a minute has is let through alone.
        wait: window.waitFor(Math.max(1, perMinute - cost + 1), now),
        add() {
          for (let n = 0; n < cost; n += 1) window.add(now);
          windows.delete(name);
          windows.set(name, window);
          if (windows.size > maxWatched) windows.delete(windows.keys().next().value ?? '');
        },
      };
    },
    releaseIdle(now) {
      for (const [name, window] of windows) {
        if (!window.release(now)) return;
        windows.delete(name);
      }
    },
  };
}
