/** Long work beside a service: whoever asks the service goes first. */

import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

/**
 * Gives this process a tenth of the weight of a service, with every thread that it has. With less, a backup would never end on a machine that
 * is always busy. Linux counts threads one by one (setpriority(2), "Nonconformity"):
 * Node's pool, which compresses and copies, begins before any of our code, and would keep the priority of a service.
 */
export function standBack(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  for (const thread of threads()) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // It ended meanwhile.
    }
  }
}

/** Elsewhere a priority is of the process. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
