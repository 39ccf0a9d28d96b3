/** Runs of the clean-up at a moment of a test. */

import { createLog } from '../../../src/log.ts';
import { type CleanUpOptions, cleanUp } from '../../../src/retention/index.ts';
import type { Store } from '../../../src/store/index.ts';

export const DAY = 86_400_000;

/** All clocks show `moment`. */
export function cleanUpAt({ db }: Pick<Store, 'db'>, moment: number, more: Partial<CleanUpOptions> = {}) {
  return cleanUp({
    db,
    dataDir: '/nonexistent',
    log: createLog('silent'),
    pauseMs: 0,
    moments: { directory: moment, limits: moment, machine: moment },
    ...more,
  });
}
