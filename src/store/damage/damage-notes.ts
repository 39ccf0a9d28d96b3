/** Signs that the files of the database do not hold what was written, kept in memory for whoever tells about the service. */

import { DAY_MS, HOUR_MS } from '../../values/duration.ts';

export interface DamageSign {
  /** When the first and the last sign were seen, milliseconds. */
  since: number;
  at: number;
  /** As the log may say it. */
  reason: string;
}

export interface DamageNotes {
  /** `at`: when the sign was seen, now unless told. */
  note(reason: string, at?: number): void;
  /** Null: no sign was seen for LASTS_MS. */
  last(): DamageSign | null;
}

/** `onSign`: told of a sign at most once an hour. `now`: real time, milliseconds. */
export function createDamageNotes(onSign?: (reason: string) => void, now: () => number = Date.now): DamageNotes {
  let sign: DamageSign | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  const last = () => (sign && now() - sign.at < LASTS_MS ? sign : null);
  return {
    note(reason, at = now()) {
      sign = { since: last()?.since ?? at, at, reason };
      if (now() - toldAt < TELL_EVERY_MS) return;
      toldAt = now();
      onSign?.(reason);
    },
    last,
  };
}

/** Whoever looks for damage finds it again sooner than that. */
const LASTS_MS = DAY_MS;
const TELL_EVERY_MS = HOUR_MS;
