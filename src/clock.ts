/** Time as an argument. Everything that asks for the time is given one of these clocks. */

/** Milliseconds since 1970 UTC. */
export type Clock = () => number;

export interface Clocks {
  /** The directory's and the accounts' time: what is upcoming, when a trial ends. May stand still or be shifted. */
  directory: Clock;
  /** The limits' time. Shifted by an offset setting, never made to stand. */
  limits: Clock;
}

/**
 * Reads the `MARQUEE_NOW` setting. An instant (`2026-06-16T20:00:00Z`) makes the directory's clock stand there while limits
 * keep real time; an offset (`+36h`, `-157d`, units s m h d) shifts every clock; absent means real time.
 * Throws a `RangeError` that names both forms.
 */
export function createClocks(setting: string | undefined, real: Clock = Date.now): Clocks {
  if (setting === undefined || setting === '') return { directory: real, limits: real };
  const offset = /^([+-]\d{1,8})([smhd])$/.exec(setting);
  if (offset) {
    const shift = Number(offset[1]) * (MS_PER_UNIT[offset[2] as keyof typeof MS_PER_UNIT] ?? 0);
    const shifted = () => real() + shift;
    return { directory: shifted, limits: shifted };
  }
  try {
    const instant = Temporal.Instant.from(setting).epochMilliseconds;
    return { directory: () => instant, limits: real };
  } catch {
    throw new RangeError(
      `MARQUEE_NOW must be a time such as 2026-06-16T20:00:00Z or an offset such as +36h, but is "${setting}"`,
    );
  }
}

const MS_PER_UNIT = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
