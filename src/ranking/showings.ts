/** Which night of a show it is: a pure function of what is listed. */

import { compareText } from '../values/compare-text.ts';

/** As far as it matters here. */
export interface Showing {
  id: string;
  /** See `runKey` of the catalog. */
  run: string;
  venueId: string;
  /** Names of the providers. */
  sources: readonly string[];
  /** Milliseconds since 1970 UTC. */
  startsAt: number;
}

/**
 * Which showing each event is, by id: 1 for the first, and one more for every earlier event of its run that shares its venue or a
 * provider, at most `MAX_SHOWINGS`. Events of one moment are in the order of their venues and ids. Does not depend on the order of `events`, which are
 * those that are listed and still to come.
 */
export function showings(events: Iterable<Showing>): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const run of Map.groupBy(events, (event) => event.run).values()) {
    run.sort((a, b) => a.startsAt - b.startsAt || compareText(a.venueId, b.venueId) || compareText(a.id, b.id));
    run.forEach((event, index) => {
      let number = 1;
      for (let before = index - 1; before >= 0 && number < MAX_SHOWINGS; before -= 1)
        if (isSameShow(run[before] as Showing, event)) number += 1;
      numbers.set(event.id, number);
    });
  }
  return numbers;
}

const isSameShow = (a: Showing, b: Showing): boolean =>
  a.venueId === b.venueId || a.sources.some((name) => b.sources.includes(name));

/** Further ones are worth no less, and need not be counted. */
export const MAX_SHOWINGS = 50;
