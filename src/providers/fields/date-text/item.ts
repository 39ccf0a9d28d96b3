/** What a text consists of, and the reason for which it is not understood. */

import type { CalendarNames } from './calendar-names.ts';
import type { Lexicon } from './words.ts';

export type DateItem =
  | { kind: 'date'; day: number; month: number | null; year: number | null }
  | { kind: 'weekday'; weekday: number }
  | { kind: 'relative'; days: number }
  | TimeItem
  | { kind: 'zone'; zone: string }
  | { kind: 'to' | 'to-or-at' | 'and' | 'doors' | 'show' | 'late' };

export interface TimeItem {
  kind: 'time';
  /** Since midnight; 1440 is the end of the day. */
  minutes: number;
  half: 'am' | 'pm' | null;
  /** A number of up to twelve, in a language that says the half of the day. */
  isBare?: boolean;
}

/** A text that is not understood; `isFinal`: no other locale would read it in another way. */
export class DateTextError extends Error {
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason);
    this.name = 'DateTextError';
    this.isFinal = isFinal;
  }
}

export interface DateLanguage {
  names: CalendarNames;
  lexicon: Lexicon;
  /** An hour without minutes may be of either half of the day: `at 8`. */
  hasHalves: boolean;
}

export interface ReadItems {
  /** How many tokens it takes. */
  length: number;
  items: DateItem[];
}

export const hasMonth = (items: readonly DateItem[]): boolean =>
  items.some((item) => item.kind === 'date' && item.month !== null);
