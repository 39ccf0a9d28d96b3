/** The environment of a program that does not run on a moved clock (`.ci/at`): it keeps that of the machine. */
export function withOwnClock(): NodeJS.ProcessEnv {
  const { LD_PRELOAD: _, ...env } = process.env;
  return env;
}
