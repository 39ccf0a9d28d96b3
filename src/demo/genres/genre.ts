/** One kind of evening: where, when, how much, who, and the words it is announced with. */

import type { Category, VenueType } from '../../records/index.ts';
import type { Cast } from '../performers.ts';

export interface Genre {
  category: Category;
  /** How often it comes, beside the other genres of its category. */
  weight: number;
  venues: readonly (readonly [type: VenueType, weight: number])[];
  days: keyof typeof WEEKDAYS;
  /** Local starts, `HH:MM`. */
  starts: readonly string[];
  /** Shortest and longest, in minutes. */
  minutes: readonly [number, number];
  /** `free`: the share of free ones; else from … to in dollars. */
  price: { free: number; from: number; to: number };
  /** How likely it is to come more than once, how often then, and every how many days. */
  run?: { chance: number; times: readonly [number, number]; everyDays: number };
  cast: Cast;
  tags: readonly string[];
  /** `what :: more about it`: `{topic}` and `{detail}` in the texts below. */
  topics: readonly string[];
  titles: readonly string[];
  /** First sentence, second sentence, closing remark. */
  opens: readonly string[];
  tells: readonly string[];
  closes: readonly string[];
}

/** How likely each weekday is, Monday first. */
export const WEEKDAYS = {
  weekend: [0.3, 0.4, 0.7, 1.3, 3.2, 4.2, 2.2],
  night: [0.2, 0.4, 0.9, 2.2, 4.5, 5, 0.8],
  daytime: [0.3, 0.3, 0.5, 0.5, 0.8, 5, 4],
  weeknight: [2, 3, 3, 3, 1.2, 0.8, 1.2],
  any: [1, 1.3, 1.6, 2.2, 2.8, 3, 2],
} as const satisfies Record<string, readonly number[]>;
