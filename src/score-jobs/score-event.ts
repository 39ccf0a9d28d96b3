/** What ranking says of an event, as it is written; and which showing of its run an event is. */

import type { Kysely } from 'kysely';
import { type Event, LISTED_STATUSES, loadComingShowings, runKey, type Scored } from '../catalog/index.ts';
import { discoveryScore, type ScoreFacts, type Showing, showings } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';

/** `now`: milliseconds since 1970 UTC, directory clock. */
export function scoreOf(facts: ScoreFacts, now: number): Scored {
  const { total, coverage } = discoveryScore(facts, now);
  return { discoveryScore: total, showing: facts.showing, coverage };
}

export type ShownEvent = Pick<Event, 'id' | 'title' | 'venueId' | 'sources' | 'startsAt' | 'precision' | 'status'>;

/** Those that are listed and still to come, as ranking counts them. */
export function comingShowings(events: readonly ShownEvent[], now: number): Showing[] {
  return events
    .filter(({ status }) => (LISTED_STATUSES as readonly string[]).includes(status))
    .filter(({ startsAt, precision }) => startsAt >= now || (precision !== 'time' && startsAt > now - DAY_MS))
    .map(({ id, title, venueId, sources, startsAt }) => ({ id, run: runKey(title), venueId, sources, startsAt }));
}

/**
 * Which showing each of these events is as of `now`, in the state that is given, among all that the directory lists; those that are
 * listed no longer or have begun are the first. `without` names events that are about to leave. Where their runs have more than
 * `most` events, the answer is a guess that `settleShowings` puts right.
 */
export async function readShowings(
  db: Kysely<Database>,
  events: readonly ShownEvent[],
  now: number,
  { without = [], most }: { without?: readonly string[]; most?: number },
): Promise<(id: string) => number> {
  const coming = comingShowings(events, now);
  const given = new Set([...events.map(({ id }) => id), ...without]);
  const runs = [...new Set(coming.map(({ run }) => run))];
  const held = await loadComingShowings(db, runs, now, most);
  const numbers = showings([...coming, ...held.filter(({ id }) => !given.has(id))]);
  return (id) => numbers.get(id) ?? 1;
}
