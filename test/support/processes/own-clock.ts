/** What keeps the clock of the machine while a run of tests is on a moved one (`.ci/at`). */

/** The environment of a program that is not to have the moved clock. */
export function withOwnClock(): NodeJS.ProcessEnv {
  const { LD_PRELOAD: _, ...env } = process.env;
  return env;
}

/** The time of such a program, ms. `.ci/at` says by how many seconds the clock of this process is ahead. */
export const machineNow = (): number => Date.now() - Number(process.env.FAKETIME ?? 0) * 1_000;
