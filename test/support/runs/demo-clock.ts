/** The clocks of what tests run: always the same Wednesday, so that no test depends on its own hour, day or date. */

/** Noon in Port Alder: far from the hours at which its day, its night and the day in UTC end. */
export const DEMO_NOW = '2026-11-18T18:00:00Z';

/** Goes on from `DEMO_NOW` since the process of the tests began: what starts again on the same data is never earlier than before. */
export const demoClock = (): number => Math.floor(DEMO_NOW_MS + performance.now());

/** The `MARQUEE_NOW` with which all clocks of another thread or process go on from the hour after `DEMO_NOW`. */
export function demoOffset(): string {
  const hours = Math.ceil((DEMO_NOW_MS - Date.now()) / MS_PER_HOUR);
  return `${hours < 0 ? '-' : '+'}${Math.abs(hours)}h`;
}

const DEMO_NOW_MS = Date.parse(DEMO_NOW);
const MS_PER_HOUR = 3_600_000;
