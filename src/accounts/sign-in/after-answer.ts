/** Work that goes on after the answer, so that neither the words nor the time of the answer tell what it found. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../log.ts';

export interface AfterAnswer {
  /** Begins once the answer has left; a failure is in the log. */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  onIdle(): Promise<void>;
}

export function createAfterAnswer(log: Log): AfterAnswer {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const done = nextTurn()
        .then(work)
        .catch((err: unknown) => log.error({ err }, 'work after a response failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    async onIdle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
