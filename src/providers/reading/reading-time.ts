/** How long a process may read: by its work, whatever else the machine does meanwhile, and by the clock. */

import { readFileSync } from 'node:fs';

/** Begins to watch; calls `tooLate` once, unless it is stopped before. */
export type ReadingWatch = (tooLate: () => void) => { stop(): void };

export function watchClock(afterMs: number): ReadingWatch {
  return (tooLate) => {
    const timer = setTimeout(tooLate, afterMs);
    return { stop: () => clearTimeout(timer) };
  };
}

/**
 * Too late after `workMs` of CPU, and after `clockMs` in any case: a process that waits for something uses none. A thread works no faster
 * than the clock runs, so what is left of its time can be waited for before the next look.
 */
export function watchWork(used: () => number | null, workMs: number, clockMs: number): ReadingWatch {
  return (tooLate) => {
    const begunAt = performance.now();
    const usedBefore = used();
    const look = (): void => {
      const passed = performance.now() - begunAt;
      const usedNow = used();
      const worked = usedBefore === null || usedNow === null ? passed : usedNow - usedBefore;
      const left = Math.min(workMs - worked, clockMs - passed);
      if (left > 0) timer = setTimeout(look, Math.max(left, MIN_LOOK_MS));
      else tooLate();
    };
    let timer = setTimeout(look, Math.min(workMs, clockMs));
    return { stop: () => clearTimeout(timer) };
  };
}

/**
 * Milliseconds of CPU that the main thread of a process has used, in steps of 10; null where the system does not tell it, or not any more.
 * Threads that collect garbage beside it are not counted.
 */
export function cpuMsOf(pid: number): number | null {
  try {
    return parseCpuMs(readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1'));
  } catch {
    return null;
  }
}

/** Of proc_pid_stat(5): fields 14 and 15, behind a name that may hold blanks and brackets. Null for anything else. */
export function parseCpuMs(stat: string): number | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 1).trim();
  const [user, system] = fields.split(/\s+/).slice(FIELD_UTIME - FIELD_STATE, FIELD_UTIME - FIELD_STATE + 2);
  const ticks = Number(user) + Number(system);
  return Number.isSafeInteger(ticks) && stat.includes(')') ? ticks * MS_PER_TICK : null;
}

/** Fields are counted from 1; the one behind the name is the state. */
const [FIELD_STATE, FIELD_UTIME] = [3, 14];
/** Linux counts in hundredths of a second for programs, on every machine that Node runs on. */
const MS_PER_TICK = 10;
const MIN_LOOK_MS = 20;
