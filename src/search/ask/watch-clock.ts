/** Until when the answer to a text stays what it is. */

import type { CityTime } from '../../values/city-time.ts';
import type { Matching } from '../query/event-filters.ts';
import type { EventQuery } from '../query.ts';
import { NEW_DAY, type TimePhrase } from './time-phrases.ts';
import { changesAt } from './windows.ts';

export interface ClockWatch {
  /** Finds events as given, and notices when it would find others. */
  match(query: EventQuery): Matching;
  /** Notices when words of time mean another time. */
  noticeTimes(phrases: Iterable<TimePhrase | null>): void;
  /** What `answer` gives, and the instant from which on it may give something else (milliseconds). Everything that it asks is noticed. */
  during<T>(now: number, answer: () => T): { answer: T; until: number };
}

export function createClockWatch(match: (query: EventQuery) => Matching, city: CityTime): ClockWatch {
  let now = 0;
  let until = 0;
  let day = { from: 0, to: 0 };
  const notice = (at: number): void => {
    if (at < until) until = at;
  };

  /** Days are named and counted from their beginning. */
  const dayOf = (at: number): typeof day => {
    const { first, last } = city.dayBounds(city.day(at));
    const morning = city.resolve(`${city.day(at)}T${NEW_DAY}`);
    return at < morning ? { from: first, to: morning } : { from: morning, to: last + 1 };
  };

  return {
    match(query) {
      const matching = match(query);
      const { from, to } = query;
      if (from === now) notice(matching.steady.from);
      // Until then the past is not asked for, and then it begins to move with the clock.
      if (from > now) notice(from);
      if (Number.isFinite(to)) notice(now + matching.steady.to - to);
      return matching;
    },
    noticeTimes(phrases) {
      for (const phrase of phrases) if (phrase) notice(changesAt(phrase, now, city));
    },
    during(at, answer) {
      if (at < day.from || at >= day.to) day = dayOf(at);
      now = at;
      until = day.to;
      return { answer: answer(), until };
    },
  };
}
