/** How long a process has worked, whatever else the machine did meanwhile. */

import { readFileSync } from 'node:fs';

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
