/** Rolling minutes of many things under one limit, such as networks or secret URLs. */

import { RollingMinute } from './rolling-minute.ts';

export interface MinuteWindows {
  /** `at`: microseconds of a clock that never steps back. */
  of(
    name: string,
    at: number,
  ): {
    /** Microseconds until one more fits; 0: now. */
    wait: number;
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
    of(name, at) {
      const window = windows.get(name) ?? new RollingMinute();
      const now = window.advance(at);
      return {
        wait: window.waitFor(perMinute, now),
        add() {
          window.add(now);
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
