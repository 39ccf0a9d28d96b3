/** Holds the lease of an export while it is written. */

import type { Log } from '../../log.ts';
import type { ExportJob, ExportQueue } from './queue.ts';

export interface KeepLeaseOptions {
  queue: Pick<ExportQueue, 'renew' | 'isHeld'>;
  leaseMs: number;
  log: Log;
  /** The job is another's by now, or cancelled. */
  onLost(): void;
}

/** Renews the lease from time to time, and looks far more often whether it is still ours. */
export function keepLease(job: ExportJob, { queue, leaseMs, log, onLost }: KeepLeaseOptions): { end(): void } {
  let dueAt = performance.now() + leaseMs / 3;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const check = async (): Promise<void> => {
    const isDue = performance.now() >= dueAt;
    if (isDue) dueAt = performance.now() + leaseMs / 3;
    try {
      if (!(await (isDue ? queue.renew(job) : queue.isHeld(job)))) return onLost();
    } catch (err) {
      if (isDue) log.warn({ err, export: job.id }, 'cannot renew the lease of an export');
    }
    if (!isOver) timer = setTimeout(check, WATCH_EVERY_MS);
  };
  timer = setTimeout(check, WATCH_EVERY_MS);
  return {
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** An export that is cancelled ends within a second. */
const WATCH_EVERY_MS = 400;
