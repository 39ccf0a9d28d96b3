/**
 * How much of the tests a run takes, as `vitest run --mode` says: `check` is what every change needs (`npm test`), `long` is what
 * `check` leaves out, and without a mode everything runs.
 */

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const LONG_FILE = /\.long\.test\.ts$/;
/** Files with blocks that only the long tier runs. */
const LONG_BLOCK = /^describeInBrowser\(/m;

export type Tier = 'check' | 'long' | 'all';

/** Vitest's own mode is `test`. */
export const tierOf = (mode: string): Tier => (mode === 'check' || mode === 'long' ? mode : 'all');

/** Of this run, told to the processes of the tests by `vitest.config.ts`. */
export const TIER: Tier = tierOf(process.env.MARQUEE_TEST_TIER ?? '');

/** Paths, from the root of the project, of the files that a run of this tier leaves out. */
export function filesOfOtherTier(tier: Tier): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT });
  if (tier === 'check') return files.filter((file) => LONG_FILE.test(file));
  if (tier === 'all') return [];
  return files.filter((file) => !LONG_FILE.test(file) && !LONG_BLOCK.test(readFileSync(join(ROOT, file), 'utf8')));
}
