/** Runs jobs by the clock of the process. */

import type { Log } from './log.ts';

export interface Job {
  /** In ms. */
  every: number;
  /** Also runs once when the process starts: what is due must not wait. */
  atStart?: true;
  run(): Promise<unknown>;
}

/** A job waits for its last run; a failed run is logged and tried again at its next time. Gives what ends each job, after its last run. */
export function startTimers(jobs: Readonly<Record<string, Job>>, log: Log): (() => Promise<void>)[] {
  return Object.entries(jobs).map(([job, { every, atStart, run }]) => {
    let running: Promise<unknown> | null = null;
    const runJob = () => {
      running ??= run()
        .catch((err: unknown) => log.error({ err, job }, 'a job failed'))
        .finally(() => {
          running = null;
        });
    };
    const timer = setInterval(runJob, every);
    if (atStart) runJob();
    return async () => {
      clearInterval(timer);
      await running;
    };
  });
}
