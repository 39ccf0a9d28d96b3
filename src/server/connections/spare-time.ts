/**
 * Work that gets the time that is left over: in each round of the event loop a little of it is done, then everything else comes
 * first. So a flood of such work cannot hold up the rest, however many connections carry it.
 */

export interface SpareTime {
  /** Runs the work later in this round, or in one of the next, after all work that was added before. */
  add(work: () => void): void;
}

/** `now`: monotonic milliseconds. */
export function createSpareTime(now: () => number = () => performance.now()): SpareTime {
  const waiting = new Set<() => void>();
  let isScheduled = false;

  function runSome(): void {
    isScheduled = false;
    const end = now() + MS_PER_ROUND;
    for (const work of waiting) {
      waiting.delete(work);
      // What fails must not keep the rest from its turn.
      if (waiting.size > 0) schedule();
      work();
      if (now() >= end) return;
    }
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(runSome);
  }

  return {
    add(work) {
      waiting.add(work);
      schedule();
    },
  };
}

/** Some dozens of refusals. */
const MS_PER_ROUND = 2;
