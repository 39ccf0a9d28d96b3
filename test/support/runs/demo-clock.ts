/** The clocks of what tests run: always the same Wednesday, so that no test depends on its own hour, day or date. */

import { createClocks } from '../../../src/clock.ts';

/** Noon in Port Alder: far from the hours at which its day, its night and the day in UTC end. */
export const DEMO_NOW = '2026-11-18T18:00:00Z';

const MINUTE_MS = 60_000;
const minutes = Math.ceil((Date.parse(DEMO_NOW) - Date.now()) / MINUTE_MS);

/**
 * The `MARQUEE_NOW` with which all clocks go on from the minute after `DEMO_NOW`, since the process of the tests began: the same here, in
 * threads and in other processes.
 */
export const DEMO_OFFSET = `${minutes < 0 ? '-' : '+'}${Math.abs(minutes)}m`;

/** The clock that `DEMO_OFFSET` makes. */
export const demoClock = createClocks(DEMO_OFFSET).directory;
