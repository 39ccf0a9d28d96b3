/** Whether the event loop stands still, or has just stood still and works off what came meanwhile. */

export interface StallWatch {
  isStalled(): boolean;
  stop(): void;
}

/** `maxStallMs`: how late the loop may be. It counts as stalled until it has been on time once more. */
export function watchStalls(maxStallMs: number, now: () => number = () => performance.now()): StallWatch {
  let lastBeat = now();
  let wasLate = false;
  const isLate = (): boolean => now() - lastBeat > BEAT_MS + maxStallMs;
  const timer = setInterval(() => {
    wasLate = isLate();
    lastBeat = now();
  }, BEAT_MS).unref();
  return {
    // What arrived in the stall may be handled before the timer is.
    isStalled: () => wasLate || isLate(),
    stop: () => clearInterval(timer),
  };
}

/** Each beat wakes an idle process. */
const BEAT_MS = 500;
