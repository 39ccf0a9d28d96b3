/** Loaded before the program in every thread: the second serving thread dies once the file that `MORTAL_FILE` names is there. */

import { existsSync } from 'node:fs';
import { isMainThread, threadName } from 'node:worker_threads';

const LOOK_EVERY_MS = 20;

if (!isMainThread && threadName === 'serving 2') {
  setInterval(() => {
    if (existsSync(process.env.MORTAL_FILE ?? '')) throw new Error('made to die');
  }, LOOK_EVERY_MS);
}
